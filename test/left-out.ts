import type { Reporter, TestModule } from 'vitest/node';

const debian = (name: string): string => `Debian: apt-get install ${name}`;

/** How to have what tests need. */
const remedies: Readonly<Record<string, string>> = {
  'redis-server': debian('redis-server'),
  'valkey-server': debian('valkey-server'),
  promtool: debian('prometheus'),
  'prometheus-alertmanager': debian('prometheus-alertmanager'),
  script: debian('bsdutils'),
  'systemd-analyze': debian('systemd'),
  root: 'it has several accounts; run this as root',
};

/** Says last of all which tests were left out because something is not here: those whose title ends with `(needs …)`. */
export const leftOut: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    for (const [need, remedy] of Object.entries(remedies)) {
      const titles = modules.flatMap((module) =>
        [...module.children.suites()]
          .filter((suite) => suite.name.endsWith(`(needs ${need})`) && suite.state() === 'skipped')
          .map((suite) => `  ${module.relativeModuleId}: ${suite.name}`),
      );
      if (titles.length === 0) continue;
      process.stdout.write(`\nLeft out for want of ${need} (${remedy}):\n${titles.join('\n')}\n`);
    }
  },
};
