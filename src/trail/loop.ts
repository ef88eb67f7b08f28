import { setTimeout as delay } from 'node:timers/promises';
import { pauses } from '../waits.ts';

/** Pauses after errors during `finish`, in ms. */
const finishing = { first: 100, most: 1_000 };

/** Runs `work`, one call at a time. After an error it pauses for `pauseAfter` ms. */
export function createLoop(work: () => Promise<void>, pauseAfter: (error: unknown) => number) {
  let pausedUntil = 0;
  let isFinishing = false;
  let isEnded = false;
  let running: Promise<boolean> | undefined;

  /** False after an error. */
  async function once(): Promise<boolean> {
    if (isEnded || (!isFinishing && performance.now() < pausedUntil)) return true;
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
    /** Joins a call in progress. Never rejects; false after an error. */
    run,
    isEnded: (): boolean => isEnded,
    /** Ends a pause: what failed may work now. */
    hurry(): void {
      pausedUntil = 0;
    },
    wait: (ms: number): Promise<void> => (isFinishing ? Promise.resolve() : delay(ms, undefined, { ref: false })),
    /** Waits for the call in progress, then runs without pauses until one call succeeds or the loop is closed. */
    async finish(): Promise<void> {
      isFinishing = true;
      await running;
      for (const pause of pauses(finishing)) {
        if (await run()) return;
        await delay(pause, undefined, { ref: false });
      }
    },
    close(): void {
      isEnded = true;
    },
  };
}
