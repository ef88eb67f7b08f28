import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBook } from '../../src/runs/book.ts';
import { type EntryStore, inMemory } from '../../src/runs/entries.ts';
import { type Entry, foldedIn } from '../../src/runs/entry.ts';
import { newestRuns } from '../../src/view/newest.ts';
import { type Run, runsOf } from '../../src/view/select.ts';
import { large, ledgers } from '../helpers/record/entries.ts';

/** Somebody who may see everything, and looks into these entries. */
function viewerOf(entries: readonly Entry[], kept?: EntryStore) {
  const book = openBook(kept);
  for (const entry of entries) book.add(entry);
  return { records: book.records, may: () => true, find: () => undefined };
}

/** What there is to see: a count of no denial is nothing. */
const visible = (entries: readonly Entry[]): Entry[] =>
  entries.filter((entry) => foldedIn(entry)?.commands.length !== 0);
async function newest(entries: readonly Entry[], wanted: Parameters<typeof newestRuns>[1]): Promise<Run[]> {
  const found: Run[] = [];
  for await (const run of newestRuns(viewerOf(entries), wanted)) if (run !== undefined) found.push(run);
  return found;
}
const namesIn = (runs: readonly Run[]) => runs.map(({ run, newest }) => [newest.seq, run]);
const newestFirst = (runs: readonly Run[]): Run[] => runs.toSorted((a, b) => b.newest.seq - a.newest.seq);

describe('the newest runs of any ledger', () => {
  it('are all of them, each once and whole, by when something last came of them', () =>
    fc.assert(
      fc.asyncProperty(ledgers, async (entries) => {
        const found = await newest(entries, {});
        expect(namesIn(found)).toEqual(namesIn(newestFirst(runsOf(visible(entries)))));
        for (const { run, entries: steps } of found)
          expect(steps).toEqual(visible(entries).filter((entry) => 'run' in entry && entry.run === run));
      }),
    ));

  it('of a server are those that name it', () =>
    fc.assert(
      fc.asyncProperty(ledgers, fc.integer({ min: 1, max: 200 }), async (entries, id) => {
        const runs = runsOf(visible(entries)).filter((run) => run.entries.some(({ server }) => server?.id === id));
        const found = await newest(entries, { server: { id } });
        // A denial may name it by what somebody typed, and be among them.
        expect(namesIn(found)).toEqual(expect.arrayContaining(namesIn(runs)));
        expect(found).toEqual(newestFirst(found));
      }),
    ));

  it('since a time are those of which something came since', () =>
    fc.assert(
      fc.asyncProperty(ledgers, fc.nat(), async (entries, n) => {
        const since = Date.parse(entries[n % entries.length]?.time ?? '');
        const runs = runsOf(visible(entries)).filter(({ newest }) => Date.parse(newest.time) >= since);
        const found = await newest(entries, { since });
        expect(namesIn(found)).toEqual(namesIn(newestFirst(runs)));
      }),
    ));
});

it('The first of many runs are found without a look at the rest', async () => {
  const read = new Set<number>();
  const all = inMemory();
  const counted: EntryStore = {
    ...all,
    at(index) {
      read.add(index);
      return all.at(index);
    },
    slice(from = 0, to = all.length) {
      for (let index = from; index < to; index += 1) read.add(index);
      return all.slice(from, to);
    },
    get length() {
      return all.length;
    },
  };
  const viewer = viewerOf(large(10_000), counted);
  read.clear();
  const runs: Run[] = [];
  for await (const run of newestRuns(viewer, {})) {
    if (run !== undefined) runs.push(run);
    if (runs.length === 8) break;
  }
  expect(runs[0]?.newest.seq).toBe(10_000);
  expect(read.size).toBeLessThan(200);
});
