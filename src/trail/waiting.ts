/** For how long the oldest entry that is not in the channel has waited, in ms. */
export type Waiting = (oldest: { seq: number; time: string }) => number;

/** A clock that goes back makes no wait shorter: the longer counts of what it says, and what this process has seen. */
export function createWaiting(now: () => number): Waiting {
  let seen = { seq: 0, since: 0 };
  return ({ seq, time }) => {
    if (seen.seq !== seq) seen = { seq, since: performance.now() };
    return Math.max(now() - Date.parse(time), performance.now() - seen.since);
  };
}
