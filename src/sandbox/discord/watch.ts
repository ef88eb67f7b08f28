/** Notifies watchers of changes, at most once per turn of the event loop, when a change is complete. */
export interface Watch {
  readonly changed: () => void;
  readonly listen: (listener: () => void) => () => void;
  /** Looks again after every change until `look` finds something. Fails after `ms` with what the channels show. */
  readonly until: <T>(look: () => T | undefined | false, ms: number) => Promise<T>;
  readonly close: () => void;
}

export function makeWatch(describe: () => string): Watch {
  const listeners = new Set<() => void>();
  const giveUps = new Set<(why: string) => void>();
  let notified = true;

  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

  return {
    listen,
    changed() {
      if (!notified) return;
      notified = false;
      queueMicrotask(() => {
        notified = true;
        for (const listener of [...listeners]) listener();
      });
    },
    until<T>(look: () => T | undefined | false, ms: number): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const fail = (why: string) => end(() => reject(new Error(`${why}\nLooked for: ${look}\n\n${describe()}`)));
        const timer = setTimeout(() => fail(`It did not happen within ${ms} ms.`), ms);
        const end = (then: () => void) => {
          clearTimeout(timer);
          stop();
          giveUps.delete(fail);
          then();
        };
        const again = () => {
          try {
            const found = look();
            if (found !== undefined && found !== false) end(() => resolve(found));
          } catch (error) {
            end(() => reject(error));
          }
        };
        const stop = listen(again);
        giveUps.add(fail);
        again();
      });
    },
    close() {
      for (const giveUp of [...giveUps]) giveUp('The sandbox was closed before it happened.');
      listeners.clear();
    },
  };
}
