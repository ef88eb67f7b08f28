import pLimit from 'p-limit';

/** Runs one task at a time, in order. Returns undefined at once if too many are waiting. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T | undefined>;

/** On a large ledger each task takes seconds. With a few waiting, new ones are refused rather than left to wait. */
export function inTurn(maxWaiting = 5): InTurn {
  const limit = pLimit(1);
  return (work) =>
    limit.activeCount + limit.pendingCount > maxWaiting ? Promise.resolve(undefined) : limit(() => work());
}
