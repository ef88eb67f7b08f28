import type { Reporter, TestModule } from 'vitest/node';
import { needsRedisServer } from './helpers/redis-server.ts';

/** Says last of all which tests were left out because there is no redis-server here. */
export const leftOut: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const titles = modules.flatMap((module) =>
      [...module.children.suites()]
        .filter((suite) => suite.name.endsWith(needsRedisServer) && suite.state() === 'skipped')
        .map((suite) => `  ${module.relativeModuleId}: ${suite.name}`),
    );
    if (titles.length === 0) return;
    process.stdout.write(
      `\nLeft out for want of redis-server (Debian: apt-get install redis-server):\n${titles.join('\n')}\n`,
    );
  },
};
