import type { RunEntry } from './entry.ts';
import type { Loose, RunState } from './ledger.ts';
import { isUnknown } from './runs.ts';

/** What may have been done: the panel said yes, and it did not come to nothing since; or somebody knows how what was unknown ended. */
const mayBeDone = ({ outcome, resolved, followUp }: RunState): boolean =>
  resolved?.happened ??
  ((outcome?.outcome === 'succeeded' || outcome?.outcome === 'accepted') && followUp?.ended?.end !== 'failed');

/** What one run did to one thing on a server: left it loose, or put it in order. */
interface Effect {
  what: string;
  opens: boolean;
  outcome: RunEntry;
  remind?: string;
  /** It was only stored, and takes hold when this is closed: `unapplied firewall primary`. */
  stored?: string;
}

const isUnapplied = (what: string): boolean => what.startsWith('unapplied ');

/** Where an outcome is in a list in the order of the ledger, or would be: mostly at the end, where it is looked for first. */
function placeOf(list: readonly { outcome: RunEntry }[], seq: number): number {
  const before = (at: number): boolean => (list[at]?.outcome.seq ?? Number.POSITIVE_INFINITY) < seq;
  if (list.length === 0 || before(list.length - 1)) return list.length;
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Entries under names, each list in the order of the ledger: what becomes known late takes the place that it had then. */
function shelves<T extends { outcome: RunEntry }>() {
  const lists = new Map<string, T[]>();
  return {
    /** Undefined: what the outcome put there, if anything, is not so. */
    put(name: string, { seq }: RunEntry, item: T | undefined): void {
      const list = lists.get(name) ?? [];
      lists.set(name, list);
      const at = placeOf(list, seq);
      const known = list[at]?.outcome.seq === seq ? 1 : 0;
      list.splice(at, known, ...(item === undefined ? [] : [item]));
    },
    of: (name: string): readonly T[] => lists.get(name) ?? [],
    all: (): readonly T[][] => [...lists.values()],
  };
}

/** What runs have left loose on servers, and what they have put in order. */
export function looseEnds() {
  /** By server and what it is. */
  const effects = shelves<Effect>();
  /** What put a thing in order, by server and what it is. */
  const closed = shelves<{ outcome: RunEntry }>();
  /** By server and command. */
  const done = shelves<{ outcome: RunEntry }>();

  /** Whether it is so on the running server: it was done there, or what was stored then was applied since. */
  const holds = ({ stored, outcome }: Effect): boolean =>
    stored === undefined || (closed.of(`${outcome.server?.id} ${stored}`).at(-1)?.outcome.seq ?? 0) > outcome.seq;

  return {
    /** After an outcome, a resolution or the end of a follow-up. */
    take(state: RunState): void {
      const { outcome, intent, remind } = state;
      const server = outcome?.server?.id;
      if (outcome === undefined || server === undefined) return;
      const may = mayBeDone(state);
      // What nobody saw the end of may have left something loose; that it put anything in order is not known.
      const isSo = may && !isUnknown(state);
      const stored = intent?.opens?.find(isUnapplied);
      const effect = (what: string, opens: boolean): Effect => ({
        ...{ what, opens, outcome },
        ...(remind === undefined ? {} : { remind }),
        ...(stored === undefined || stored === what ? {} : { stored }),
      });
      const all = [
        ...(intent?.closes ?? []).map((what) => effect(what, false)),
        ...(intent?.opens ?? []).map((what) => effect(what, true)),
      ];
      for (const each of all)
        effects.put(`${server} ${each.what}`, outcome, (each.opens ? may : isSo) ? each : undefined);
      const order = isSo ? { outcome } : undefined;
      for (const what of intent?.closes ?? []) closed.put(`${server} ${what}`, outcome, order);
      done.put(`${server} ${outcome.command}`, outcome, order);
    },
    all: (): Loose[] =>
      effects
        .all()
        .flatMap((each) => each.findLast(holds) ?? [])
        .flatMap(({ what, opens, outcome, remind }) =>
          opens && outcome.server !== undefined
            ? [{ what, server: outcome.server, since: outcome, ...(remind === undefined ? {} : { remind }) }]
            : [],
        )
        .sort((a, b) => a.since.seq - b.since.seq),
    closed: (what: string, server: number): readonly { outcome: RunEntry }[] => closed.of(`${server} ${what}`),
    last: (command: string, server: number): RunEntry | undefined => done.of(`${server} ${command}`).at(-1)?.outcome,
  };
}
