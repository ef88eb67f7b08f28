import { describe, expect, it } from 'vitest';
import { expand } from '../../src/on-call/expand.ts';
import { by, calendar } from '../helpers/on-call/calendar.ts';

const said = (text: string, from = '2026-03-01', until = '2026-04-15', match: 'attendee' | 'summary' = 'attendee') =>
  expand({ text, from: Date.parse(from), until: Date.parse(until), match, zone: 'Europe/Berlin' }).map(
    ({ start, end, who }) => `${iso(start)} ${iso(end)} ${who.join()}`,
  );
const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

const berlin = ';TZID=Europe/Berlin:';
const [alice, bob] = ['alice@example.com', 'bob@example.com'];

describe('the shifts of a calendar', () => {
  it.each<[string, readonly string[][], readonly string[]]>([
    [
      'of a week, which change at 9:00 also when the clocks have gone forward',
      [[`DTSTART${berlin}20260323T090000`, `DTEND${berlin}20260330T090000`, 'RRULE:FREQ=WEEKLY;COUNT=3', by('alice')]],
      [
        `2026-03-23T08:00 2026-03-30T07:00 ${alice}`,
        `2026-03-30T07:00 2026-04-06T07:00 ${alice}`,
        `2026-04-06T07:00 2026-04-13T07:00 ${alice}`,
      ],
    ],
    [
      'of a night in which clocks skip 2:00 to 3:00',
      [[`DTSTART${berlin}20260328T180000`, `DTEND${berlin}20260329T090000`, by('alice')]],
      [`2026-03-28T17:00 2026-03-29T07:00 ${alice}`],
    ],
    [
      'that begin at a time which clocks skip: then it counts as the clock before',
      [[`DTSTART${berlin}20260329T023000`, `DTEND${berlin}20260329T040000`, by('alice')]],
      [`2026-03-29T01:30 2026-03-29T02:00 ${alice}`],
    ],
    [
      'of whole days, in the zone of the policy',
      [['DTSTART;VALUE=DATE:20260328', 'DTEND;VALUE=DATE:20260330', by('alice')]],
      [`2026-03-27T23:00 2026-03-29T22:00 ${alice}`],
    ],
    [
      'of one day, if it says no end',
      [['DTSTART;VALUE=DATE:20260328', by('alice')]],
      [`2026-03-27T23:00 2026-03-28T23:00 ${alice}`],
    ],
    [
      'without a zone, in that of the policy',
      [['DTSTART:20260302T090000', 'DURATION:PT8H', by('alice')]],
      [`2026-03-02T08:00 2026-03-02T16:00 ${alice}`],
    ],
    [
      'of a zone that nobody knows and the calendar does not describe, in that of the policy',
      [['DTSTART;TZID=Office:20260302T090000', 'DTEND;TZID=Office:20260302T170000', by('alice')]],
      [`2026-03-02T08:00 2026-03-02T16:00 ${alice}`],
    ],
    [
      'without those that are excluded, moved, taken by others or cancelled',
      [
        [
          ...['UID:a', `DTSTART${berlin}20260302T090000`, `DTEND${berlin}20260302T170000`],
          'RRULE:FREQ=DAILY;UNTIL=20260307T080000Z',
          ...[`EXDATE${berlin}20260101T090000`, `EXDATE${berlin}20260303T090000`, by('alice')],
        ],
        ['UID:a', 'RECURRENCE-ID:20260304T080000Z', 'DTSTART:20260304T120000Z', 'DTEND:20260304T130000Z', by('bob')],
        ['UID:a', `RECURRENCE-ID${berlin}20260305T090000`, `DTSTART${berlin}20260305T090000`, 'STATUS:CANCELLED'],
      ],
      [
        `2026-03-02T08:00 2026-03-02T16:00 ${alice}`,
        `2026-03-04T12:00 2026-03-04T13:00 ${bob}`,
        `2026-03-06T08:00 2026-03-06T16:00 ${alice}`,
        `2026-03-07T08:00 2026-03-07T16:00 ${alice}`,
      ],
    ],
    [
      'with those that are added, each once where another calendar writes them in UTC',
      [[`DTSTART${berlin}20260302T090000`, 'DURATION:P1D', 'RDATE:20260310T080000Z', by('alice')]],
      [`2026-03-02T08:00 2026-03-03T08:00 ${alice}`, `2026-03-10T08:00 2026-03-11T08:00 ${alice}`],
    ],
    [
      'of several people, without who declined, and of nobody',
      [
        ['DTSTART:20260302T090000Z', 'DURATION:PT1H', by('alice'), by('bob').replace('CN=', 'PARTSTAT=DECLINED;CN=')],
        ['DTSTART:20260303T090000Z', 'DURATION:PT1H', by('alice'), by('bob')],
        ['DTSTART:20260304T090000Z', 'DURATION:PT1H'],
      ],
      [
        `2026-03-02T09:00 2026-03-02T10:00 ${alice}`,
        `2026-03-03T09:00 2026-03-03T10:00 ${alice},${bob}`,
        '2026-03-04T09:00 2026-03-04T10:00 ',
      ],
    ],
    ['without one that ends as it begins', [['DTSTART:20260302T090000Z', by('alice')]], []],
  ])('%s', (_name, events, shifts) => {
    expect(said(calendar(...events))).toEqual(shifts);
  });

  it('are named by the whole summary, whatever lines and commas are in it', () => {
    const event = ['DTSTART:20260302T090000Z', 'DURATION:PT1H', 'SUMMARY:Alice\\, Bob\\nand\\r\\nCarol'];
    expect(said(calendar(event), '2026-03-01', '2026-03-05', 'summary')).toEqual([
      '2026-03-02T09:00 2026-03-02T10:00 Alice, Bob\nand\\r\nCarol',
    ]);
  });

  it('know a zone that the calendar describes itself', () => {
    const zone = [
      ...['BEGIN:VTIMEZONE', 'TZID:W. Europe Standard Time', 'BEGIN:STANDARD', 'DTSTART:16010101T030000'],
      ...['TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
      ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
      ...['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE', 'BEGIN:VEVENT'],
    ].join('\r\n');
    const at = (date: string) => `;TZID=W. Europe Standard Time:${date}`;
    const text = calendar([`DTSTART${at('20260328T090000')}`, 'DURATION:P1D', 'RRULE:FREQ=DAILY;COUNT=2', by('alice')]);
    expect(said(text.replace('BEGIN:VEVENT', zone))).toEqual([
      `2026-03-28T08:00 2026-03-29T07:00 ${alice}`,
      `2026-03-29T07:00 2026-03-30T07:00 ${alice}`,
    ]);
  });

  const hourly = (...lines: string[]) => ['UID:a', 'DTSTART:20260302T090000Z', 'DURATION:PT1H', ...lines];
  it.each([
    ['has more than anybody works', calendar(hourly('RRULE:FREQ=SECONDLY')), /more than 5000 entries/],
    [
      'has everybody at every hour',
      calendar(hourly('RRULE:FREQ=HOURLY', ...Array<string>(50).fill(by('alice')))),
      /more than 5000 entries/,
    ],
    [
      'moves all that come after one',
      calendar(hourly('RRULE:FREQ=DAILY'), hourly('RECURRENCE-ID;RANGE=THISANDFUTURE:20260302T090000Z')),
      /RANGE/,
    ],
    ['excludes by a rule', calendar(hourly('EXRULE:FREQ=DAILY')), /EXRULE/],
    ['is a card', 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Alice\r\nEND:VCARD\r\n', /not a calendar/],
  ])('are not guessed where it %s', (_what, text, words) => {
    expect(() => said(text)).toThrow(words);
  });

  it.each(['', '<html>Log in</html>', 'BEGIN:VCALENDAR'])('are not there in what is no calendar: %s', (text) => {
    expect(() => said(text)).toThrow();
  });
});
