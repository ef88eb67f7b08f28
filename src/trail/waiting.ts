/** How long the oldest entry that is not in the channel has waited, in ms. */
export type Waiting = (oldest: { seq: number; time: string }) => number;

/**
 * The longer of two ages: by the wall clock, and since this process first saw the entry. A clock that is set back
 * cannot shorten the wait.
 */
export function createWaiting(now: () => number): Waiting {
  let seen = { seq: 0, since: 0 };
  return ({ seq, time }) => {
    if (seen.seq !== seq) seen = { seq, since: performance.now() };
    return Math.max(now() - Date.parse(time), performance.now() - seen.since);
  };
}
