import { LRUCache } from 'lru-cache';

/** A token bucket: its size, and its refill rate. */
export interface Rate {
  atOnce: number;
  perSecond: number;
}

/** `told`: refused, and the person should hear why. */
export type Taken = 'given' | 'told' | 'refused';

/** One person's bucket. */
interface Bucket {
  /** How long until the bucket is full again, in ms, measured at `asOf`. */
  debt: number;
  asOf: number;
  /** When the person was last told. */
  told: number;
}

/** At most this often, in ms, a person hears that they are over the limit. */
const tellEvery = 10_000;

/** A bucket for each person. Forgets people not seen while `people` others were: their buckets are full. */
export function createBuckets(now: () => number, { atOnce, perSecond }: Rate, people: number) {
  const buckets = new LRUCache<string, Bucket>({ max: people });
  const each = 1_000 / perSecond;
  return {
    take(person: string): Taken {
      const at = now();
      const { debt, asOf, told } = buckets.get(person) ?? { debt: 0, asOf: at, told: Number.NEGATIVE_INFINITY };
      // A clock that is set back neither refills nor drains a bucket.
      const left = Math.max(0, debt - Math.max(0, at - asOf));
      const isGiven = left + each <= atOnce * each;
      const isTold = !isGiven && Math.abs(at - told) >= tellEvery;
      buckets.set(person, { debt: isGiven ? left + each : left, asOf: at, told: isTold ? at : told });
      if (isGiven) return 'given';
      return isTold ? 'told' : 'refused';
    },
  };
}
