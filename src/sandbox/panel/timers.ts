/** Delayed actions that can be stopped. */
export interface Timers {
  later(ms: number, action: () => void | Promise<void>): void;
  stop(): void;
}

/** Starts empty; `done` is called after each action. */
export function createTimers(done: () => void): Timers {
  const pending = new Set<NodeJS.Timeout>();
  return {
    later(ms, action) {
      const timer = setTimeout(async () => {
        pending.delete(timer);
        await action();
        done();
      }, ms);
      pending.add(timer);
    },
    stop() {
      for (const timer of pending) clearTimeout(timer);
      pending.clear();
    },
  };
}
