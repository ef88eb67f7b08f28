import { setTimeout as delay } from 'node:timers/promises';

/** Does `work` one at a time. After an error it pauses for as many ms as `pauseAfter` says. */
export function createLoop(work: () => Promise<void>, pauseAfter: (error: unknown) => number) {
  let pausedUntil = 0;
  let isHurried = false;
  let isEnded = false;
  let running: Promise<void> | undefined;

  async function once(): Promise<void> {
    if (isEnded || (!isHurried && performance.now() < pausedUntil)) return;
    try {
      await work();
    } catch (error) {
      pausedUntil = performance.now() + pauseAfter(error);
    }
  }

  function run(): Promise<void> {
    running ??= once().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    /** Joins what is under way. Never rejects. */
    run,
    isEnded: (): boolean => isEnded,
    wait: (ms: number): Promise<void> => (isHurried ? Promise.resolve() : delay(ms, undefined, { ref: false })),
    /** Works without pauses, once more after what is under way. */
    async finish(): Promise<void> {
      isHurried = true;
      await running;
      await run();
    },
    close(): void {
      isEnded = true;
    },
  };
}
