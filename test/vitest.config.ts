import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { leftOut } from './left-out.ts';

/**
 * Five projects. `npm run check` runs the first one, `npm test` all; `--project system` or a path runs less.
 *
 * - `unit`: the parts, each in the folder that mirrors its own in src. No bot, no process, nothing compiled; a redis-server
 *   at most. A change is judged in half a minute.
 * - `random`: properties of the parts, over histories made by chance. They compute for a while.
 * - `conversations`: people who type and click, with the whole bot in the test's process. Needs `npm run build`.
 * - `system`: what machines and strangers do to it. Real processes, a redis-server, a browser, kills. Needs `npm run build`.
 * - `load`: a thousand of something. They run last and alone, because they hold how soon people are answered meanwhile.
 *
 * What tests share is in test/helpers. Nothing is isolated: no module of the project holds state, so that each is imported
 * once a worker. What a test leaves behind, it leaves to the next file: let go of it with `onTestFinished` or `afterAll`.
 */
const names: readonly string[] = ['random', 'unit', 'system', 'conversations', 'load'];
const random = 'test/**/*.property.test.ts';
const turns: Readonly<Record<string, number>> = { unit: 0, random: 0, load: 2 };

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/**/*.test.ts'], ['test/{conversations,system}/**', random]),
      project('random', [random], []),
      project('system', ['test/system/**/*.test.ts'], ['test/system/load/**']),
      project('conversations', ['test/conversations/**/*.test.ts']),
      project('load', ['test/system/load/*.test.ts']),
    ],
    sequence: { sequencer: slowFirst() },
    reporters: ['default', leftOut],
  },
});

function project(name: string, include: string[], exclude: string[] = []) {
  const cores = availableParallelism();
  const patience = name === 'unit' ? 60_000 : 180_000;
  return {
    test: {
      ...{ name, include, exclude, isolate: false, setupFiles: ['test/helpers/discord-first.ts'] },
      // One more than there are cores, because tests wait: for processes, for a clock, for each other. More of them only
      // import everything once more, and are slower together.
      maxWorkers: name === 'load' ? 1 : cores + 1,
      sequence: { groupOrder: turns[name] ?? 1 },
      // Short tests leave much garbage: collecting it less often takes a twelfth of the time off.
      execArgv: ['--max-semi-space-size=64'],
      // Real processes and servers on small, noisy machines: generous, so that a slow machine is not a red test.
      ...{ testTimeout: patience, hookTimeout: patience },
      expect: { poll: { timeout: 30_000 } },
    },
  };
}

/** What takes longest to its end begins first, so that the short files fill what is left. */
function slowFirst() {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const place = ({ project }: TestSpecification): number => names.indexOf(project.name);
      return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
    }
  };
}
