import type { Kind } from './entry.ts';
import { isDone, mayBeDone, type RunState } from './state.ts';

/** Something a change left on a server that is not as usual, until something closes it. */
export type Effect =
  | { kind: 'firewall-off'; interface: string }
  /** No rule was left. */
  | { kind: 'no-rules'; interface: string }
  | { kind: 'down' }
  | { kind: 'throttle' }
  | { kind: 'whitelist'; interface: string; network: string }
  /** Stored, but not applied to the running server. */
  | { kind: 'unapplied'; what: 'firewall'; interface: string }
  | { kind: 'unapplied'; what: 'throttle' };

/** An effect as stored in entries: `firewall-off primary`. */
export function writeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'firewall-off':
    case 'no-rules':
      return `${effect.kind} ${effect.interface}`;
    case 'whitelist':
      return `whitelist ${effect.interface} ${effect.network}`;
    case 'unapplied':
      return effect.what === 'firewall' ? `unapplied firewall ${effect.interface}` : 'unapplied throttle';
    default:
      return effect.kind;
  }
}

/** Undefined for an effect that this version does not know. */
export function readEffect(text: string): Effect | undefined {
  const [kind, first = '', second = ''] = text.split(' ');
  if (kind === 'firewall-off' || kind === 'no-rules') return { kind, interface: first };
  if (kind === 'down' || kind === 'throttle') return { kind };
  if (kind === 'whitelist') return { kind, interface: first, network: second };
  if (kind !== 'unapplied') return undefined;
  if (first === 'firewall') return { kind, what: first, interface: second };
  return first === 'throttle' ? { kind, what: first } : undefined;
}

/** An effect that is open on a server, and the outcome that opened it. */
export interface OpenEffect {
  effect: Effect;
  server: NonNullable<Kind<'outcome'>['server']>;
  since: RunState['outcome'] & object;
  /** When the actor wants to be reminded, ISO time. */
  remind?: string;
}

type Ended = RunState['outcome'] & object;

/** How one run changed one effect on a server: opened or closed it. */
interface Change {
  effect: string;
  opens: boolean;
  /** Of its outcome, which is read again when it is asked for: there may be hundreds of thousands. */
  seq: number;
  remind?: string;
  /** The change was only stored, and takes hold when this effect is closed: `1 unapplied firewall primary`. */
  stored?: string;
}

/** What a run that ended is to the effects on its server. A later one of the same run takes its place. */
export interface Effects {
  server: number;
  /** Of its outcome. */
  seq: number;
  opens?: readonly string[];
  closes?: readonly string[];
  /** A job nobody saw end may have opened something, but is not known to have closed anything. */
  may: boolean;
  done: boolean;
  remind?: string;
}

/** Of a run after an outcome, a resolution or the end of a follow-up. Undefined: nothing. */
export function effectsOf(state: RunState): Effects | undefined {
  const { outcome, intent: { opens, closes } = {}, remind } = state;
  if (outcome?.server === undefined || (opens ?? closes) === undefined) return undefined;
  const ends = { server: outcome.server.id, seq: outcome.seq, may: mayBeDone(state), done: isDone(state) };
  return { ...ends, opens, closes, remind };
}

export const isUnapplied = (effect: string): boolean => readEffect(effect)?.kind === 'unapplied';

/** Whether what closes it puts back what was there before: other rules are not the rules that were removed. */
export const isTakenBack = (effect: string): boolean => !isUnapplied(effect) && readEffect(effect)?.kind !== 'no-rules';

/** How many items of a list in ledger order are at or before `seq`. */
function upTo<T>(list: readonly T[], seqAt: (each: T) => number, seq: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = list[middle];
    if (each !== undefined && seqAt(each) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Named series in ledger order. An item that arrives late is inserted at the position of its entry. */
function seriesBy<T>(seqOf: (item: T) => number) {
  const lists = new Map<string, T[]>();
  const none: readonly T[] = [];
  return {
    /** Undefined removes what the outcome put there. */
    put(name: string, seq: number, item: T | undefined): void {
      const list = lists.get(name) ?? [];
      lists.set(name, list);
      const at = upTo(list, seqOf, seq - 1);
      const before = list[at];
      const known = before !== undefined && seqOf(before) === seq ? 1 : 0;
      list.splice(at, known, ...(item === undefined ? [] : [item]));
    },
    of: (name: string): readonly T[] => lists.get(name) ?? none,
    all: (): readonly T[][] => [...lists.values()],
  };
}

/** Replays the effects of all runs: for each effect, its newest completed change decides. `load`: an outcome, by its `seq`. */
export function openEffects(load: (seq: number) => Ended | undefined) {
  /** Keyed by server and effect. */
  const changes = seriesBy<Change>(({ seq }) => seq);
  /** The keys of each server. */
  const keys = new Map<number, Set<string>>();
  /** Each text once. */
  const texts = new Map<string, string>();
  const closed = seriesBy<number>((seq) => seq);

  function same(text: string): string {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  }

  function keyOf(server: number, effect: string): string {
    const key = `${server} ${effect}`;
    keys.set(server, (keys.get(server) ?? new Set()).add(key));
    return key;
  }

  function put({ server, seq, opens = [], closes = [], may, done, remind }: Effects): void {
    const stored = opens.find(isUnapplied);
    const change = (effect: string, isOpened: boolean): Change => ({
      ...{ effect: same(effect), opens: isOpened, seq },
      remind,
      ...(stored === undefined || stored === effect ? {} : { stored: same(`${server} ${stored}`) }),
    });
    for (const effect of closes) changes.put(keyOf(server, effect), seq, done ? change(effect, false) : undefined);
    for (const effect of opens) changes.put(keyOf(server, effect), seq, may ? change(effect, true) : undefined);
    for (const effect of closes) closed.put(`${server} ${effect}`, seq, done ? seq : undefined);
  }

  /** Whether the change is active on the running server: made there, or stored and applied since. */
  const holds = ({ stored, seq }: Change): boolean => stored === undefined || (closed.of(stored).at(-1) ?? 0) > seq;

  return {
    put,
    /** Of one server, without a look at the others; or of all. */
    open: (server?: number): OpenEffect[] =>
      (server === undefined ? changes.all() : [...(keys.get(server) ?? [])].map(changes.of))
        .flatMap((each) => each.findLast(holds) ?? [])
        .filter(({ opens }) => opens)
        .flatMap(({ effect: text, seq, remind }) => {
          const [effect, outcome] = [readEffect(text), load(seq)];
          return effect !== undefined && outcome?.server !== undefined
            ? [{ effect, server: outcome.server, since: outcome, remind }]
            : [];
        })
        .sort((a, b) => a.since.seq - b.since.seq),
    /** The outcomes by which an effect was opened, or may have been, by `seq`, oldest first. */
    opened: (effect: string, server: number): readonly number[] =>
      changes.of(`${server} ${effect}`).flatMap(({ opens, seq }) => (opens ? [seq] : [])),
    /** The outcomes by which an effect was closed, by `seq`, oldest first. */
    closed: (effect: string, server: number): readonly number[] => closed.of(`${server} ${effect}`),
  };
}
