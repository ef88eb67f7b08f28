/** Discord's ids: 42 bits of milliseconds since 2015, and here a counter. */
const EPOCH = 1_420_070_400_000n;

/** The id after `newest`. Ids always grow, even if the clock stands still or goes back. */
export function idAfter(newest: string, now: number): string {
  const fresh = (BigInt(Math.floor(now)) - EPOCH) << 22n;
  const next = BigInt(newest) + 1n;
  return (fresh > next ? fresh : next).toString();
}

/** Compares two ids by age, oldest first. */
export function byAge(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
