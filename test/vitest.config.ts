import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { leftOut } from './left-out.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They mostly wait: with one worker, which a machine of two cores would get, all of it takes twice as long.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Real processes and servers on small, noisy machines: generous, so that a slow machine is not a red test.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', leftOut],
  },
});
