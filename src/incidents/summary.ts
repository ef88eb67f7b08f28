import { count } from '../card.ts';
import { type Entry, isOfRun, type RunEntry, timesOf } from '../runs/entry.ts';
import type { Incident } from '../runs/incident.ts';

/** Entries of the runs typed in an open incident's thread since it started. */
export const entriesOf = ({ id, opened }: Incident, entries: readonly Entry[]): RunEntry[] =>
  // Entry n is at index n - 1.
  entries.slice(opened.seq).flatMap((entry) => (isOfRun(entry) && entry.place.channel === id ? [entry] : []));

/** "5 runs: 3 succeeded, 1 denied, 1 waiting for Confirm." */
export function summary(entries: readonly RunEntry[]): string {
  const runs = new Set(entries.map(({ run }) => run));
  const ended = entries.filter((entry) => entry.kind === 'outcome' || entry.kind === 'denied');
  const times = (some: readonly RunEntry[]): number => some.reduce((sum, entry) => sum + timesOf(entry), 0);
  const outcomes = [...new Set(ended.map(({ outcome }) => outcome))].map(
    (each) => `${times(ended.filter(({ outcome }) => outcome === each))} ${each}`,
  );
  const open = runs.size - ended.length;
  const last = new Map(entries.map(({ run, kind }) => [run, kind]));
  const at = (stage: RunEntry['kind']): number => [...last.values()].filter((kind) => kind === stage).length;
  const [waiting, confirmed] = [at('asked'), at('confirmed')];
  const sent = open - waiting - confirmed;
  const all = [
    ...outcomes,
    ...(waiting > 0 ? [`${waiting} waiting for Confirm`] : []),
    ...(confirmed > 0 ? [`${confirmed} confirmed and not sent yet`] : []),
    ...(sent > 0 ? [`${sent} not answered yet`] : []),
  ];
  return all.length === 0 ? 'No runs.' : `${count(times(ended) + open, 'run')}: ${all.join(', ')}.`;
}
