import { expect, it } from 'vitest';
import { isFresh, type OnShift, onShift, pingsOf } from '../../src/on-call/shift.ts';

const hour = (at: number): number => Date.parse('2026-11-26T00:00Z') + at * 3_600_000;
const [alice, bob] = ['1400000000000000001', '1400000000000000002'] as const;
const people = { 'Alice@example.com': alice, 'bob@example.com': bob };

/** Hours from the start of the day until which, and whom. */
type Row = readonly [from: number, to: number, ...who: string[]];
const day = (...rows: Row[]) => rows.map(([from, to, ...who]) => ({ start: hour(from), end: hour(to), who }));

it.each<[string, Row[], number, OnShift]>([
  [
    'one has it until the next begins',
    [
      [0, 12, 'alice@example.com'],
      [12, 24, 'BOB@example.com'],
    ],
    11,
    {
      people: [alice],
      unmatched: [],
      since: hour(0),
      before: [],
      until: hour(12),
      next: { people: [bob], at: hour(12) },
    },
  ],
  [
    'at the change, the next has it; two entries of one person are one shift',
    [
      [0, 12, 'alice@example.com'],
      [12, 18, 'bob@example.com'],
      [18, 24, 'bob@example.com'],
    ],
    12,
    { people: [bob], unmatched: [], since: hour(12), before: [alice], until: hour(24) },
  ],
  [
    'of shifts that overlap, both count, until one ends',
    [
      [0, 12, 'alice@example.com'],
      [10, 24, 'bob@example.com'],
    ],
    11,
    {
      ...{ people: [alice, bob], unmatched: [], since: hour(10), before: [alice] },
      ...{ until: hour(12), next: { people: [bob], at: hour(12) } },
    },
  ],
  [
    'in a gap nobody has it, until somebody does',
    [[12, 24, 'alice@example.com']],
    3,
    { people: [], unmatched: [], since: 0, before: [], until: hour(12), next: { people: [alice], at: hour(12) } },
  ],
  [
    'before a gap, the next is who comes after it',
    [
      [0, 6, 'alice@example.com'],
      [12, 24, 'bob@example.com'],
    ],
    3,
    {
      people: [alice],
      unmatched: [],
      since: hour(0),
      before: [],
      until: hour(6),
      next: { people: [bob], at: hour(12) },
    },
  ],
  [
    'whom no map has is told, and counts as nobody',
    [[0, 12, 'mallory@example.com', 'alice@example.com.example.net']],
    3,
    { people: [], unmatched: ['mallory@example.com', 'alice@example.com.example.net'], since: 0, before: [] },
  ],
  [
    'what comes after the calendar is known to is no change',
    [[0, 72, 'alice@example.com']],
    3,
    { people: [alice], unmatched: [], since: hour(0), before: [] },
  ],
])('%s', (_what, rows, at, found) => {
  expect(onShift({ match: 'attendee', people }, { shifts: day(...rows), until: hour(48) }, hour(at))).toEqual(found);
});

it('a summary is meant as it is written, and as a whole', () => {
  const of = (...who: string[]) =>
    onShift(
      { match: 'summary', people: { Alice: '1400000000000000001' } },
      { shifts: [{ start: hour(0), end: hour(9), who }], until: hour(48) },
      hour(1),
    ).people;
  expect(['Alice', 'alice', 'On call: Alice', 'Alice and Bob'].map((text) => of(text).length)).toEqual([1, 0, 0, 0]);
});

const policy = { roles: [{ role: '1200000000000000003', name: 'lead' }] };
const unknown = { name: 'primary', role: 'lead', gone: [] };
const at = (age: number, ...people: string[]) => ({
  ...{ ...unknown, age },
  shift: { people, unmatched: [], since: 0, before: [] },
});
const copy = { hour: 3_600_000, day: 86_400_000 };

it('rights follow from a copy that is less than an hour old, pings from one of less than a day', () => {
  expect([0, copy.hour - 1, copy.hour].map((age) => isFresh(at(age, alice)))).toEqual([true, true, false]);
  expect([0, copy.day - 1, copy.day].map((age) => pingsOf(at(age, alice), policy))).toEqual([
    [alice],
    [alice],
    ['&1200000000000000003'],
  ]);
});

it('nobody is pinged who left the guild: others of the shift are, or the role', () => {
  expect(pingsOf({ ...at(0, alice, bob), gone: [alice] }, policy)).toEqual([bob]);
  expect(pingsOf({ ...at(0, alice), gone: [alice] }, policy)).toEqual(['&1200000000000000003']);
});

it('where nobody is known to have the shift, the role is pinged', () => {
  expect(pingsOf(at(0), policy)).toEqual(['&1200000000000000003']);
  expect(pingsOf(unknown, policy)).toEqual(['&1200000000000000003']);
  expect(isFresh(unknown)).toBe(false);
});
