import { describe, expect, it } from 'vitest';
import { seal } from '../../src/ledger/chain.ts';
import { openBook } from '../../src/runs/book.ts';
import type { Entry, NewRunEntry } from '../../src/runs/entry.ts';
import { changedBy } from '../../src/runs/history.ts';

const actor = { id: '1', name: 'alice', roles: [] };

/** How often the place of an entry in the ledger was read. */
interface Count {
  reads: number;
}

/** The entry, which tells when its place is read. */
function counted(entry: Entry, count: Count): Entry {
  const { seq } = entry;
  return Object.defineProperty({ ...entry }, 'seq', {
    enumerable: true,
    get() {
      count.reads += 1;
      return seq;
    },
  });
}

/** As many runs of one command, all on one server. */
function loaded(runs: number, count: Count = { reads: 0 }): ReturnType<typeof openBook> {
  const book = openBook();
  for (let i = 0; i < runs; i += 1) {
    const run = {
      run: `r${i}.1`,
      actor,
      command: 'cpu.throttle',
      options: { server: '101', percent: i + 1 },
      server: { id: 101, name: 'web-1' },
      place: { guild: '1', channel: '2', message: `${i}` },
    };
    const undo = { command: 'cpu.throttle', options: { server: '101', percent: i } };
    const steps: NewRunEntry[] = [
      { ...run, kind: 'intent', opens: ['throttle'], closes: ['unapplied throttle'] },
      { ...run, kind: 'outcome', outcome: 'succeeded', undo },
    ];
    steps.forEach((step, at) => {
      book.add(counted(seal(step, 2 * i + at + 1, '2026-11-19T22:00:00.000Z', ''), count));
    });
  }
  return book;
}

describe('the work that the ledger makes', () => {
  it('grows with its length when it is loaded, and not with the square of it', () => {
    const [short, long] = [{ reads: 0 }, { reads: 0 }];
    loaded(500, short);
    loaded(2_000, long);
    expect(long.reads).toBeLessThan(short.reads * 6);
  });

  it('is little when it is asked which runs another one replaced, whatever else happened on the server', () => {
    const count = { reads: 0 };
    const { records } = loaded(2_000, count);
    const last = records.run('r1999.1')?.outcome;
    count.reads = 0;
    expect(last && changedBy(records, last)).toEqual(['r1999', 'r1998']);
    expect(count.reads).toBeLessThan(2_000 * 200);
  });
});
