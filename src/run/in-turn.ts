/** Does one work at a time, in the order of their coming. Undefined, at once: too many wait already. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T | undefined>;

/** Of a large ledger each takes seconds: whoever would wait for more than a few is told so. */
export function inTurn(mostWaiting = 5): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  let present = 0;
  return async (work) => {
    if (present > mostWaiting) return undefined;
    present += 1;
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      present -= 1;
    }
  };
}
