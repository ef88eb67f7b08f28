import fc from 'fast-check';
import rrule from 'rrule';
import { describe, expect, it } from 'vitest';
import { expand } from '../../src/on-call/expand.ts';
import { by, calendar } from '../helpers/on-call/calendar.ts';
import { tries } from '../helpers/tries.ts';

const { RRule } = rrule;
const [hour, day] = [3_600_000, 86_400_000];

/** Zones whose clocks change at different times of the day, and one on the other half of the earth; around both changes of each. */
const around = [
  { zone: 'Europe/Berlin', changes: ['2026-03-29', '2026-10-25'] },
  { zone: 'America/New_York', changes: ['2026-03-08', '2026-11-01'] },
  { zone: 'Australia/Lord_Howe', changes: ['2026-04-05', '2026-10-04'] },
].flatMap(({ zone, changes }) => {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  return changes.map((change) => ({ zone, format, change: Date.parse(`${change}T00:00Z`) }));
});

/** What clocks are ahead of UTC then, as the runtime prints it. */
function offset(ms: number, format: Intl.DateTimeFormat): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(ms)) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}

/** Looks at each half hour, and each quarter for the first at which clocks show that; where none does, as the clock before counts. */
function instant(wall: number, zone: Intl.DateTimeFormat): number {
  for (let ms = wall - 15 * hour; ms <= wall + 15 * hour; ms += hour / 2) if (ms + offset(ms, zone) === wall) return ms;
  return wall - offset(wall - day, zone);
}

const written = (wall: number): string => new Date(wall).toISOString().replaceAll(/[-:]|\.000Z/g, '');

const schedule = fc.record({
  at: fc.constantFrom(...around),
  before: fc.integer({ min: 1, max: 40 }),
  quarter: fc.integer({ min: 0, max: 95 }),
  hours: fc.constantFrom(1, 8, 12, 15, 24, 168),
  freq: fc.constantFrom('DAILY' as const, 'WEEKLY' as const, 'MONTHLY' as const),
  interval: fc.integer({ min: 1, max: 3 }),
  count: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
  days: fc.uniqueArray(fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'), { maxLength: 3 }),
  excluded: fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 3 }),
});

describe('an expansion', () => {
  it('is that of another library, by the clocks of each zone, around both of their changes', () => {
    fc.assert(
      fc.property(schedule, ({ at: { zone, format, change }, before, quarter, hours, ...rule }) => {
        const start = change - before * day + (quarter * hour) / 4;
        const [from, until] = [change - 10 * day, change + 10 * day];
        const weekly = rule.freq === 'WEEKLY' && rule.days.length > 0;
        const walls = new RRule({
          ...{ freq: RRule[rule.freq], interval: rule.interval, dtstart: new Date(start), wkst: RRule.MO },
          ...(rule.count === undefined ? {} : { count: rule.count }),
          ...(weekly ? { byweekday: rule.days.map((each) => RRule[each]) } : {}),
        })
          .between(new Date(start), new Date(until + 2 * day), true)
          .map((date) => date.getTime());
        const gone = rule.excluded.flatMap((at) => walls[at] ?? []);
        const expected = walls
          .filter((wall) => !gone.includes(wall) && wall > from - 10 * day)
          .map((wall) => ({ start: instant(wall, format), end: instant(wall + hours * hour, format) }))
          .filter(({ start: begins, end }) => begins < until && end > from && end > begins);
        const text = calendar([
          `DTSTART;TZID=${zone}:${written(start)}`,
          `DTEND;TZID=${zone}:${written(start + hours * hour)}`,
          `RRULE:FREQ=${rule.freq};INTERVAL=${rule.interval}${rule.count === undefined ? '' : `;COUNT=${rule.count}`}${weekly ? `;BYDAY=${rule.days.join()}` : ''}`,
          ...gone.map((wall) => `EXDATE;TZID=${zone}:${written(wall)}`),
          by('alice'),
        ]);
        const found = expand({ text, from, until, match: 'attendee', zone: 'UTC' });
        expect(found.map((shift) => [written(shift.start), written(shift.end)])).toEqual(
          expected.map((shift) => [written(shift.start), written(shift.end)]),
        );
      }),
      { numRuns: tries(500) },
    );
  });
});
