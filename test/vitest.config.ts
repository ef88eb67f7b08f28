import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { leftOut } from './left-out.ts';

/**
 * Three projects, from the quick to the slow. `--project unit` runs one of them.
 *
 * - `unit`: the parts, each beside its folder in src: no bot, no process, nothing compiled. A redis-server at most.
 * - `conversations`: people who type and click, with the whole bot in the test's process. Needs `npm run build`.
 * - `system`: what a machine does to it. Real processes, a redis-server, a browser, kills. Needs `npm run build`.
 *
 * What tests share is in test/helpers. Nothing is isolated: no module of the project holds state, so that each is
 * imported once a worker. A test that leaves something behind leaves it to the next file: use `onTestFinished`.
 */
export default defineConfig({
  test: {
    projects: [
      project('unit', { include: ['test/**/*.test.ts'], exclude: ['test/{conversations,system}/**'] }),
      project('conversations', { include: ['test/conversations/**/*.test.ts'] }),
      project('system', { include: ['test/system/**/*.test.ts'] }),
    ],
    reporters: ['default', leftOut],
  },
});

function project(name: 'unit' | 'conversations' | 'system', files: { include: string[]; exclude?: string[] }) {
  const cores = availableParallelism();
  return {
    test: {
      ...files,
      name,
      isolate: false,
      setupFiles: ['test/helpers/discord-first.ts'],
      // The parts keep a core busy. Everything else mostly waits: for processes, for a clock, for each other.
      maxWorkers: name === 'unit' ? Math.max(2, cores) : 2 * Math.max(2, cores),
      sequence: { groupOrder: name === 'unit' ? 0 : 1 },
      // Real processes and servers on small, noisy machines: generous, so that a slow machine is not a red test.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 30_000 } },
    },
  };
}
