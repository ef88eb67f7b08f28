/** How many entries share one note of their times. */
const together = 256;
/** Times in this form are in the order of their texts. */
const usual = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const [lowest, highest] = ['', '~'];

/** When the entries of a ledger were written, roughly. The clock may have gone back between any two. */
export function openTimes() {
  const firsts: string[] = [];
  const lasts: string[] = [];
  return {
    add(index: number, time: string): void {
      const at = Math.floor(index / together);
      const [first = highest, last = lowest] = [firsts[at], lasts[at]];
      const isUsual = time.length === 24 && usual.test(time);
      firsts[at] = isUsual ? (time < first ? time : first) : lowest;
      lasts[at] = isUsual ? (time > last ? time : last) : highest;
    },
    /** Where to look for those from `since` on and before `until`, in ms. */
    span(since: number, until: number, length: number): readonly [from: number, to: number] {
      const [from, to] = [textOf(since) ?? lowest, textOf(until) ?? highest];
      const first = lasts.findIndex((last) => last >= from);
      const last = firsts.findLastIndex((each) => each <= to);
      return first === -1 || last < first
        ? [length, length]
        : [first * together, Math.min(length, (last + 1) * together)];
    },
  };
}

/** Undefined for a time that has no such text. */
const textOf = (ms: number): string | undefined =>
  Math.abs(ms) < 8e15 && ms > 0 ? new Date(ms).toISOString() : undefined;
