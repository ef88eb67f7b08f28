/** Discord's ids: 42 bits of milliseconds since 2015, then a counter here. */
const EPOCH = 1_420_070_400_000n;

/** Makes ids that always grow, also while the clock stands still or goes back. */
export function snowflakes(now: () => number): () => string {
  let last = 0n;
  return () => {
    const fresh = (BigInt(Math.floor(now())) - EPOCH) << 22n;
    last = fresh > last ? fresh : last + 1n;
    return last.toString();
  };
}

/** Orders two ids by their age, oldest first. */
export function byAge(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** True for text that could be an id: 17 to 20 digits. */
export function isSnowflake(text: string): boolean {
  return /^\d{17,20}$/.test(text);
}
