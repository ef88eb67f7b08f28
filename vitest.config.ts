import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { durations } from './test/durations.ts';
import { leftOut } from './test/left-out.ts';

/**
 * `npm test` runs the quick projects, and `npm run test:deep`, with `--mode deep`, the others: see docs/testing.md. A file
 * belongs to a project by its place.
 *
 * Nothing is isolated: no module of the project holds state, so that each is imported once a worker. What a test leaves
 * behind, it leaves to the next file: let go of it with `onTestFinished` or `afterAll`.
 */
const properties = 'test/**/*.property.test.ts';
const parts = 'test/{audit,check,deploy,discord,follow-ups,redis,sandbox,trail}/**/*.test.ts';

const quick = [
  project('unit', ['test/**/*.test.ts'], [parts, 'test/{conversations,smoke,system}/**', properties]),
  project('parts', [parts], [properties]),
  project('properties', [properties]),
  project('conversations', ['test/conversations/**/*.test.ts']),
  project('smoke', ['test/smoke/*.test.ts']),
];

const inFull = { env: { ALL_RUNS: '1' } };
const deep = [
  project('properties', [properties], [], inFull),
  project('matrices', ['test/conversations/every-command/{rejected,unknown}.test.ts'], [], inFull),
  project('system', ['test/system/**/*.test.ts'], ['test/system/load/**']),
  // A thousand of something, last and alone, because these hold how soon people are answered meanwhile.
  project('load', ['test/system/load/*.test.ts'], [], { maxWorkers: 1, sequence: { groupOrder: 1 } }),
];

export default defineConfig(({ mode }) => ({
  test: { projects: mode === 'deep' ? deep : quick, reporters: ['default', leftOut, durations] },
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
      // One more than there are cores, because tests wait: for processes, for a clock, for each other. More of them only
      // import everything once more, and are slower together.
      maxWorkers: availableParallelism() + 1,
      // Short tests leave much garbage: collecting it less often takes a twelfth of the time off.
      execArgv: ['--max-semi-space-size=64'],
      ...{ testTimeout: patience, hookTimeout: patience },
      expect: { poll: { timeout: 30_000 } },
      ...differs,
    },
  };
}
