import { expect, it } from 'vitest';
import { createSource } from '../../src/follow-ups/source.ts';
import type { CallResult } from '../../src/outcome.ts';
import type { Started } from '../../src/runs/follow-up.ts';
import { alice, card, ops } from '../helpers/follow-ups/bench.ts';
import { notes } from '../helpers/ledger/samples.ts';

const notFound: CallResult<unknown> = { kind: 'no', reason: 'not-found', status: 404 };
const item = { finished: null, failed: false, progress: 30 };

/** A power action of this moment or another, in ms. */
const powerAction = (started: number): Started => ({
  ...{ seq: 1, prev: '', hash: '', time: new Date(started).toISOString() },
  ...{ run: 'r.1', kind: 'follow-up', step: 'started', follow: 'power', job: 5001 },
  ...{ actor: alice, command: 'power.boot', options: {}, server: { id: 101, name: 'web-1' } },
  ...{ place: { guild: '1', channel: ops, message: card }, deadline: new Date(started + 86_400_000).toISOString() },
});

function sourceWith(answer: () => CallResult<unknown>) {
  const log = notes();
  const panel = { look: () => Promise.resolve(answer()), slot: () => 0 };
  return { log, source: createSource(panel, () => undefined, log) };
}

it('A panel without a read of its queue is noticed at the first look, and logged once', async () => {
  const { source, log } = sourceWith(() => notFound);
  expect([source.unreadable('power'), source.troubles()]).toEqual([false, []]);
  const later = powerAction(Date.now() + 1_000);
  expect(await source.look(later)).toEqual({ kind: 'no-read' });
  expect(await source.look(later)).toEqual({ kind: 'no-read' });
  expect(source.unreadable('power')).toBe(true);
  expect(source.troubles()).toEqual(['The panel has no read of its queue (404), so power actions are not followed.']);
  expect(log.messages).toHaveLength(1);
});

it('A missing item does not mean that there is no read, once that has worked or if the item is older than this process', async () => {
  let answer: CallResult<unknown> = notFound;
  const { source } = sourceWith(() => answer);
  expect(await source.look(powerAction(Date.now() - 60_000))).toEqual({ kind: 'failed', why: 'not-found' });
  answer = { kind: 'yes', data: { data: item } };
  expect(await source.look(powerAction(Date.now() + 1_000))).toMatchObject({ kind: 'seen', progress: 30 });
  answer = notFound;
  expect(await source.look(powerAction(Date.now() + 1_000))).toEqual({ kind: 'failed', why: 'not-found' });
  expect(source.unreadable('power')).toBe(false);
});

it('Nor does a typed item that the panel does not have', async () => {
  const { source } = sourceWith(() => notFound);
  const typed: Started = { ...powerAction(Date.now() + 1_000), given: true };
  expect(await source.look(typed)).toEqual({ kind: 'failed', why: 'not-found' });
  expect(source.unreadable('power')).toBe(false);
});

it('A refused token is logged once, and once more when it works again', async () => {
  const refused: CallResult<unknown> = { kind: 'no', reason: 'token-refused', status: 401 };
  let answer: CallResult<unknown> = refused;
  const { source, log } = sourceWith(() => answer);
  for (let look = 0; look < 3; look += 1) await source.look(powerAction(Date.now() + look));
  answer = { kind: 'yes', data: { data: item } };
  for (let look = 0; look < 3; look += 1) await source.look(powerAction(Date.now() + look));
  expect(log.messages).toEqual([
    "polling follow-ups fails: The panel did not accept the bot's token (401): it is missing, wrong or expired.",
    'polling follow-ups works again',
  ]);
});

it('Of hundreds that are due, 50 look at a time, in the order in which they came', async () => {
  const asked: (() => void)[] = [];
  const panel = {
    slot: () => 0,
    look: () =>
      new Promise<CallResult<unknown>>((resolve) => asked.push(() => resolve({ kind: 'yes', data: { data: item } }))),
  };
  const source = createSource(panel, () => undefined, notes());
  const all = Array.from({ length: 120 }, () => source.look(powerAction(Date.now() + 1_000)));
  await new Promise(setImmediate);
  expect(asked).toHaveLength(50);
  for (let next = 0; next < 120; next += 1) {
    asked[next]?.();
    await new Promise(setImmediate);
    expect(asked.length).toBe(Math.min(120, 51 + next));
  }
  await Promise.all(all);
});
