import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { policyFor } from '../../src/app/rules.ts';
import { trusted } from '../../src/card.ts';
import { aboutMachine } from '../../src/check/about-machine.ts';
import { ok, skipped, warning } from '../../src/check/line.ts';
import { tryCalendars } from '../../src/check/looks.ts';
import { usualBounds } from '../../src/check/probes.ts';
import { type Check, exitCodeOf, report, runChecks } from '../../src/check/run.ts';
import { waysOf } from '../../src/check/ways.ts';
import { expand } from '../../src/on-call/expand.ts';
import { type FetchCalendar, fetchFrom, isPublic } from '../../src/on-call/fetch.ts';
import { by, calendar } from '../helpers/on-call/calendar.ts';
import { examplePolicy } from '../helpers/world.ts';

const check = (id: string, run: Check<unknown>['run']): Check<unknown> => ({ id, title: id, run });
const well = check('well', async () => ok(trusted('It works.')));

describe('checks that run together', () => {
  it('are not spoilt by one that fails, of which only the name of its fault is told', async () => {
    const failing = check('failing', () => Promise.reject(new TypeError('token=secret-canary')));
    const lines = await runChecks([failing, well], {});
    expect(report(lines)).toBe(
      [
        'WRONG    failing: This could not be checked: `TypeError`.',
        '         → Run the check again. If it keeps failing, report it with the version.',
        'OK       well: It works.',
        '',
        '1 wrong, 0 warnings, 1 OK, 0 skipped',
        '',
      ].join('\n'),
    );
    expect(exitCodeOf(lines)).toBe(1);
  });

  it('do not wait for one that never ends', async () => {
    const lines = await runChecks([check('endless', () => new Promise(() => undefined)), well], {}, 20);
    expect(lines.map(({ check: id, state, words }) => [id, state, words.markup])).toEqual([
      ['endless', 'wrong', 'This took longer than 1 second.'],
      ['well', 'ok', 'It works.'],
    ]);
  });

  it('give 0 where there are warnings alone', async () => {
    const lines = await runChecks(
      [check('a', async () => [warning(trusted('Soon.'), 'Renew it.'), skipped(trusted('Not here.'))]), well],
      {},
    );
    expect(lines.map(({ state }) => state)).toEqual(['warning', 'skipped', 'ok']);
    expect(exitCodeOf(lines)).toBe(0);
  });
});

it('Each calendar of the policy is tried: whom it names now, or why it cannot be read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'panelops-calendars-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const schedules = ['https://a.example/x', 'https://b.example/x', 'https://127.0.0.1/secret', undefined].map(
    (address, at) => {
      const file = join(folder, String(at));
      if (address !== undefined) writeFileSync(file, address, { mode: 0o600 });
      const people = '{ "alice@example.com": "1400000000000000001" }';
      return `  - { name: s${at}, ical-file: ${file}, match: attendee, role: lead, people: ${people} }`;
    },
  );
  const read = policyFor(`${examplePolicy}\non-call:\n${schedules.join('\n')}\n`);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const reads: FetchCalendar = (address, ...rest) => {
    const who = address.includes('a.example') ? 'alice' : 'eve';
    if (!address.includes('.example')) return fetchFrom({ isPublic })(address, ...rest);
    const text = calendar(['DTSTART:20261127T000000Z', 'DURATION:P1D', by(who)]);
    return Promise.resolve({ kind: 'text', text, etag: undefined });
  };
  const how = {
    now: () => Date.parse('2026-11-27T12:00Z'),
    fetch: reads,
    expand: async (asked: Parameters<typeof expand>[0]) => expand(asked),
  };
  const tried = await runChecks([aboutMachine.calendars], {
    ...{ calendars: () => tryCalendars(read.policy, how), now: how.now, bounds: usualBounds },
  });
  expect(tried.map(({ state, words }) => [state, words.markup])).toEqual([
    ['ok', 'By the calendar of `s0`, 1 person has the shift now.'],
    ['warning', 'The calendar of `s1` names `eve@example.com` now, whom `people` does not have.'],
    ['wrong', 'The calendar of `s2`: Its host is not on the public internet: private addresses are refused.'],
    ['wrong', expect.stringContaining('The calendar of `s3`: There is no such file')],
  ]);
  expect(report(tried)).not.toMatch(/secret|b\.example/);
});

const discord = { kind: 'real', token: 't', guild: 'g' } as const;
const panel = { kind: 'real', url: 'https://panel.example.com/api/v1', token: 't' } as const;

/** What is said where the environment is like this. */
function ways(env: Record<string, string>, config: object): string | undefined {
  const before = { ...process.env };
  Object.assign(process.env, env);
  onTestFinished(() => {
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, before);
  });
  // Nothing else of the configuration matters here.
  return waysOf({ discord, panel, ...config } as unknown as Parameters<typeof waysOf>[0]);
}

it('check says what goes through a proxy and what does not, without its password', () => {
  const proxied = { HTTPS_PROXY: 'http://bot:canary@proxy.example.com:3128', NO_PROXY: 'panel.example.com' };
  expect(ways(proxied, { tracesUrl: 'http://127.0.0.1:4318' })).toBe(
    'Discord through http://proxy.example.com:3128, the panel directly, the collector of traces directly',
  );
  expect(ways(proxied, { discord: { kind: 'sandbox' }, panel: { kind: 'sandbox' } })).toBeUndefined();
});

it('and nothing where there is no proxy', () => {
  expect(ways({}, {})).toBeUndefined();
});
