import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { durations } from './test/durations.ts';
import { leftOut } from './test/left-out.ts';

/**
 * `npm test` runs `unit` and `bot`, and `npm run test:deep`, with `--mode deep`, the others: see docs/testing.md. A file
 * belongs to a project by its place. There are few of them, because each project's workers import the bot anew.
 *
 * Nothing is isolated: no module of the project holds state, so that each is imported once a worker. What a test leaves
 * behind, it leaves to the next file: let go of it with `onTestFinished` or `afterAll`.
 */
const properties = 'test/**/*.property.test.ts';
const parts =
  'test/{audit,chart,check,cli,deploy,discord,follow-ups,ledger,on-call,panel,redis,sandbox,trail}/**/*.test.ts';
const whole = 'test/{conversations,smoke}/**/*.test.ts';
const deep = 'test/system/**/*.test.ts';
const load = 'test/system/load/*.test.ts';
const matrices = 'test/conversations/every-command/{rejected,unknown}.test.ts';

const quickProjects = [
  project('unit', ['test/**/*.test.ts'], [parts, whole, deep, properties]),
  project('bot', [parts, whole, properties]),
];

const deepProjects = [
  project('system', [deep, properties, matrices], [load], { env: { ALL_RUNS: '1' } }),
  // A thousand of something, last and alone, because these hold how soon people are answered meanwhile.
  project('load', [load], [], { maxWorkers: 1, sequence: { groupOrder: 1 } }),
];

export default defineConfig(({ mode }) => ({
  test: { projects: mode === 'deep' ? deepProjects : quickProjects, reporters: ['default', leftOut, durations] },
}));

function project(
  name: string,
  include: string[],
  exclude: string[] = [],
  differs: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  // Real processes and servers on small, noisy machines: generous, so that a slow machine is not a red test.
  const patience = name === 'unit' ? 60_000 : 180_000;
  return {
    test: {
      ...{ name, include, exclude, isolate: false, setupFiles: ['test/setup.ts'] },
      // Twice as many as there are cores, because tests wait: for processes, for a clock, for each other.
      maxWorkers: 2 * availableParallelism(),
      // Short tests leave much garbage: collecting it less often takes a twelfth of the time off.
      execArgv: ['--max-semi-space-size=64'],
      ...{ testTimeout: patience, hookTimeout: patience },
      expect: { poll: { timeout: 30_000 } },
      ...differs,
    },
  };
}
