import { defined } from '../defined.ts';
import type { Kind } from './entry.ts';
import { isDone, mayBeDone, type RunState } from './state.ts';

/** What a change left on a server that is not as usual, until something closes it. */
export type Effect =
  | { kind: 'firewall-off'; interface: string }
  | { kind: 'down' }
  | { kind: 'throttle' }
  | { kind: 'whitelist'; interface: string; network: string }
  /** Stored, and not applied to the running server. */
  | { kind: 'unapplied'; what: 'firewall'; interface: string }
  | { kind: 'unapplied'; what: 'throttle' };

/** An effect as entries have it: `firewall-off primary`. */
export function writeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'firewall-off':
      return `firewall-off ${effect.interface}`;
    case 'whitelist':
      return `whitelist ${effect.interface} ${effect.network}`;
    case 'unapplied':
      return effect.what === 'firewall' ? `unapplied firewall ${effect.interface}` : 'unapplied throttle';
    default:
      return effect.kind;
  }
}

/** Undefined for words that this version does not know. */
export function readEffect(text: string): Effect | undefined {
  const [kind, first = '', second = ''] = text.split(' ');
  if (kind === 'firewall-off') return { kind, interface: first };
  if (kind === 'down' || kind === 'throttle') return { kind };
  if (kind === 'whitelist') return { kind, interface: first, network: second };
  if (kind !== 'unapplied') return undefined;
  if (first === 'firewall') return { kind, what: first, interface: second };
  return first === 'throttle' ? { kind, what: first } : undefined;
}

/** Something that is not as usual on a server now, and the outcome that left it so. */
export interface OpenEffect {
  effect: Effect;
  server: NonNullable<Kind<'outcome'>['server']>;
  since: RunState['outcome'] & object;
  /** When whoever did it wants to be reminded, ISO time. */
  remind?: string;
}

type Ended = RunState['outcome'] & object;

/** What one run did to one thing on a server: opened it, or closed it. */
interface Change {
  effect: string;
  opens: boolean;
  outcome: Ended;
  remind?: string;
  /** It was only stored, and takes hold when this is closed: `unapplied firewall primary`. */
  stored?: string;
}

export const isUnapplied = (effect: string): boolean => readEffect(effect)?.kind === 'unapplied';

/** How many of a list in the order of the ledger are up to this entry. */
export function upTo<T>(list: readonly T[], seqAt: (each: T) => number, seq: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const each = list[middle];
    if (each !== undefined && seqAt(each) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Entries under names, each list in the order of the ledger: what becomes known late takes the place that it had then. */
function shelves<T extends { outcome: Ended }>() {
  const lists = new Map<string, T[]>();
  return {
    /** Undefined: what the outcome put there, if anything, is not so. */
    put(name: string, { seq }: Ended, item: T | undefined): void {
      const list = lists.get(name) ?? [];
      lists.set(name, list);
      const at = upTo(list, ({ outcome }) => outcome.seq, seq - 1);
      const known = list[at]?.outcome.seq === seq ? 1 : 0;
      list.splice(at, known, ...(item === undefined ? [] : [item]));
    },
    of: (name: string): readonly T[] => lists.get(name) ?? [],
    all: (): readonly T[][] => [...lists.values()],
  };
}

/** The effects of all runs, replayed: the newest change of a thing that was done decides. */
export function openEffects() {
  /** By server and effect. */
  const changes = shelves<Change>();
  const closed = shelves<{ outcome: Ended }>();

  /** Whether it is so on the running server: it was done there, or what was stored then was applied since. */
  const holds = ({ stored, outcome }: Change): boolean =>
    stored === undefined || (closed.of(`${outcome.server?.id} ${stored}`).at(-1)?.outcome.seq ?? 0) > outcome.seq;

  return {
    /** After an outcome, a resolution or the end of a follow-up. */
    take(state: RunState): void {
      const { outcome, intent, remind } = state;
      const server = outcome?.server?.id;
      if (outcome === undefined || server === undefined) return;
      const may = mayBeDone(state);
      // What nobody saw the end of may have left something open; that it closed anything is not known.
      const isSo = isDone(state);
      const stored = intent?.opens?.find(isUnapplied);
      const change = (effect: string, opens: boolean): Change => ({
        ...{ effect, opens, outcome },
        ...defined({ remind }),
        ...(stored === undefined || stored === effect ? {} : { stored }),
      });
      const all = [
        ...(intent?.closes ?? []).map((effect) => change(effect, false)),
        ...(intent?.opens ?? []).map((effect) => change(effect, true)),
      ];
      for (const each of all)
        changes.put(`${server} ${each.effect}`, outcome, (each.opens ? may : isSo) ? each : undefined);
      const order = isSo ? { outcome } : undefined;
      for (const effect of intent?.closes ?? []) closed.put(`${server} ${effect}`, outcome, order);
    },
    open: (): OpenEffect[] =>
      changes
        .all()
        .flatMap((each) => each.findLast(holds) ?? [])
        .flatMap(({ effect: text, opens, outcome, remind }) => {
          const effect = readEffect(text);
          return opens && effect !== undefined && outcome.server !== undefined
            ? [{ effect, server: outcome.server, since: outcome, ...defined({ remind }) }]
            : [];
        })
        .sort((a, b) => a.since.seq - b.since.seq),
    closed: (effect: string, server: number): readonly { outcome: Ended }[] => closed.of(`${server} ${effect}`),
  };
}
