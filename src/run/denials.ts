import { createHash } from 'node:crypto';
import { defined } from '../defined.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { LedgerUnavailable, type Log, type RawOptions } from '../outcome.ts';
import type { Folded, NewRunEntry } from '../runs/entry.ts';
import type { Outbox } from './outbox.ts';

type Denied = Extract<NewRunEntry, { kind: 'denied' }>;

/** How many denials have an entry of their own. */
export interface DenialLimits {
  /** How long a person's denials are taken together, in ms from the first. */
  window: number;
  /** So many of a window have an entry each; all others share one. */
  alone: number;
  /** So many people are told apart at a time; what all others are denied shares one entry. */
  people: number;
}

/** Puts denials on record, so that nobody makes the ledger grow by being denied. Nothing rejects. */
export interface Denials {
  record(denied: Denied): Promise<void>;
  /** Records what was counted in windows that are over. */
  sweep(): Promise<void>;
  /** Records all that was counted. */
  close(): Promise<void>;
}

interface DenialParts extends DenialLimits {
  ledger: Pick<Ledger, 'append'>;
  outbox: Pick<Outbox, 'put'>;
  log: Log;
  now(): number;
}

/** What was counted, and the first of it. */
interface Fold extends Omit<Folded, 'commands'> {
  of: Denied;
  commands: Map<string, Folded['commands'][number]>;
}

/** What one person was denied in a window, or all who are not told apart. */
interface Tally {
  since: number;
  /** How many may still have an entry of their own. */
  alone: number;
  fold?: Fold;
}

/** All who are not told apart. It is no id of Discord's. */
const crowd = { id: '0', name: 'several people', roles: [] };
/** So many commands, each with what it was for, are named in one entry. */
const mostNamed = 20;
/** Of what a command was for, in characters. */
const longestServer = 100;

export function createDenials({ ledger, outbox, log, now, window, alone, people }: DenialParts): Denials {
  const tallies = new Map<string, Tally>();

  function tallyOf({ actor }: Denied): Tally {
    const isKnown = tallies.has(actor.id);
    const id = isKnown || tallies.size < people ? actor.id : crowd.id;
    const tally = tallies.get(id) ?? { since: now(), alone: id === crowd.id ? 0 : alone };
    tallies.set(id, tally);
    return tally;
  }

  /** The windows that `isOver`, and what was counted in them. */
  function close(isOver: (tally: Tally) => boolean): Denied[] {
    return [...tallies].flatMap(([id, tally]) => {
      if (!isOver(tally)) return [];
      tallies.delete(id);
      const entry = entryOf(tally);
      return entry === undefined ? [] : [id === crowd.id ? { ...entry, actor: crowd } : entry];
    });
  }

  // A clock that was set back must not keep a window open.
  const isOver = ({ since }: Tally): boolean => now() < since || now() >= since + window;

  async function append(entries: readonly Denied[]): Promise<void> {
    const appending = entries.map((entry) =>
      ledger.append([entry]).catch((error: unknown) => {
        log.error({ command: entry.command, problem: String(error) }, 'the ledger does not take a denial');
        if (error instanceof LedgerUnavailable) outbox.put([entry]);
      }),
    );
    await Promise.all(appending);
  }

  return {
    async record(denied) {
      const due = close(isOver);
      const tally = tallyOf(denied);
      const isAlone = tally.alone > 0;
      if (isAlone) tally.alone -= 1;
      else fold(tally, denied, new Date(now()).toISOString(), log);
      await append(isAlone ? [...due, denied] : due);
    },
    sweep: () => append(close(isOver)),
    close: () => append(close(() => true)),
  };
}

/**
 * Counts a denial. The digest is SHA-256, in hex, over the digest before and the JSON of [time, actor, command, options by name, channel].
 * The log has a line of each, with just these.
 */
function fold(tally: Tally, entry: Denied, at: string, log: Log): void {
  const { actor, command, options, place } = entry;
  log.info({ at, actor: actor.id, command, options, channel: place.channel }, 'denied again');
  const before: Fold = tally.fold ?? { of: entry, count: 0, first: at, last: at, digest: '', commands: new Map() };
  const said = JSON.stringify([at, actor.id, command, sorted(options), place.channel]);
  const digest = createHash('sha256').update(before.digest).update(said).digest('hex');
  tally.fold = { ...before, count: before.count + 1, last: at, digest };
  const { commands } = before;
  const server = serverOf(entry);
  const key = JSON.stringify([command, server]);
  const named = commands.get(key);
  if (named !== undefined) named.count += 1;
  else if (commands.size < mostNamed) commands.set(key, { command, ...defined({ server }), count: 1 });
}

/** One entry for all of them: it has the run of the first. */
function entryOf({ fold: counted }: Tally): Denied | undefined {
  if (counted === undefined) return undefined;
  const { of: first, commands, ...folded } = counted;
  const { server: _, ...entry } = first;
  return { ...entry, options: {}, folded: { ...folded, commands: [...commands.values()] } };
}

const sorted = (options: RawOptions): [string, unknown][] =>
  Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));

/** Of an option that is kept of a denial, in characters. */
const longestOption = 300;

/** What is kept of what somebody typed who may not: a command has 25 options at most, so that all of it stays below 8 KB. */
export const keptOptions = (options: RawOptions): RawOptions =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      const letters = typeof value === 'string' ? [...value] : [];
      return [name, letters.length > longestOption ? `${letters.slice(0, longestOption).join('')}…` : value];
    }),
  );

/** What it was for: by name where it was looked up, else as it was typed. */
function serverOf({ server, options }: Denied): string | undefined {
  if (server !== undefined) return server.name ?? String(server.id);
  return options['server'] === undefined ? undefined : String(options['server']).slice(0, longestServer);
}
