import { describe, expect, it } from 'vitest';
import { trusted } from '../../src/card.ts';
import { ok, skipped, warning } from '../../src/check/line.ts';
import { type Probes, usualBounds } from '../../src/check/probes.ts';
import { exitCodeOf, report } from '../../src/check/report.ts';
import { type Check, runChecks } from '../../src/check/run.ts';

const nowhere = () => Promise.resolve({ left: 'nothing is there' });
const probes: Probes = {
  ...{ configuration: nowhere, policy: nowhere, audit: nowhere, discord: nowhere, commands: nowhere, panel: nowhere },
  ...{
    redis: nowhere,
    ledger: nowhere,
    trail: nowhere,
    canary: nowhere,
    restore: nowhere,
    inventory: nowhere,
    disk: nowhere,
    waits: nowhere,
  },
  ...{ waits: () => Promise.resolve([]), bounds: usualBounds, now: Date.now },
};

const check = (id: string, run: Check['run']): Check => ({ id, title: id, run });
const well = check('well', async () => [ok(trusted('It works.'))]);

describe('checks that run together', () => {
  it('are not spoilt by one that fails, of which only the name of its fault is told', async () => {
    const failing = check('failing', () => Promise.reject(new TypeError('token=secret-canary')));
    const lines = await runChecks([failing, well], probes);
    expect(report(lines)).toBe(
      [
        'WRONG    failing: This could not be checked: `TypeError`.',
        '         → Run the check again. If that continues, report it with the version.',
        'OK       well: It works.',
        '',
        '1 wrong, 0 warnings, 1 OK, 0 skipped',
        '',
      ].join('\n'),
    );
    expect(exitCodeOf(lines)).toBe(1);
  });

  it('do not wait for one that never ends', async () => {
    const lines = await runChecks([check('endless', () => new Promise(() => undefined)), well], probes, 20);
    expect(lines.map(({ check: id, state, words }) => [id, state, words.markup])).toEqual([
      ['endless', 'wrong', 'This took longer than 1 second.'],
      ['well', 'ok', 'It works.'],
    ]);
  });

  it('give 0 where there are warnings alone', async () => {
    const lines = await runChecks(
      [check('a', async () => [warning(trusted('Soon.'), trusted('Renew it.')), skipped(trusted('Not here.'))]), well],
      probes,
    );
    expect(lines.map(({ state }) => state)).toEqual(['warning', 'skipped', 'ok']);
    expect(exitCodeOf(lines)).toBe(0);
  });
});
