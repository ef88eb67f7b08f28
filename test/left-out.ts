import type { Reporter, TestModule } from 'vitest/node';

/** Which package of Debian has a program that tests need. */
const packages: Readonly<Record<string, string>> = {
  'redis-server': 'redis-server',
  'valkey-server': 'valkey-server',
  promtool: 'prometheus',
  script: 'bsdutils',
  'systemd-analyze': 'systemd',
};

/** Says last of all which tests were left out because a program is not here: those whose title ends with `(needs …)`. */
export const leftOut: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    for (const [program, debian] of Object.entries(packages)) {
      const titles = modules.flatMap((module) =>
        [...module.children.suites()]
          .filter((suite) => suite.name.endsWith(`(needs ${program})`) && suite.state() === 'skipped')
          .map((suite) => `  ${module.relativeModuleId}: ${suite.name}`),
      );
      if (titles.length === 0) continue;
      process.stdout.write(
        `\nLeft out for want of ${program} (Debian: apt-get install ${debian}):\n${titles.join('\n')}\n`,
      );
    }
  },
};
