import { expect, test } from 'vitest';
import { type BudgetOptions, createBudget, type Rank } from '../../src/panel/budget.ts';
import { createPauses } from '../../src/panel/reply.ts';
import { createClock } from '../helpers/panel/server.ts';

/** What the panel says of a minute: its end is `at`, in Unix seconds. */
function minute(at: number, remaining: number) {
  const headers = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': `${remaining}`, 'x-ratelimit-reset': `${at}` };
  return { status: 200, headers };
}

/** A budget, and what tells it an answer of the panel to somebody. */
function budgetOf(options: Omit<BudgetOptions, 'token'>) {
  const budget = createBudget({ token: 'token', ...options });
  const pass = budget.enterLast();
  if ('hold' in pass) throw new Error(pass.hold);
  return { ...budget, told: pass.leave };
}

test('those who wait go in this order: changes as they came, then reads as they came', async () => {
  const clock = createClock();
  const budget = budgetOf(clock);
  budget.told(minute(clock.seconds() + 10, 0));
  const order: string[] = [];
  const enter = async (name: string, rank: Rank) => {
    await budget.enter(rank, 30_000);
    order.push(name);
  };
  await Promise.all([
    enter('first read', 'read'),
    enter('first change', 'change'),
    enter('second read', 'read'),
    enter('second change', 'change'),
  ]);
  expect(order).toEqual(['first change', 'second change', 'first read', 'second read']);
  expect(clock.waits).toEqual([10_000]);
});

test('when the minute begins, what somebody confirmed goes before all who have waited longer', async () => {
  const clock = createClock();
  const waiting: (() => void)[] = [];
  const wait = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const budget = budgetOf({ now: clock.now, wait });
  budget.told(minute(clock.seconds() + 10, 0));
  const order: string[] = [];
  const all = (['read', 'change', 'confirmed'] as const).map((rank) =>
    budget.enter(rank, 30_000).then(() => order.push(rank)),
  );
  await clock.wait(10_000);
  // The timers of both lines are over in the same moment, that of the reads first.
  for (const go of waiting) go();
  await Promise.all(all);
  expect(order).toEqual(['confirmed', 'change', 'read']);
});

test('the last tenth of a minute is for what somebody confirmed', async () => {
  const clock = createClock();
  const budget = budgetOf(clock);
  const limits = { 'x-ratelimit-limit': '30', 'x-ratelimit-reset': `${clock.seconds() + 40}` };
  budget.told({ status: 200, headers: { ...limits, 'x-ratelimit-remaining': '4' } });
  expect(await budget.enter('read', 30_000)).toMatchObject({ token: 'token' });
  for (const rank of ['read', 'change'] as const)
    expect(await budget.enter(rank, 30_000)).toEqual({ hold: 'kept-for-confirmed' });
  for (let left = 3; left > 0; left -= 1)
    expect(await budget.enter('confirmed', 30_000)).toMatchObject({ token: 'token' });
  expect(await budget.enter('confirmed', 30_000)).toEqual({ hold: 'waited-too-long' });
  expect(await budget.enter('read', 30_000)).toEqual({ hold: 'waited-too-long' });
});

test('a read that waits for the next minute holds up nothing that somebody confirmed', async () => {
  const clock = createClock();
  const budget = budgetOf({ now: clock.now, wait: () => new Promise<never>(() => undefined) });
  budget.told(minute(clock.seconds() + 20, 1));
  void budget.enter('read', 30_000);
  expect(await budget.enter('confirmed', 30_000)).toMatchObject({ token: 'token' });
});

test('an answer of the minute that is over, coming late, does not empty the new one', async () => {
  const clock = createClock();
  const budget = budgetOf(clock);
  const ends = clock.seconds() + 10;
  budget.told(minute(ends, 1));
  const pass = await budget.enter('confirmed', 30_000);
  await clock.wait(10_000);
  expect(await budget.enter('confirmed', 30_000)).toMatchObject({ token: 'token' });
  if ('hold' in pass) throw new Error(pass.hold);
  pass.leave(minute(ends, 0));
  expect(await budget.enter('confirmed', 0)).toMatchObject({ token: 'token' });
});

test('answers that overtake each other never give a request back', async () => {
  const clock = createClock();
  const budget = budgetOf(clock);
  const ends = clock.seconds() + 40;
  budget.told(minute(ends, 0));
  budget.told(minute(ends, 1));
  expect(await budget.enter('confirmed', 30_000)).toEqual({ hold: 'waited-too-long' });
});

test('a circuit that opens while somebody waits holds back whoever waits', async () => {
  const clock = createClock();
  const budget = budgetOf(clock);
  const pass = await budget.enter('confirmed', 30_000);
  if ('hold' in pass) throw new Error(pass.hold);
  budget.told(minute(clock.seconds() + 10, 0));
  const waiting = budget.enter('confirmed', 30_000);
  pass.leave({ status: 401 });
  expect(await waiting).toEqual({ hold: 'circuit-open' });
  expect(budget.charge({ kind: 'confirmed' }, true)).toBe('circuit-open');
});

