import { defineConfig } from 'vitest/config';
import { leftOut } from './left-out.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes and servers on small, noisy machines: generous, so that a slow machine is not a red test.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', leftOut],
  },
});
