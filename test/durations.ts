import { mkdirSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

const file = new URL('../dist/test-durations.tsv', import.meta.url);

/** Writes how long each file of the last run took, slowest first: the ms of its tests, and those of what it imports. */
export const durations: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]) {
    const lines = modules
      .map((module) => ({ module, ...module.diagnostic() }))
      .toSorted((a, b) => b.duration - a.duration)
      .map(({ module, duration, collectDuration, setupDuration }) =>
        [
          Math.round(duration),
          Math.round(collectDuration + setupDuration),
          module.project.name,
          module.relativeModuleId,
        ].join('\t'),
      );
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, ['tests\timports\tproject\tfile', ...lines, ''].join('\n'));
  },
};
