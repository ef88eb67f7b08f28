import { describe, expect, it } from 'vitest';
import { durationOf, durationText, isZone, momentOf, spanText, timeForm } from '../src/time.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const iso = (at: number | { rule: string }): string => (typeof at === 'number' ? new Date(at).toISOString() : at.rule);

describe('a duration', () => {
  it.each([
    ['30m', 30 * minute],
    ['6h', 6 * hour],
    ['3d', 3 * day],
    ['-6h', 6 * hour],
    ['- 6 h', 6 * hour],
    ['1h30m', 90 * minute],
    ['1d 2h 5m', day + 2 * hour + 5 * minute],
    [' 90M ', 90 * minute],
    ['0m', 0],
  ])('%j', (text, ms) => {
    expect(durationOf(text)).toBe(ms);
  });

  it.each(['', '-', '6', '6w', 'h', '1.5h', '30m1h', '--6h', '+6h', '123456m', '6h 22:00'])('%j is none', (text) => {
    expect(durationOf(text)).toBeUndefined();
  });

  it.each([
    [2 * day, '2d'],
    [90 * minute, '90m'],
    [2 * hour, '2h'],
  ])('of %j ms is written %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

describe('a time in the past', () => {
  const now = Date.parse('2026-11-20T09:30:15.500Z');
  const past = (text: string, zone = 'UTC', end = false): string =>
    iso(momentOf(text, { now, zone, toward: 'past', end }));

  it.each([
    ['UTC', '2h', '2026-11-20T07:30:15.000Z'],
    ['UTC', '-30m', '2026-11-20T09:00:15.000Z'],
    ['UTC', '1d 6h', '2026-11-19T03:30:15.000Z'],
    ['UTC', '1795125600', '2026-11-19T22:00:00.000Z'],
    ['UTC', '2026-11-19', '2026-11-19T00:00:00.000Z'],
    ['UTC', ' 2026-11-19 22:00 ', '2026-11-19T22:00:00.000Z'],
    ['UTC', '2026-11-19T22:00:05Z', '2026-11-19T22:00:05.000Z'],
    ['UTC', '2026-11-19T22:00:00.000Z', '2026-11-19T22:00:00.000Z'],
    // A clock alone is the last time that clocks show it.
    ['UTC', '22:00', '2026-11-19T22:00:00.000Z'],
    ['UTC', '9:30', '2026-11-20T09:30:00.000Z'],
    ['UTC', '09:31', '2026-11-19T09:31:00.000Z'],
    ['Europe/Berlin', '10:30', '2026-11-20T09:30:00.000Z'],
    ['Europe/Berlin', '10:31', '2026-11-19T09:31:00.000Z'],
    ['Europe/Berlin', '22:00', '2026-11-19T21:00:00.000Z'],
    ['Europe/Berlin', '22:00Z', '2026-11-19T22:00:00.000Z'],
    ['Europe/Berlin', 'yesterday 22:00', '2026-11-19T21:00:00.000Z'],
    ['Europe/Berlin', 'Today', '2026-11-19T23:00:00.000Z'],
    ['Europe/Berlin', 'yesterday', '2026-11-18T23:00:00.000Z'],
    ['Europe/Berlin', '2026-07-01 12:00', '2026-07-01T10:00:00.000Z'],
    ['Europe/Berlin', '2026-07-01T12:00Z', '2026-07-01T12:00:00.000Z'],
    // Where it is another day already, or still.
    ['Pacific/Auckland', 'today', '2026-11-19T11:00:00.000Z'],
    ['Pacific/Honolulu', 'today', '2026-11-19T10:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11-19 22:00', '2026-11-19T16:15:00.000Z'],
  ])('in %s, %j is %s', (zone, text, at) => {
    expect(past(text, zone)).toBe(at);
  });

  it.each([
    ['2026-11-19', 'Europe/Berlin', '2026-11-19T23:00:00.000Z'],
    ['yesterday', 'Europe/Berlin', '2026-11-19T23:00:00.000Z'],
    ['2026-11-19 00:00', 'UTC', '2026-11-19T00:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ])('%j at the end of a span, in %s, is %s', (text, zone, at) => {
    expect(past(text, zone, true)).toBe(at);
  });

  it.each([
    ...['', 'x', '2', '2w', '2026-02-30', '2026-11-19 25:00', '2026-11-19 22:60', '2026-11-19 22:00 CET', '19.11.2026'],
    ...['2026-13-01 12:00', '2026-02-29 12:00', '2026-11-18 24:00', '2026-11-18 22:00+01:00', '1795125600000', '2026'],
    ...['-6', '-1w', '-0.5h', '1970-01-01 00:00', '1969-12-31 23:59'],
    ...['0001-01-01', '99', 'Z', 'yesterday6h', 'T22:00', '2026-11-1922:00', '9999999d', 'last week', '\u0662h'],
  ])('%j is none', (text) => {
    expect(past(text)).toBe(
      'this is not a time. Write 2h or 3d (ago), 22:00, yesterday 22:00, 2026-11-19, or 2026-11-19 22:00 (UTC)',
    );
  });
});

describe('a time to come', () => {
  const now = Date.parse('2026-11-20T09:30:15.500Z');
  it.each([
    ['2h', '2026-11-20T11:30:15.000Z'],
    ['22:00', '2026-11-20T21:00:00.000Z'],
    ['10:30', '2026-11-21T09:30:00.000Z'],
    ['tomorrow 8:00', '2026-11-21T07:00:00.000Z'],
    ['2026-11-22', '2026-11-21T23:00:00.000Z'],
  ])('in Berlin, %j is %s', (text, at) => {
    expect(iso(momentOf(text, { now, zone: 'Europe/Berlin', toward: 'future' }))).toBe(at);
  });

  it('has a form of its own, without a minus', () => {
    expect(momentOf('-2h', { now, zone: 'UTC', toward: 'future' })).toEqual({
      rule: timeForm({ zone: 'UTC', toward: 'future' }),
    });
    expect(timeForm({ zone: 'Europe/Berlin', toward: 'future' })).toBe(
      'this is not a time. Write 2h or 3d (from now), 22:00, tomorrow 8:00, or 2026-11-19 22:00 (Europe/Berlin)',
    );
  });
});

describe('where clocks change', () => {
  const after = Date.parse('2026-10-25T10:00:00Z');
  const berlin = (text: string, now = after): string =>
    iso(momentOf(text, { now, zone: 'Europe/Berlin', toward: 'past' }));

  it('a time that they skip is none', () => {
    expect(berlin('2026-03-29 02:30')).toBe(
      'the clocks of Europe/Berlin skip 02:30 on 2026-03-29: they go forward then',
    );
    expect(berlin('2026-03-29 03:00')).toBe('2026-03-29T01:00:00.000Z');
    expect(berlin('2026-03-29 01:59')).toBe('2026-03-29T00:59:00.000Z');
  });

  it('a time that they show twice is not guessed', () => {
    const twice =
      'the clocks of Europe/Berlin show 02:30 twice on 2026-10-25: write 2026-10-25T00:30Z or 2026-10-25T01:30Z';
    expect(berlin('2026-10-25 02:30')).toBe(twice);
    expect(berlin('today 2:30')).toBe(twice);
    expect(berlin('2026-10-25T01:30Z')).toBe('2026-10-25T01:30:00.000Z');
    expect(berlin('2026-10-25 03:00')).toBe('2026-10-25T02:00:00.000Z');
  });

  it('a clock alone is the last time that they did show it', () => {
    expect(berlin('2:30')).toBe('2026-10-25T01:30:00.000Z');
    expect(berlin('2:30', Date.parse('2026-10-25T01:00:00Z'))).toBe('2026-10-25T00:30:00.000Z');
    expect(berlin('2:30', Date.parse('2026-03-29T10:00:00Z'))).toBe('2026-03-28T01:30:00.000Z');
  });

  it('a duration is the time that went by', () => {
    expect(berlin('1d')).toBe('2026-10-24T10:00:00.000Z');
  });

  it('a day begins when it begins, where they skip midnight or show it twice', () => {
    const day = (text: string, zone: string): string => iso(momentOf(text, { now: after, zone, toward: 'past' }));
    expect(day('2026-03-29', 'Asia/Beirut')).toBe('2026-03-28T22:00:00.000Z');
    expect(day('2025-11-02', 'America/Havana')).toBe('2025-11-02T04:00:00.000Z');
  });
});

it.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Europe/Berln', false],
  ['', false],
  ['+01:00', false],
  ['Europe/Berlin ', false],
])('the time zone %j: %j', (name, known) => {
  expect(isZone(name)).toBe(known);
});

it.each([
  [-5, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 min'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [86_400_000, '1 d'],
  [86_460_000, '1 d'],
  [190_800_000, '2 d 5 h'],
])('%d ms are %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});
