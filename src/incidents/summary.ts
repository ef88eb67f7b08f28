import { count } from '../card.ts';
import type { Entry, RunEntry } from '../ledger/entry.ts';
import type { Incident } from '../ledger/ledger.ts';

const isOfRun = (entry: Entry): entry is RunEntry => 'run' in entry;

/** What is recorded of the runs of an incident that goes on: what was typed in its thread since its start. */
export const entriesOf = ({ id, opened }: Incident, entries: readonly Entry[]): RunEntry[] =>
  entries.filter(isOfRun).filter(({ seq, place }) => place.channel === id && seq > opened.seq);

/** "5 runs: 3 succeeded, 1 denied, 1 waiting for Confirm." */
export function summary(entries: readonly RunEntry[]): string {
  const runs = new Set(entries.map(({ run }) => run));
  const ended = entries.flatMap(({ kind, outcome }) =>
    (kind === 'outcome' || kind === 'denied') && outcome !== undefined ? [outcome] : [],
  );
  const outcomes = [...new Set(ended)].map((each) => `${ended.filter((one) => one === each).length} ${each}`);
  const open = runs.size - ended.length;
  const last = new Map(entries.map(({ run, kind }) => [run, kind]));
  const waiting = [...last.values()].filter((kind) => kind === 'asked').length;
  const all = [
    ...outcomes,
    ...(waiting > 0 ? [`${waiting} waiting for Confirm`] : []),
    ...(open > waiting ? [`${open - waiting} not answered yet`] : []),
  ];
  return all.length === 0 ? 'No runs.' : `${count(runs.size, 'run')}: ${all.join(', ')}.`;
}
