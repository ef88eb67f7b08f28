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
  opens: boolean;
  /** Of its outcome, which is read again when it is asked for: there may be hundreds of thousands. */
  seq: number;
  remind?: string;
  /** The change was only stored, and takes hold when this effect is closed: `unapplied firewall primary`. */
  stored?: string;
}

/** What a run that ended is to the effects on its server. A later one of the same run takes its place. */
export interface RunEffects {
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
export function effectsOf(state: RunState): RunEffects | undefined {
  const { outcome, intent: { opens, closes } = {}, remind } = state;
  if (outcome?.server === undefined || (opens ?? closes) === undefined) return undefined;
  const ends = { server: outcome.server.id, seq: outcome.seq, may: mayBeDone(state), done: isDone(state) };
  return { ...ends, opens, closes, remind };
}

export const isUnapplied = (effect: string): boolean => readEffect(effect)?.kind === 'unapplied';

/** Whether what closes it puts back what was there before: other rules are not the rules that were removed. */
export const isTakenBack = (effect: string): boolean => !isUnapplied(effect) && readEffect(effect)?.kind !== 'no-rules';

/** What runs did to one effect on one server, and the outcomes by which it was closed, by `seq`; both in ledger order. */
interface Series {
  changes: Change[];
  closed: number[];
}

/** Takes the place of what the same outcome put there before; undefined: of nothing. It may come late. */
function putAt<T>(list: T[], seq: number, item: T | undefined, seqOf: (item: T) => number): void {
  const at = list.findLastIndex((each) => seqOf(each) < seq) + 1;
  const before = list[at];
  const known = before !== undefined && seqOf(before) === seq ? 1 : 0;
  list.splice(at, known, ...(item === undefined ? [] : [item]));
}

/** Replays the effects of all runs: for each effect, its newest completed change decides. `load`: an outcome, by its `seq`. */
export function openEffects(load: (seq: number) => Ended | undefined) {
  const servers = new Map<number, Map<string, Series>>();
  const none: ReadonlyMap<string, Series> = new Map();
  const seriesOf = (server: number, effect: string): Series | undefined => servers.get(server)?.get(effect);

  function put({ server, seq, opens = [], closes = [], may, done, remind }: RunEffects): void {
    const its = servers.get(server) ?? new Map<string, Series>();
    servers.set(server, its);
    const unapplied = opens.find(isUnapplied);
    const change = (effect: string, isOpened: boolean, isKnown: boolean): void => {
      const series = its.get(effect) ?? { changes: [], closed: [] };
      its.set(effect, series);
      const stored = unapplied === effect ? undefined : unapplied;
      putAt(series.changes, seq, isKnown ? { opens: isOpened, seq, remind, stored } : undefined, (each) => each.seq);
      if (!isOpened) putAt(series.closed, seq, isKnown ? seq : undefined, (each) => each);
    };
    for (const effect of closes) change(effect, false, done);
    for (const effect of opens) change(effect, true, may);
  }

  /** What is open on a server. A change is active there if it was made there, or stored and applied since. */
  function* openOn(its: ReadonlyMap<string, Series>): Generator<OpenEffect> {
    const isActive = ({ stored, seq }: Change): boolean =>
      stored === undefined || (its.get(stored)?.closed.at(-1) ?? 0) > seq;
    for (const [text, { changes }] of its) {
      const last = changes.findLast(isActive);
      if (last?.opens !== true) continue;
      const [effect, since] = [readEffect(text), load(last.seq)];
      if (effect !== undefined && since?.server !== undefined)
        yield { effect, server: since.server, since, remind: last.remind };
    }
  }

  return {
    put,
    /** Of one server, without a look at the others; or of all. */
    open: (server?: number): OpenEffect[] =>
      (server === undefined ? [...servers.values()] : [servers.get(server) ?? none])
        .flatMap((its) => [...openOn(its)])
        .sort((a, b) => a.since.seq - b.since.seq),
    /** The outcomes by which an effect was opened, or may have been, by `seq`, oldest first. */
    opened: (effect: string, server: number): readonly number[] =>
      seriesOf(server, effect)?.changes.flatMap(({ opens, seq }) => (opens ? [seq] : [])) ?? [],
    /** The outcomes by which an effect was closed, by `seq`, oldest first. */
    closed: (effect: string, server: number): readonly number[] => seriesOf(server, effect)?.closed ?? [],
  };
}
