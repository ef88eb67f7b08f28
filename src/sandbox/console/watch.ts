export interface Watch {
  changes(): number;
  /** Calls `look` now and after every change until it is true, for at most `ms`; false then, or on closing. */
  until(look: () => boolean, ms: number): Promise<boolean>;
}

export function makeWatch(changed: (listener: () => void) => () => void, closed: AbortSignal): Watch {
  let changes = 0;
  const stop = changed(() => {
    changes += 1;
  });
  closed.addEventListener('abort', stop);

  return {
    changes: () => changes,
    until(look, ms) {
      if (look() || closed.aborted) return Promise.resolve(!closed.aborted);
      return new Promise((resolve) => {
        const end = (found: boolean) => {
          clearTimeout(timer);
          stopLooking();
          closed.removeEventListener('abort', giveUp);
          resolve(found);
        };
        const giveUp = () => end(false);
        const timer = setTimeout(giveUp, ms);
        const stopLooking = changed(() => {
          if (look()) end(true);
        });
        closed.addEventListener('abort', giveUp);
      });
    },
  };
}
