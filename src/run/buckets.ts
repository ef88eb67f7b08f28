/** A token bucket: so many at once, and as many a second for good. */
export interface Rate {
  atOnce: number;
  perSecond: number;
}

/** `told`: refused, and it is time to say so. */
export type Taken = 'given' | 'told' | 'refused';

/** Of one person. */
interface Bucket {
  /** How long, in ms, until the bucket is full again, */
  debt: number;
  /** from then on. */
  asOf: number;
  /** When they were told last. */
  told: number;
}

/** How often a person is told that it was too much, in ms. */
const tellEvery = 10_000;

/** A bucket for each person. Who was not seen while so many others were is forgotten: theirs is full. */
export function createBuckets(now: () => number, { atOnce, perSecond }: Rate, people: number) {
  let before = new Map<string, Bucket>();
  let buckets = new Map<string, Bucket>();
  const each = 1_000 / perSecond;
  return {
    take(person: string): Taken {
      const at = now();
      const { debt, asOf, told } = buckets.get(person) ??
        before.get(person) ?? { debt: 0, asOf: at, told: Number.NEGATIVE_INFINITY };
      // A clock that was set back gives nothing, and takes nothing.
      const left = Math.max(0, debt - Math.max(0, at - asOf));
      const isGiven = left + each <= atOnce * each;
      const isTold = !isGiven && Math.abs(at - told) >= tellEvery;
      buckets.set(person, { debt: isGiven ? left + each : left, asOf: at, told: isTold ? at : told });
      if (buckets.size >= people) {
        before = buckets;
        buckets = new Map();
      }
      if (isGiven) return 'given';
      return isTold ? 'told' : 'refused';
    },
  };
}
