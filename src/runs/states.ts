import { bySeq, type Entries } from './entries.ts';
import { type Entry, isOfRun, type RunEntry } from './entry.ts';
import { invocationOf } from './ids.ts';
import { advance, type RunState } from './state.ts';
import { openThreads } from './threads.ts';

/** How many invocations stay in memory although nothing of them is open. */
const mostSettled = 1_000;

/** What the ledger knows of each run. What has long been over is forgotten, and read again when somebody asks. */
export function openStates(entries: Entries) {
  const threads = openThreads();
  const known = new Map<string, Map<string, RunState>>();
  /** Those of them that may be forgotten, the longest unused first. */
  const settled = new Set<string>();

  function settle(id: string): void {
    settled.delete(id);
    settled.add(id);
    for (const oldest of settled) {
      if (settled.size <= mostSettled) return;
      settled.delete(oldest);
      known.delete(oldest);
    }
  }

  const entriesOf = (id: string, read = (seq: number): Entry | undefined => bySeq(entries, seq)): RunEntry[] =>
    threads.of(id).flatMap((seq) => {
      const entry = read(seq);
      return entry !== undefined && isOfRun(entry) && invocationOf(entry.run) === id ? [entry] : [];
    });

  function readAgain(id: string): Map<string, RunState> | undefined {
    const states = new Map<string, RunState>();
    for (const entry of entriesOf(id)) states.set(entry.run, advance(states.get(entry.run), entry));
    if (states.size === 0) return undefined;
    known.set(id, states);
    settle(id);
    return states;
  }

  function of(id: string): Map<string, RunState> | undefined {
    const states = known.get(id);
    if (states === undefined) return readAgain(id);
    if (settled.has(id)) settle(id);
    return states;
  }

  return {
    of,
    run: (id: string): RunState | undefined => of(invocationOf(id))?.get(id),
    take(entry: RunEntry): RunState {
      const id = invocationOf(entry.run);
      const states = of(id) ?? new Map<string, RunState>();
      const state = advance(states.get(entry.run), entry);
      known.set(id, states.set(entry.run, state));
      settled.delete(id);
      return state;
    },
    /** An entry of this thread is there, to be read when its invocation is asked for. */
    place: threads.add,
    /** From now on it stays in memory, until it is settled. */
    hold(id: string): void {
      of(id);
      settled.delete(id);
    },
    /** From now on it may be forgotten. */
    settle,
    entriesOf,
    ...{ hasLater: threads.hasLater, before: threads.before },
  };
}
