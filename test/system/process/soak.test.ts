import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { root } from '../../helpers/house.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { readOptions } from '../../soak/options.ts';
import { type Plan, soak } from '../../soak/run.ts';
import { idle } from '../../soak/tally.ts';

/** A short world, of the kind of which `npm run soak` makes many. */
const short = { commands: 24, ms: 7_000, linger: 1, rest: 60_000 };

async function lived(plan: Plan): Promise<void> {
  const { stories, tally } = await soak(plan);
  expect(stories.join('\n\n')).toBe('');
  expect(tally.counts.get(idle)).toBe(0);
  expect(tally.counts.get('runs')).toBeGreaterThan(0);
}

describe('people, faults and deaths, all at once,', () => {
  it('leave ledger, panel and cards of one mind: a ledger in a file, an embedded Redis', () =>
    lived({
      seed: 11,
      mode: { ledger: 'file', redis: 'embedded', processes: 1, audit: true, tls: false },
      ...short,
    }));
});

describeWithRedisServer('people, faults and deaths, all at once,', () => {
  it('leave ledger, panel and cards of one mind: a ledger in Redis, three processes', () =>
    lived({ seed: 12, mode: { ledger: 'redis', redis: 'server', processes: 3, audit: true, tls: false }, ...short }));
});

describe('npm run soak', () => {
  it('is a program of its own, and says how it is used', async () => {
    const run = promisify(execFile);
    await run(join(root, 'node_modules/.bin/tsc'), ['-p', 'test/soak'], { cwd: root });
    await expect(run('node', ['dist/test/soak/main.js', '--ledger', 'paper'], { cwd: root })).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--ledger paper: write file, redis or both\nusage: '),
    });
  });

  it('takes what its usage says', () => {
    expect(readOptions(['--seeds', '3', '--minutes', '2', '--ledger', 'file'])).toEqual({
      seeds: [1, 2, 3],
      minutes: 2,
      ledger: 'file',
    });
    expect(readOptions(['--seed', '17', '--processes', '3', '--ledger', 'redis'])).toMatchObject({
      seeds: [17],
      ledger: 'redis',
      processes: 3,
    });
  });

  it.each([
    [['--processes', '4'], '--processes 4: write 1, 2 or 3'],
    [['--seeds', 'many'], '--seeds many: write a number from 1 to 100000'],
    [['--ledger', 'file', '--processes', '2'], '--processes 2: a ledger in a file is for one process'],
    [['--sedes', '3'], "Unknown option '--sedes'"],
  ])('refuses %j', (args, problem) => {
    expect(() => readOptions(args)).toThrow(problem);
  });
});
