import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { expand } from '../../src/on-call/expand.ts';
import type { Fetched } from '../../src/on-call/fetch.ts';
import { openCalendars } from '../../src/on-call/refresh.ts';
import { type LiveCopies, scheduleNow, Unreadable } from '../../src/on-call/shift.ts';
import { folder } from '../helpers/ledger/samples.ts';
import { by, calendar } from '../helpers/on-call/calendar.ts';

const [minute, day] = [60_000, 86_400_000];
const nightly = calendar(['DTSTART:20261101T180000Z', 'DURATION:PT15H', 'RRULE:FREQ=DAILY', by('alice')]);

/** A bot's calendars, whose host answers what it is told to. */
function teamOf() {
  const file = join(folder(), 'primary');
  writeFileSync(file, 'https://calendar.example/secret-1\n');
  const team = {
    file,
    at: Date.parse('2026-11-26T20:00Z'),
    schedule: {
      ...{ name: 'primary', 'ical-file': file, match: 'attendee' as const, role: 'lead' },
      people: { 'alice@example.com': '1400000000000000001' },
    },
    answer: { kind: 'text', text: nightly, etag: '"1"' } as Fetched,
    asked: [] as (string | undefined)[],
    warned: [] as string[],
    kept: undefined as string | undefined,
    zone: 'UTC',
    live: { copies: new Map(), gone: [] } as LiveCopies,
    left: [] as string[],
    now: () => scheduleNow(team.schedule, team.live, team.zone, team.at),
    async open() {
      const note = (facts: object, words: string) => void team.warned.push(`${words} ${JSON.stringify(facts)}`);
      const opened = await openCalendars({
        live: team.live,
        store: {
          read: () => Promise.resolve(team.kept),
          write([text = '']) {
            team.kept = text;
            return Promise.resolve();
          },
        },
        fetch: (address, etag) => {
          team.asked.push(`${address} ${etag}`);
          return Promise.resolve(team.answer);
        },
        expand: (asked) =>
          asked.text.startsWith('BEGIN:')
            ? Promise.resolve(expand(asked))
            : Promise.reject(new Unreadable('It is not a calendar that can be understood.')),
        gone: (people) => Promise.resolve(people.filter((id) => team.left.includes(id))),
        schedules: () => [team.schedule],
        zone: () => team.zone,
        isHeld: () => true,
        now: () => team.at,
        every: 3_600_000,
        log: { debug: note, info: note, warn: note, error: note },
      });
      onTestFinished(() => opened.close());
      return opened;
    },
  };
  return team;
}

it('a calendar that has not changed is as fresh as one that was sent again', async () => {
  const team = teamOf();
  const calendars = await team.open();
  await calendars.now();
  team.answer = { kind: 'same' };
  team.at += 5 * minute;
  await calendars.now();
  expect(team.now()).toMatchObject({ age: 0, shift: { people: ['1400000000000000001'] } });
  expect(team.asked).toEqual([
    'https://calendar.example/secret-1 undefined',
    'https://calendar.example/secret-1 "1"',
    'https://calendar.example/secret-1 "1"',
  ]);
});

it('a day later it is asked for as a whole, because other days are near by then', async () => {
  const team = teamOf();
  const calendars = await team.open();
  await calendars.now();
  team.at += day;
  await calendars.now();
  expect(team.asked.at(-1)).toBe('https://calendar.example/secret-1 undefined');
  expect(team.now().shift?.until).toBe(Date.parse('2026-11-28T09:00Z'));
});

it('the last good copy stays with its age, also over a restart, and the log says why without the address', async () => {
  const team = teamOf();
  await (await team.open()).now();
  team.answer = { kind: 'failed', words: 'Its host answered 503.' };
  team.at += 30 * minute;
  team.live.copies = new Map();
  const calendars = await team.open();
  expect(team.now()).toMatchObject({ age: 30 * minute, shift: { people: ['1400000000000000001'] } });
  await calendars.now();
  expect(team.now()).toMatchObject({ age: 30 * minute });
  expect(calendars.troubles()).toEqual([
    'The calendar of primary: Its host answered 503. /oncall says how old the last copy is.',
  ]);
  expect(team.warned.join()).toContain('503');
  expect(team.warned.join()).not.toMatch(/secret-1|calendar\.example/);
  expect(team.kept).not.toMatch(/secret-1|calendar\.example/);
});

it('who of the shift has left the guild is asked with each read', async () => {
  const team = teamOf();
  const calendars = await team.open();
  await calendars.now();
  expect(team.now().gone).toEqual([]);
  team.left = ['1400000000000000001', '1400000000000000009'];
  team.answer = { kind: 'same' };
  await calendars.now();
  expect(team.now().gone).toEqual(['1400000000000000001']);
});

it('another address is asked without the ETag of the one before', async () => {
  const team = teamOf();
  const calendars = await team.open();
  await calendars.now();
  writeFileSync(team.file, 'https://calendar.example/secret-2');
  await calendars.now();
  expect(team.asked.at(-1)).toBe('https://calendar.example/secret-2 undefined');
});

it.each<[string, (team: ReturnType<typeof teamOf>) => void]>([
  ['reads another file', (team) => (team.schedule = { ...team.schedule, 'ical-file': `${team.file}-2` })],
  ['counts days in another zone', (team) => (team.zone = 'Asia/Tokyo')],
])('a schedule that %s knows nothing of the copy of before', async (_what, change) => {
  const team = teamOf();
  await (await team.open()).now();
  change(team);
  expect(team.now()).toEqual({ name: 'primary', role: 'lead', gone: [] });
});

it.each([
  ['is gone', (team: ReturnType<typeof teamOf>) => rmSync(team.file), /There is no such file/],
  [
    'is no calendar',
    (team: ReturnType<typeof teamOf>) => (team.answer = { kind: 'text', text: 'x', etag: undefined }),
    /understood/,
  ],
])('what %s leaves the copy of before', async (_what, breaks, words) => {
  const team = teamOf();
  const calendars = await team.open();
  await calendars.now();
  breaks(team);
  await calendars.now();
  expect(team.now()).toMatchObject({ age: 0, shift: { people: ['1400000000000000001'] } });
  expect([...calendars.troubles(), ...team.warned].join()).toMatch(words);
});

it('a copy whose days have all passed is none', async () => {
  const team = teamOf();
  await (await team.open()).now();
  team.at += 62 * day;
  expect(team.now()).toEqual({ name: 'primary', role: 'lead', gone: [] });
});
