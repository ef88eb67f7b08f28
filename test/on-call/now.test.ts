import { expect, it } from 'vitest';
import { isFresh, pingsOf } from '../../src/on-call/now.ts';

const [hour, day] = [3_600_000, 86_400_000];
const [alice, lead] = ['1400000000000000001', '1200000000000000003'];
const policy = { roles: [{ role: lead, name: 'lead' }] };
const at = (age: number, ...people: string[]) => ({ name: 'primary', age, shift: { people, unmatched: [] } });

it('rights follow from a copy that is less than an hour old, pings from one of less than a day', () => {
  expect([0, hour - 1, hour].map((age) => isFresh(at(age, alice)))).toEqual([true, true, false]);
  expect([0, day - 1, day].map((age) => pingsOf(at(age, alice), 'lead', policy))).toEqual([
    [alice],
    [alice],
    [`&${lead}`],
  ]);
});

it('where nobody is known to have the shift, the role is pinged', () => {
  expect(pingsOf(at(0), 'lead', policy)).toEqual([`&${lead}`]);
  expect(pingsOf({ name: 'primary' }, 'lead', policy)).toEqual([`&${lead}`]);
  expect(isFresh({ name: 'primary' })).toBe(false);
});
