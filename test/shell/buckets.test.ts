import { expect, it } from 'vitest';
import { unobserved } from '../../src/metrics/observe.ts';
import { createBuckets, createLimiters, defaultLimits } from '../../src/shell/limits.ts';
import { quietLog } from '../helpers/messages.ts';
import { ledgerOf } from '../helpers/stand-ins.ts';

/** A clock that is set by hand, and how often somebody gets in until the first time that they do not. */
function bucketsOf(people = 100) {
  let at = 1_800_000_000_000;
  const buckets = createBuckets(() => at, { atOnce: 4, perSecond: 2 }, people);
  const given = (who: string): number => {
    for (let count = 0; count < 1_000; count += 1) if (buckets.take(who) !== 'given') return count;
    return 1_000;
  };
  return {
    given,
    take: buckets.take,
    passes: (ms: number) => {
      at += ms;
    },
  };
}

it('gives so many at once, and then as many as time brings', () => {
  const { given, passes } = bucketsOf();
  expect(given('alice')).toBe(4);
  passes(499);
  expect(given('alice')).toBe(0);
  passes(1);
  expect(given('alice')).toBe(1);
  passes(60_000);
  expect(given('alice')).toBe(4);
});

it('is refilled whether or not somebody goes on asking', () => {
  const { given, take, passes } = bucketsOf();
  given('mallory');
  for (let n = 0; n < 1_000; n += 1) {
    passes(1);
    take('mallory');
  }
  passes(1_000);
  expect(given('mallory')).toBe(2);
});

it("is nobody else's", () => {
  const { given } = bucketsOf();
  given('mallory');
  expect(given('alice')).toBe(4);
});

it('says that it is empty at once, and again every 10 seconds', () => {
  const { given, take, passes } = bucketsOf();
  const all = () => Array.from({ length: 6 }, () => take('mallory'));
  expect(all()).toEqual(['given', 'given', 'given', 'given', 'told', 'refused']);
  passes(1_000);
  given('mallory');
  expect(take('mallory')).toBe('refused');
  passes(9_000);
  expect(all()).toEqual(['given', 'given', 'given', 'given', 'told', 'refused']);
});

it('a clock that is set back an hour keeps nobody out for an hour', () => {
  const { given, passes } = bucketsOf();
  given('alice');
  passes(-3_600_000);
  expect(given('alice')).toBe(0);
  passes(1_000);
  expect(given('alice')).toBe(2);
});

it('a million people are not remembered: those who were not seen for longest are as new', () => {
  const { given } = bucketsOf(2);
  given('mallory');
  given('a');
  expect(given('mallory')).toBe(0);
  given('b');
  expect(given('mallory')).toBe(0);
  expect(given('a')).toBe(4);
});

it('in a burst of changes a few go on in each turn of the event loop, so that new commands are heard in between', async () => {
  const parts = { ledger: ledgerOf(), observe: unobserved, log: quietLog, now: Date.now };
  const turn = (): Promise<void> => new Promise((go) => setImmediate(go));
  const { turns } = createLimiters(parts, defaultLimits);
  const went: number[] = [];
  const burst = Array.from({ length: 40 }, (_, n) => n);
  const all = burst.map((n) => turns(() => turn()).then(() => went.push(n)));
  const heard: number[] = [];
  for (; went.length < burst.length; await turn()) heard.push(went.length);
  await Promise.all(all);
  expect(went).toEqual(burst);
  expect(new Set(heard).size).toBeGreaterThanOrEqual(4);
});
