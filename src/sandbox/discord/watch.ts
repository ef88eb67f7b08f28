/** Tells watchers of news, at most once a turn, when everything that belongs together has happened. */
export interface Watch {
  readonly changed: () => void;
  readonly listen: (listener: () => void) => () => void;
  /** Looks again on every change until something is there; fails after `ms`, saying what the channels show. */
  readonly until: <T>(look: () => T | undefined | false, ms: number) => Promise<T>;
  readonly close: () => void;
}

export function makeWatch(describe: () => string): Watch {
  const listeners = new Set<() => void>();
  const giveUps = new Set<(why: string) => void>();
  let told = true;

  const listen = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

  return {
    listen,
    changed() {
      if (!told) return;
      told = false;
      queueMicrotask(() => {
        told = true;
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
