import pLimit from 'p-limit';

/** Does one work at a time, in the order in which they came. Undefined, at once: too many wait already. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T | undefined>;

/** Each takes seconds of a large ledger: beyond a few, people learn at once that they would wait too long. */
export function inTurn(mostWaiting = 5): InTurn {
  const limit = pLimit(1);
  return (work) =>
    limit.activeCount + limit.pendingCount > mostWaiting ? Promise.resolve(undefined) : limit(() => work());
}
