/** How many entries share one note of their times. */
const together = 256;
const [lowest, highest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** When the entries of a ledger were written, roughly, in ms. The clock may have gone back between any two. */
export function openTimes() {
  const firsts: number[] = [];
  const lasts: number[] = [];
  return {
    /** NaN: it may be any time. */
    add(index: number, time: number): void {
      const at = Math.floor(index / together);
      const [first = highest, last = lowest] = [firsts[at], lasts[at]];
      const isAny = Number.isNaN(time);
      firsts[at] = isAny ? lowest : Math.min(time, first);
      lasts[at] = isAny ? highest : Math.max(time, last);
    },
    /** Where to look for those from `since` on and before `until`. */
    span(since: number, until: number, length: number): readonly [from: number, to: number] {
      const first = lasts.findIndex((last) => last >= since);
      const last = firsts.findLastIndex((each) => each <= until);
      return first === -1 || last < first
        ? [length, length]
        : [first * together, Math.min(length, (last + 1) * together)];
    },
  };
}
