import type { Entry } from '../runs/entry.ts';
import { events } from './events.ts';
import { followUpSteps, steps } from './steps.ts';
import type { Wording } from './wording.ts';

const rows = { ...steps, ...events };

/** What it is called: the row of its kind. */
export function wordsOf(entry: Entry): Wording<Entry> {
  const row = entry.kind === 'follow-up' ? followUpSteps[entry.step] : rows[entry.kind];
  // A row takes the entries of its own kind.
  return row as Wording<Entry>;
}
