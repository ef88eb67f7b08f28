import type { RunEntry } from './entry.ts';
import type { Loose, RunState } from './ledger.ts';

/** What was done: the panel said yes, and it did not come to nothing since; or somebody knows how what was unknown ended. */
const isDone = ({ outcome, resolved, followUp }: RunState): boolean =>
  resolved?.happened ??
  ((outcome?.outcome === 'succeeded' || outcome?.outcome === 'accepted') && followUp?.ended?.end !== 'failed');

/** What one run did to one thing on a server: left it loose, or put it in order. */
interface Effect {
  what: string;
  opens: boolean;
  outcome: RunEntry;
}

/** Entries under names, each list in the order of the ledger: what becomes known late takes the place that it had then. */
function shelves<T extends { outcome: RunEntry }>() {
  const lists = new Map<string, T[]>();
  return {
    put(name: string, { outcome }: RunState, item: T | undefined): void {
      const others = (lists.get(name) ?? []).filter((each) => each.outcome.run !== outcome?.run);
      const list = item === undefined ? others : [...others, item];
      lists.set(
        name,
        list.sort((a, b) => a.outcome.seq - b.outcome.seq),
      );
    },
    newest: (name: string): T | undefined => lists.get(name)?.at(-1),
    allNewest: (): T[] => [...lists.values()].flatMap((list) => list.at(-1) ?? []),
  };
}

/** What runs have left loose on servers, and what they have put in order. */
export function looseEnds() {
  /** By server and what it is. */
  const effects = shelves<Effect>();
  /** By server and command. */
  const done = shelves<{ outcome: RunEntry }>();

  return {
    /** After an outcome, a resolution or the end of a follow-up. */
    take(state: RunState): void {
      const { outcome, intent } = state;
      const server = outcome?.server?.id;
      if (outcome === undefined || server === undefined) return;
      const isSo = isDone(state);
      const all = [
        ...(intent?.closes ?? []).map((what): Effect => ({ what, opens: false, outcome })),
        ...(intent?.opens ?? []).map((what): Effect => ({ what, opens: true, outcome })),
      ];
      for (const effect of all) effects.put(`${server} ${effect.what}`, state, isSo ? effect : undefined);
      done.put(`${server} ${outcome.command}`, state, isSo ? { outcome } : undefined);
    },
    all: (): Loose[] =>
      effects
        .allNewest()
        .flatMap(({ what, opens, outcome }) =>
          opens && outcome.server !== undefined ? [{ what, server: outcome.server, since: outcome }] : [],
        )
        .sort((a, b) => a.since.seq - b.since.seq),
    last: (command: string, server: number): RunEntry | undefined => done.newest(`${server} ${command}`)?.outcome,
  };
}
