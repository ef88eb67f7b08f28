/** Work of one key goes one after the other. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Edits of a message must not overtake each other: one that Discord answers late is sent again by the client, and would come
 * over the one after it.
 */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === settled) last.delete(key);
      });
    last.set(key, settled);
    return mine;
  };
}
