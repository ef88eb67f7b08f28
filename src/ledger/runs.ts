import type { Entry } from './entry.ts';
import type { RunState } from './ledger.ts';
import { SecondOutcome } from './ledger.ts';

/** What a run's state becomes with one more entry. Throws SecondOutcome when the run can take no such entry. */
export function advance(state: RunState | undefined, entry: Entry): RunState {
  const { run, kind } = entry;
  if (state?.outcome) throw new SecondOutcome(run, kind);
  if (kind === 'outcome' || kind === 'denied') return { ...state, run, outcome: entry };
  if (state?.intent) throw new SecondOutcome(run, kind);
  if (kind === 'intent') return { ...state, run, intent: entry };
  if (state?.asked) throw new SecondOutcome(run, kind);
  return { ...state, run, asked: entry };
}

const stemOf = (run: string) => run.split('.', 1).join();
const numberOf = (run: string) => Number(run.split('.')[1]);

/** The states of all runs, by run and by invocation. */
export function runIndex() {
  const stems = new Map<string, Map<string, RunState>>();
  const open = new Map<string, RunState>();
  return {
    get: (run: string) => stems.get(stemOf(run))?.get(run),
    set(state: RunState) {
      const stem = stemOf(state.run);
      const siblings = stems.get(stem) ?? new Map<string, RunState>();
      stems.set(stem, siblings.set(state.run, state));
      if (state.outcome) open.delete(state.run);
      else open.set(state.run, state);
    },
    stem: (stem: string) => [...(stems.get(stem)?.values() ?? [])].sort((a, b) => numberOf(a.run) - numberOf(b.run)),
    open: () => [...open.values()],
  };
}
