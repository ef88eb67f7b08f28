import { describe, expect, it } from 'vitest';
import { apart } from '../../../src/on-call/apart.ts';
import { by, calendar } from '../../helpers/on-call/calendar.ts';
import { expander as program } from '../../helpers/world.ts';

const never = new AbortController().signal;
const from = Date.parse('2026-11-26T00:00Z');
const asked = (text: string) => ({
  text,
  from,
  until: from + 62 * 86_400_000,
  match: 'attendee' as const,
  zone: 'UTC',
});
const since = (start: string, ...lines: string[]) =>
  calendar([`DTSTART:${start}`, 'DURATION:PT1H', by('eve'), ...lines]);
const nested = (depth: number): string => `${'BEGIN:VCALENDAR\r\n'.repeat(depth)}${'END:VCALENDAR\r\n'.repeat(depth)}`;

describe('a hostile calendar', () => {
  it.each([
    ['that repeats each second for centuries', since('16010101T000000Z', 'RRULE:FREQ=SECONDLY')],
    [
      'that repeats each second, of which none is a 30 February',
      since('20260101T000000Z', 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30'),
    ],
    ['with a billion entries', since('20261126T000000Z', 'RRULE:FREQ=SECONDLY;COUNT=1000000000')],
    [
      'that repeats by every rule at once',
      since('20261126T000000Z', ...Array<string>(5_000).fill('RRULE:FREQ=MINUTELY')),
    ],
    ['that is nested without end', nested(30_000)],
    [
      'with more zones than there are',
      since('20261126T000000Z').replace(
        'BEGIN:VEVENT',
        `${'BEGIN:VTIMEZONE\r\nTZID:x\r\nEND:VTIMEZONE\r\n'.repeat(20_000)}BEGIN:VEVENT`,
      ),
    ],
  ])('%s is given up, or read: nobody waits for it', async (_what, text) => {
    const read = await apart({ program, time: 1_500, memory: 64 })(asked(text), never).catch(
      (error: Error) => error.message,
    );
    expect(typeof read === 'string' ? read : 'read').toMatch(
      /^(?:It takes too long, or too much memory, to understand\.|It has more than 5000 entries in two months\.|It is not a calendar.*|read)$/,
    );
  });

  it('adds no line by a line break, and no property by a name', async () => {
    const text = calendar([
      ...['DTSTART:20261126T000000Z', 'DURATION:PT1H', 'SUMMARY:x\\r\\nATTENDEE:mailto:lead@example.com\\nEND:VEVENT'],
      ...['ATTENDEE;CN="a\r\n ^nATTENDEE:mailto:lead@example.com":mailto:eve@example.com', '__PROTO__:x'],
    ]);
    expect(await apart({ program })(asked(text), never)).toEqual([
      { start: from, end: from + 3_600_000, who: ['eve@example.com'] },
    ]);
  });

  it('that is being read ends with the bot', async () => {
    const stop = new AbortController();
    const reading = apart({ program })(asked(since('16010101T000000Z', 'RRULE:FREQ=SECONDLY')), stop.signal);
    stop.abort();
    await expect(reading).rejects.toThrow('It takes too long');
  });
});
