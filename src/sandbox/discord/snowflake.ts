/** Discord's ids: 42 bits of milliseconds since 2015, then a counter here. */
const EPOCH = 1_420_070_400_000n;

/** The id after the `newest`: they always grow, also while the clock stands still or goes back. */
export function idAfter(newest: string, now: number): string {
  const fresh = (BigInt(Math.floor(now)) - EPOCH) << 22n;
  const next = BigInt(newest) + 1n;
  return (fresh > next ? fresh : next).toString();
}

/** Orders two ids by their age, oldest first. */
export function byAge(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
