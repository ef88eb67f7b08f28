/** For how long entries have waited, by the clock and by what this process has seen. */
export interface Waiting {
  /** There are so many entries by now. */
  saw(length: number): void;
  /** In ms: how long an entry has waited, of which all before are in the channel. */
  of(entry: { seq: number; time: string }): number;
}

/** A clock that goes back, or a process that starts again and again, makes no wait shorter: the longer of both counts. */
export function createWaiting(now: () => number): Waiting {
  /** When there were first so many entries, in ms of the process. */
  let marks: { length: number; at: number }[] = [];
  return {
    saw(length) {
      const last = marks.at(-1);
      // A ledger that was read anew may be shorter.
      if (last !== undefined && length < last.length) marks = [];
      if (last?.length !== length) marks.push({ length, at: performance.now() });
    },
    of({ seq, time }) {
      while (marks[0] !== undefined && marks[0].length < seq) marks.shift();
      const seen = marks[0];
      return Math.max(now() - Date.parse(time), seen === undefined ? 0 : performance.now() - seen.at);
    },
  };
}
