import { expect, it } from 'vitest';
import { isFresh, pingsOf } from '../../src/on-call/shift.ts';

const [hour, day] = [3_600_000, 86_400_000];
const [alice, bob, lead] = ['1400000000000000001', '1400000000000000002', '1200000000000000003'] as const;
const policy = { roles: [{ role: lead, name: 'lead' }] };
const unknown = { name: 'primary', role: 'lead', gone: [] };
const at = (age: number, ...people: string[]) => ({
  ...{ ...unknown, age },
  shift: { people, unmatched: [], since: 0, before: [] },
});

it('rights follow from a copy that is less than an hour old, pings from one of less than a day', () => {
  expect([0, hour - 1, hour].map((age) => isFresh(at(age, alice)))).toEqual([true, true, false]);
  expect([0, day - 1, day].map((age) => pingsOf(at(age, alice), policy))).toEqual([[alice], [alice], [`&${lead}`]]);
});

it('nobody is pinged who left the guild: others of the shift are, or the role', () => {
  expect(pingsOf({ ...at(0, alice, bob), gone: [alice] }, policy)).toEqual([bob]);
  expect(pingsOf({ ...at(0, alice), gone: [alice] }, policy)).toEqual([`&${lead}`]);
});

it('where nobody is known to have the shift, the role is pinged', () => {
  expect(pingsOf(at(0), policy)).toEqual([`&${lead}`]);
  expect(pingsOf(unknown, policy)).toEqual([`&${lead}`]);
  expect(isFresh(unknown)).toBe(false);
});
