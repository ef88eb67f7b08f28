import { expect, test } from 'vitest';
import { openBook } from '../../src/runs/book.ts';
import type { NewEntry, NewRunEntry } from '../../src/runs/entry.ts';
import { seal } from '../helpers/ledger/seal.ts';

const alice = { id: '1400000000000000001', name: 'alice', roles: [] };
const place = { guild: '1', channel: '2', message: '3' };
const boots = { command: 'power.boot', options: { server: '101,102,103' }, actor: alice, place };
const run = (n: number) => ({ ...boots, run: `a.${n}`, server: { id: 100 + n } });

function bookOf(entries: readonly NewEntry[]) {
  const book = openBook();
  let prev = '0'.repeat(64);
  for (const [at, entry] of entries.entries()) {
    const sealed = seal(entry, at + 1, '2026-11-19T22:00:00.000Z', prev);
    prev = sealed.hash;
    book.add(sealed);
  }
  return book.records;
}

const first: NewRunEntry[] = [
  { ...run(1), kind: 'intent', owner: 'p' },
  { ...run(1), kind: 'outcome', outcome: 'accepted', owner: 'p' },
];

test('a command for three servers has not ended when one has', () => {
  expect(bookOf(first).unfinished()).toEqual(['a']);
});

test('nor when the job of that one is followed to its end, which says nothing of the others', () => {
  const followed = { ...run(1), options: {}, kind: 'follow-up', follow: 'power', job: 7 } as const;
  const records = bookOf([
    ...first,
    { ...followed, step: 'started', deadline: '2026-11-20T22:00:00.000Z' },
    { ...followed, step: 'ended', end: 'finished' },
  ]);
  expect(records.unfinished()).toEqual(['a']);
});

test('it has when all three have, and a denial leaves nothing to end', () => {
  const rest = [2, 3].map((n): NewRunEntry => ({ ...run(n), kind: 'outcome', outcome: 'not-sent' }));
  const denied: NewRunEntry = { ...run(1), run: 'b.1', kind: 'denied', outcome: 'denied', reason: 'denied' };
  expect(bookOf([...first, ...rest, denied]).unfinished()).toEqual([]);
});