test('a Retry-After that grows while somebody waits ends the waiting at 30 seconds', async () => {
  const clock = createClock();
  const budget = budgetOf(clock);
  budget.told({ status: 429, headers: { 'retry-after': '20' } });
  const waiting = budget.enter('read', 30_000);
  budget.told({ status: 429, headers: { 'retry-after': '60' } });
  expect(await waiting).toEqual({ hold: 'waited-too-long' });
  expect(clock.waits).toEqual([20_000]);
});

test('who comes when it is known to last too long is told at once, while others still wait', async () => {
  const clock = createClock();
  const budget = budgetOf({ now: clock.now, wait: () => new Promise<never>(() => undefined) });
  budget.told({ status: 429, headers: { 'retry-after': '20' } });
  void budget.enter('confirmed', 30_000);
  expect(await budget.enter('confirmed', 19_999)).toEqual({ hold: 'waited-too-long' });
});

test('headers that are no whole numbers are not believed', async () => {
  const clock = createClock();
  const budget = budgetOf(clock);
  const headers = { 'x-ratelimit-limit': '-1', 'x-ratelimit-remaining': '0x0', 'x-ratelimit-reset': ['1', '2'] };
  budget.told({ status: 200, headers });
  expect(await budget.enter('confirmed', 0)).toMatchObject({ token: 'token' });
});

test('a limit of nothing is not believed for longer than its minute', async () => {
  const clock = createClock();
  const budget = budgetOf(clock);
  const headers = {
    'x-ratelimit-limit': '0',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': `${clock.seconds() + 30}`,
  };
  budget.told({ status: 200, headers });
  expect(await budget.enter('read', 0)).toEqual({ hold: 'waited-too-long' });
  await clock.wait(31_000);
  expect(await budget.enter('read', 0)).toMatchObject({ token: 'token' });
});

test('who has no time to wait goes all the same where there is nothing to wait for, however slow the machine is', async () => {
  const clock = createClock();
  let ticks = 0;
  const now = (): number => {
    ticks += 1;
    return clock.now() + ticks;
  };
  const budget = budgetOf({ now, wait: clock.wait });
  expect(await budget.enter('read', 0)).toMatchObject({ token: 'token' });
  budget.told(minute(clock.seconds() + 10, 0));
  expect(await budget.enter('read', 0)).toEqual({ hold: 'waited-too-long' });
});

const noon = Date.parse('2026-11-26T12:00:00Z');
const pauseOf = (headers: Record<string, string | string[]>, body?: unknown): number | undefined =>
  createPauses()({ status: 429, headers, body }, noon);

test.each<[string | string[], number]>([
  ['7', 7_000],
  ['600.5', 600_500],
  [' 12 ', 12_000],
  ['Thu, 26 Nov 2026 12:02:00 GMT', 120_000],
  ['Thursday, 26-Nov-26 12:02:00 GMT', 120_000],
  ['Thu Nov 26 12:02:00 2026 GMT', 120_000],
  [['5', '9'], 9_000],
  // Nobody is silenced for longer.
  ['99999999999999999999', 900_000],
  ['Fri, 27 Nov 2026 12:00:00 GMT', 900_000],
  // None of these names a time.
  ['0', 1_000],
  ['-5', 1_000],
  ['soon', 1_000],
  ['', 1_000],
  ['NaN', 1_000],
  ['1e9', 1_000],
  ['0x20', 1_000],
  ['Infinity', 1_000],
  ['Thu, 26 Nov 2026 11:00:00 GMT', 1_000],
  ['Thu, 99 Nov 2026 12:02:00 GMT', 1_000],
])('Retry-After: %s', (told, ms) => {
  expect(pauseOf({ 'retry-after': told })).toBe(ms);
});

test('a date counts by the clock of the panel', () => {
  const headers = { date: 'Thu, 26 Nov 2026 13:00:00 GMT', 'retry-after': 'Thu, 26 Nov 2026 13:00:30 GMT' };
  expect(pauseOf(headers)).toBe(30_000);
});

test.each<[unknown, number]>([
  [42, 42_000],
  ['42', 42_000],
  [42.5, 42_500],
  [-1, 60_000],
  ['soon', 60_000],
  [null, 60_000],
])('a lock-out that says %j lasts so long, or a minute', (seconds, ms) => {
  expect(pauseOf({}, { errors: ['locked out'], retry_after_seconds: seconds })).toBe(ms);
});

test('the longer of two times counts', () => {
  expect(pauseOf({ 'retry-after': '50' }, { retry_after_seconds: 42 })).toBe(50_000);
});

test('without a time each pause is longer, up to a minute, until an answer comes', () => {
  const pauseAfter = createPauses();
  const pauses = Array.from({ length: 8 }, () => pauseAfter({ status: 429 }, noon));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  expect(pauseAfter({}, noon)).toBeUndefined();
  expect(pauseAfter({ status: 429 }, noon)).toBe(60_000);
  expect(pauseAfter({ status: 200 }, noon)).toBeUndefined();
  expect(pauseAfter({ status: 429, headers: { 'retry-after': '1' } }, noon)).toBe(1_000);
  expect(pauseAfter({ status: 429, headers: { 'retry-after': '1' } }, noon)).toBe(2_000);
});
