/** What happens later, unless it is stopped before. */
export interface Timers {
  later(ms: number, action: () => void | Promise<void>): void;
  stop(): void;
}

/** No timers yet; `done` is called after each action. */
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
