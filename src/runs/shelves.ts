import { openEffects } from './effects.ts';
import { bySeq, type Kept } from './entries.ts';
import { isOfRun, type RunEntry } from './entry.ts';
import { openOutcomes } from './outcomes.ts';
import { openPast } from './past.ts';
import { flags, type Row } from './row.ts';
import { openStates } from './states.ts';

/** Where to find the entries of runs: all that rows alone say. */
export function openShelves(entries: Kept) {
  const outcomes = openOutcomes(entries);
  const states = openStates(entries);
  const past = openPast(entries, states);
  const effects = openEffects(outcomes.load);
  const touched = new Map<number, number>();
  return {
    ...{ states, outcomes, effects, past: past.records },
    /** The last entry about the end of a change on a server. */
    touched(server: number): RunEntry | undefined {
      const entry = bySeq(entries, touched.get(server) ?? 0);
      return entry !== undefined && isOfRun(entry) ? entry : undefined;
    },
    place(seq: number, row: Row): void {
      if (row.thread === 0) return;
      states.place(row.thread, seq);
      past.place(seq, row);
      if (row.server === 0) return;
      if ((row.flags & flags.outcome) !== 0) outcomes.place(row.server, seq);
      if ((row.flags & flags.touches) !== 0) touched.set(row.server, seq);
      if (row.effects !== undefined) effects.put(row.effects);
    },
  };
}
