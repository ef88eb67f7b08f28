import { beforeEach, expect, it } from 'vitest';
import { openScene, type Scene } from './scene.ts';

/** What is done to a scene in which nothing is wrong, which lines that turns, and with what words. */
export interface Fault {
  what: string;
  /** Gives what else is in the environment. */
  order(scene: Scene): unknown;
  options?: Parameters<Scene['check']>[1];
  bad: string[];
  skipped?: string[];
  says: string;
}

/** A test for each fault: it turns its own line, says what to do, and gives the exit code. */
export function eachTurnsItsLine(faults: readonly Fault[]): void {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene();
  });

  it.each(faults)('turns one line for $what', async ({ order, options, bad, skipped = [], says }) => {
    // A fault that is in the environment returns it, the others nothing.
    const more = ((await order(scene)) ?? {}) as Record<string, string>;
    const said = await scene.check(more, options);
    expect({ bad: said.bad, skipped: said.skipped.toSorted() }, said.text).toEqual({
      bad,
      skipped: skipped.toSorted(),
    });
    expect(said.text).toContain(says);
    expect(said.code).toBe(bad.some((line) => line.startsWith('wrong')) ? 1 : 0);
    const isBad = (state: string): boolean => state === 'wrong' || state === 'warning';
    expect(said.lines.filter(({ state, remedy }) => isBad(state) && remedy === undefined)).toEqual([]);
  });
}
