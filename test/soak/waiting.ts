/** How often is looked at what no event tells of, in ms, unless looking is dear. */
const usual = 25;

/**
 * What `look` finds, as soon as it does. Undefined after `ms`: whether that is bad is for the caller to say. A `look` may take its
 * time: the next begins after it.
 */
export function until<T>(look: () => T | Promise<T>, ms: number, interval = usual): Promise<T | undefined> {
  const end = performance.now() + ms;
  return new Promise((resolve, reject) => {
    const attempt = async (): Promise<void> => {
      const found = await look();
      if (found !== undefined && found !== false) return resolve(found);
      if (performance.now() >= end) return resolve(undefined);
      setTimeout(() => attempt().catch(reject), interval);
    };
    attempt().catch(reject);
  });
}

interface Told {
  changed(listener: () => void): () => void;
}

/** Resolves when something has been told so many times by any of these, or after `ms`: a moment that falls between two steps of the bot. */
export function moment(tellers: readonly Told[], times: number, ms: number): Promise<void> {
  return new Promise((resolve) => {
    let left = times;
    const end = (): void => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const stops = tellers.map((each) =>
      each.changed(() => {
        left -= 1;
        if (left === 0) end();
      }),
    );
  });
}
