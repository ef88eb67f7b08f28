import { expect, it } from 'vitest';
import { createLooks } from '../../src/follow-ups/looks.ts';
import { nothingSeen, type Seen } from '../../src/follow-ups/seen.ts';
import { openBook } from '../../src/runs/book.ts';
import { accepted, intent, started } from '../helpers/ledger/samples.ts';

/** Looks at a job that is followed, of which the queue says what it was last seen as when it is asked to. */
function looksOf(stored: () => Promise<Seen | undefined>) {
  const book = openBook();
  const time = '2026-11-19T22:00:00.000Z';
  for (const [i, entry] of [intent('a.1'), accepted('a.1'), started('a.1')].entries())
    book.add({ ...entry, seq: i + 1, time, prev: '', hash: '' });
  const changed: string[] = [];
  const looks = createLooks({
    ledger: book.records,
    stored,
    readable: () => true,
    stuckAfter: () => undefined,
    changed: (id) => void changed.push(id),
    fresh: 1_000,
    now: () => Date.parse(time),
  });
  return { looks, changed };
}

it('What the queue holds is on the card', async () => {
  const { looks, changed } = looksOf(() => Promise.resolve({ ...nothingSeen, word: 'running' }));
  expect(await looks.of('a.1')).toEqual({ word: 'running' });
  expect(changed).toEqual([]);
});

it('A card does not wait for a queue that does not answer, and is drawn again when it does', async () => {
  let answer: (seen: Seen) => void = () => undefined;
  const late = new Promise<Seen>((resolve) => {
    answer = resolve;
  });
  const { looks, changed } = looksOf(() => late);
  expect(await looks.of('a.1')).toBeUndefined();
  expect(changed).toEqual([]);
  answer({ ...nothingSeen, word: 'running' });
  await expect.poll(() => changed).toEqual(['a']);
  expect(await looks.of('a.1')).toEqual({ word: 'running' });
});

it('A queue that cannot be reached changes no card', async () => {
  const { looks, changed } = looksOf(() => Promise.reject(new Error('it is away')));
  expect(await looks.of('a.1')).toBeUndefined();
  expect(changed).toEqual([]);
});
