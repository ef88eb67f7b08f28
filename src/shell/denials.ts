import type { Denial, Request } from '../decide/decision.ts';
import { serverRef } from '../decide/entries.ts';
import type { Observe } from '../metrics/observe.ts';
import type { Log, RawOptions } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import type { Folded, NewRunEntry } from '../runs/entry.ts';
import { invocationIdOf, runIdOf } from '../runs/ids.ts';
import { orderOf } from '../runs/state.ts';
import type { Outbox } from './outbox.ts';

type Denied = Extract<NewRunEntry, { kind: 'denied' }>;

export interface DenialLimits {
  /** The window in which a person's denials are counted together, in ms from the first. */
  window: number;
  /** How many denials of a window get an entry each, and how many more that offer a way on. All others share one. */
  alone: number;
  /** How many people are tracked at a time. The denials of all others share one entry. */
  people: number;
}

/** A denied command or press. */
type Refused = Pick<Request, 'interaction' | 'actor' | 'place' | 'options' | 'button'>;

/** Records denials within limits, to keep people from flooding the ledger. Never rejects. */
export interface DenialLimiter extends Pick<DenialLimits, 'window'> {
  /** `offers`: its card has a button, which needs an entry of its own. */
  record(refused: Refused, denial: Denial<{ id: string }>, offers?: boolean): Promise<void>;
  /** Until when, in ms, denials of this person get no entry of their own although they offer a way on. */
  countedUntil(actor: { id: string }): number | undefined;
  /** Records the counted denials of windows that are over. */
  sweep(): Promise<void>;
  /** Records all counted denials. */
  close(): Promise<void>;
}

export interface DenialParts {
  ledger: Pick<Records, 'runs'> & Pick<Outbox, 'record'>;
  observe: Pick<Observe, 'ended'>;
  log: Log;
  now(): number;
}

/** Counted denials, and the first of them. */
interface Fold extends Omit<Folded, 'commands'> {
  of: Denied;
  commands: Map<string, Folded['commands'][number]>;
}

/** The denials of one person in a window, or of all untracked people. */
interface Tally {
  since: number;
  /** How many more denials may get their own entry: those that offer a way on, and the rest. */
  offering: number;
  plain: number;
  fold?: Fold;
}

/** Stands for all untracked people. Not a Discord id. */
const untracked = { id: '0', name: 'several people', roles: [] };
/** How many commands, each with its server, one entry names. */
const maxNamed = 20;
/** The maximum length of a server option, in characters. */
const maxServerLength = 100;

export function createDenials(
  { ledger, observe, log, now }: DenialParts,
  { window, alone, people }: DenialLimits,
): DenialLimiter {
  const tallies = new Map<string, Tally>();

  function tallyOf({ actor }: Denied): Tally {
    const isKnown = tallies.has(actor.id);
    const id = isKnown || tallies.size < people ? actor.id : untracked.id;
    const each = id === untracked.id ? 0 : alone;
    const tally = tallies.get(id) ?? { since: now(), offering: each, plain: each };
    tallies.set(id, tally);
    return tally;
  }

  /** Closes the windows for which `isOver` holds, and returns their entries. */
  function close(isOver: (tally: Tally) => boolean): Denied[] {
    return [...tallies].flatMap(([id, tally]) => {
      if (!isOver(tally)) return [];
      tallies.delete(id);
      const entry = entryOf(tally);
      return entry === undefined ? [] : [id === untracked.id ? { ...entry, actor: untracked } : entry];
    });
  }

  // A clock that was set back must not keep a window open.
  const isOver = ({ since }: Tally): boolean => now() < since || now() >= since + window;

  async function append(entries: readonly Denied[]): Promise<void> {
    await Promise.all(entries.map((entry) => ledger.record([entry])));
  }

  return {
    window,
    async record(refused, denial, offers = false) {
      observe.ended(denial.command.id, 'denied');
      const denied = deniedOf(ledger, refused, denial);
      const due = close(isOver);
      const tally = tallyOf(denied);
      const budget = offers ? 'offering' : 'plain';
      const isAlone = tally[budget] > 0;
      if (isAlone) tally[budget] -= 1;
      else fold(tally, denied, new Date(now()).toISOString(), log);
      await append(isAlone ? [...due, denied] : due);
    },
    countedUntil({ id }) {
      const isTracked = tallies.has(id) || tallies.size < people;
      const tally = tallies.get(isTracked ? id : untracked.id);
      if (isTracked && (tally === undefined || isOver(tally) || tally.offering > 0)) return undefined;
      return (tally?.since ?? now()) + window;
    },
    sweep: () => append(close(isOver)),
    close: () => append(close(() => true)),
  };
}

