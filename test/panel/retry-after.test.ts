import { expect, test } from 'vitest';
import { createPauses } from '../../src/panel/reply.ts';

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
