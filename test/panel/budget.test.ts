import { expect, test } from 'vitest';
import { createBudget } from '../../src/panel/budget.ts';
import { createClock } from './server.ts';

/** What the panel says of a minute: its end is `at`, in Unix seconds. */
function minute(at: number, remaining: number) {
  const headers = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': `${remaining}`, 'x-ratelimit-reset': `${at}` };
  return { status: 200, headers };
}

test('those who wait go in this order: changes as they came, then reads as they came', async () => {
  const clock = createClock();
  const budget = createBudget(clock);
  budget.leave({ probe: false }, minute(clock.seconds() + 10, 0));
  const order: string[] = [];
  const enter = async (name: string, change: boolean) => {
    await budget.enter(change, 30_000);
    order.push(name);
  };
  await Promise.all([
    enter('first read', false),
    enter('first change', true),
    enter('second read', false),
    enter('second change', true),
  ]);
  expect(order).toEqual(['first change', 'second change', 'first read', 'second read']);
  expect(clock.waits).toEqual([10_000]);
});

test('an answer of the minute that is over, coming late, does not empty the new one', async () => {
  const clock = createClock();
  const budget = createBudget(clock);
  const ends = clock.seconds() + 10;
  budget.leave({ probe: false }, minute(ends, 1));
  const pass = await budget.enter(true, 30_000);
  await clock.wait(10_000);
  expect(await budget.enter(true, 30_000)).toEqual({ probe: false });
  if ('hold' in pass) throw new Error(pass.hold);
  budget.leave(pass, minute(ends, 0));
  expect(await budget.enter(true, 0)).toEqual({ probe: false });
});

test('answers that overtake each other never give a request back', async () => {
  const clock = createClock();
  const budget = createBudget(clock);
  const ends = clock.seconds() + 40;
  budget.leave({ probe: false }, minute(ends, 0));
  budget.leave({ probe: false }, minute(ends, 1));
  expect(await budget.enter(true, 30_000)).toEqual({ hold: 'waited-too-long' });
});

test('a circuit that opens while somebody waits holds back whoever waits', async () => {
  const clock = createClock();
  const budget = createBudget(clock);
  const pass = await budget.enter(true, 30_000);
  if ('hold' in pass) throw new Error(pass.hold);
  budget.leave({ probe: false }, minute(clock.seconds() + 10, 0));
  const waiting = budget.enter(true, 30_000);
  budget.leave(pass, { status: 401 });
  expect(await waiting).toEqual({ hold: 'circuit-open' });
  expect(budget.admit({ kind: 'bot' }, true)).toBe('circuit-open');
});

test('a probe that gets no answer finds out nothing, and leaves it to the next call', async () => {
  const clock = createClock();
  const budget = createBudget(clock);
  budget.leave({ probe: false }, { status: 401 });
  await clock.wait(60_000);
  const first = await budget.enter(true, 30_000);
  expect(first).toEqual({ probe: true });
  expect(await budget.enter(true, 30_000)).toEqual({ hold: 'circuit-open' });
  budget.leave({ probe: true }, {});
  expect(await budget.enter(true, 30_000)).toEqual({ probe: true });
  budget.leave({ probe: true }, { status: 200 });
  expect(await budget.enter(true, 30_000)).toEqual({ probe: false });
});

test('a Retry-After that grows while somebody waits ends the waiting at 30 seconds', async () => {
  const clock = createClock();
  const budget = createBudget(clock);
  budget.leave({ probe: false }, { status: 429, headers: { 'retry-after': '20' } });
  const waiting = budget.enter(false, 30_000);
  budget.leave({ probe: false }, { status: 429, headers: { 'retry-after': '60' } });
  expect(await waiting).toEqual({ hold: 'waited-too-long' });
  expect(clock.waits).toEqual([20_000]);
});

test('who comes when it is known to last too long is told at once, while others still wait', async () => {
  const clock = createClock();
  const budget = createBudget({ now: clock.now, wait: () => new Promise<never>(() => undefined) });
  budget.leave({ probe: false }, { status: 429, headers: { 'retry-after': '20' } });
  void budget.enter(true, 30_000);
  expect(await budget.enter(true, 19_999)).toEqual({ hold: 'waited-too-long' });
});

test('headers that are no whole numbers are not believed', async () => {
  const clock = createClock();
  const budget = createBudget(clock);
  const headers = { 'x-ratelimit-limit': '-1', 'x-ratelimit-remaining': '0x0', 'x-ratelimit-reset': ['1', '2'] };
  budget.leave({ probe: false }, { status: 200, headers });
  expect(await budget.enter(true, 0)).toEqual({ probe: false });
});
