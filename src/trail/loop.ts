import { setTimeout as delay } from 'node:timers/promises';

/** After an error, where there is no time to lose, in ms. */
const hurriedPause = 100;

/** Does `work` one at a time. After an error it pauses for as many ms as `pauseAfter` says. */
export function createLoop(work: () => Promise<void>, pauseAfter: (error: unknown) => number) {
  let pausedUntil = 0;
  let isHurried = false;
  let isEnded = false;
  let running: Promise<boolean> | undefined;

  /** False after an error. */
  async function once(): Promise<boolean> {
    if (isEnded || (!isHurried && performance.now() < pausedUntil)) return true;
    try {
      await work();
      return true;
    } catch (error) {
      pausedUntil = performance.now() + pauseAfter(error);
      return false;
    }
  }

  function run(): Promise<boolean> {
    running ??= once().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    /** Joins what is under way. Never rejects; false after an error. */
    run,
    isEnded: (): boolean => isEnded,
    wait: (ms: number): Promise<void> => (isHurried ? Promise.resolve() : delay(ms, undefined, { ref: false })),
    /** Works without pauses, once more after what is under way, and after each error until it is closed. */
    async finish(): Promise<void> {
      isHurried = true;
      await running;
      while (!(await run())) await delay(hurriedPause, undefined, { ref: false });
    },
    close(): void {
      isEnded = true;
    },
  };
}