/** A denial as the ledger records it for auditors. */
const deniedOf = (
  ledger: DenialParts['ledger'],
  { actor, place, options, interaction, button }: Refused,
  { command, decision: { server }, meant }: Denial<{ id: string }>,
): Denied => ({
  run: runIdOf(invocationIdOf(interaction.id), 1),
  kind: 'denied',
  actor,
  command: command.id,
  options: keptOptions(options),
  server: server && serverRef(server),
  meant,
  pressed: button === undefined ? undefined : pressedOf(ledger, button),
  place: { guild: place.guild, channel: place.channel },
  outcome: 'denied',
  reason: 'denied',
});

/** Which button was pressed on whose run. Undefined: the card is about no run. */
function pressedOf(ledger: DenialParts['ledger'], button: string): Denied['pressed'] {
  const [kind = '', id = '', n = ''] = button.split(/[:.]/, 3);
  const states = ledger.runs(id);
  const state = states.find(({ run }) => run === `${id}.${n}`) ?? states[0];
  const first = state && orderOf(state);
  if (first === undefined) return undefined;
  // Both press Confirm: `typed` has the server's name typed.
  return {
    button: kind === 'typed' ? 'confirm' : kind,
    run: first.run,
    of: { id: first.actor.id, name: first.actor.name },
  };
}

/** Counts a denial. The log has a line for each. */
function fold(tally: Tally, entry: Denied, at: string, log: Log): void {
  const { actor, command, options, place, pressed } = entry;
  log.info({ at, actor: actor.id, command, options, channel: place.channel, pressed }, 'denied again');
  const before: Fold = tally.fold ?? { of: entry, count: 0, first: at, last: at, commands: new Map() };
  tally.fold = { ...before, count: before.count + 1, last: at };
  const { commands } = before;
  const server = serverOf(entry);
  const button = pressed?.button;
  const key = JSON.stringify([command, server, button]);
  const named = commands.get(key);
  if (named !== undefined) named.count += 1;
  else if (commands.size < maxNamed) commands.set(key, { command, server, pressed: button, count: 1 });
}

/** One entry for all counted denials, with the run of the first. */
function entryOf({ fold: counted }: Tally): Denied | undefined {
  if (counted === undefined) return undefined;
  const { of: first, commands, ...folded } = counted;
  const { server: _, pressed: _button, meant: _ids, ...entry } = first;
  return { ...entry, options: {}, folded: { ...folded, commands: [...commands.values()] } };
}

/** The maximum length of an option in a denial, in characters. */
const maxOptionLength = 300;

/** The options of a denied command, truncated. A command has at most 25 options, which bounds the entry. */
const keptOptions = (options: RawOptions): RawOptions =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      const letters = typeof value === 'string' ? [...value] : [];
      return [name, letters.length > maxOptionLength ? `${letters.slice(0, maxOptionLength).join('')}…` : value];
    }),
  );

/** The server of the denied command: its name if known, or as typed. */
function serverOf({ server, options }: Denied): string | undefined {
  if (server !== undefined) return server.name ?? String(server.id);
  return options['server'] === undefined ? undefined : String(options['server']).slice(0, maxServerLength);
}
