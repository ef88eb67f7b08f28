/** Random choices that a seed decides. */
export interface Random {
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True so often: 0.25 is every fourth time. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Another one, which what this one is asked does not disturb. */
  fork(): Random;
}

/** Mulberry32: small, and good enough to stir things up. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    chance: (share) => next() < share,
    pick(list) {
      const one = list[between(0, list.length - 1)];
      if (one === undefined) throw new Error('nothing to pick from');
      return one;
    },
    fork: () => randomOf(between(0, 2 ** 31)),
  };
}
