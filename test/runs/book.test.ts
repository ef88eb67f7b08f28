import { expect, it } from 'vitest';
import { seal } from '../../src/ledger/chain.ts';
import { openBook } from '../../src/runs/book.ts';
import type { NewRunEntry } from '../../src/runs/entry.ts';
import { changedBy } from '../../src/runs/history.ts';

it('A change draws the card that it replaced again, and none of the others on the server', () => {
  const book = openBook();
  const put = (entry: NewRunEntry): void =>
    void book.add(seal(entry, book.records.entries().length + 1, '2026-11-19T22:00:00.000Z', ''));
  for (let i = 0; i < 200; i += 1) {
    const run = {
      ...{ run: `r${i}.1`, actor: { id: '1', name: 'alice', roles: [] }, command: 'cpu.throttle' },
      ...{ options: { server: '101', percent: i + 1 }, server: { id: 101, name: 'web-1' } },
      place: { guild: '1', channel: '2', message: `${i}` },
    };
    const undo = { command: 'cpu.throttle', options: { server: '101', percent: i } };
    put({ ...run, kind: 'intent', opens: ['throttle'], closes: ['unapplied throttle'] });
    put({ ...run, kind: 'outcome', outcome: 'succeeded', undo });
  }
  const last = book.records.run('r199.1')?.outcome;
  expect(last && changedBy(book.records, last)).toEqual(['r199', 'r198']);
});
