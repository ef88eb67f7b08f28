import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { createDenials, type DenialLimits, type DenialParts } from './denials.ts';

export interface Limits {
  /** Commands, clicks and modals. Neither ten actions a minute nor a pasted page of commands reaches the limit. */
  acting: Rate;
  /** Autocomplete requests, one per key press. Separate, because typing must not use up clicks. */
  typing: Rate;
  people: number;
  denials: DenialLimits;
  questions: number;
  /** How long a question stays open, in ms: plain, when it requires typing, and for an approval after Confirm. */
  open: { plain: number; typed: number; approval?: number };
}

export const defaultLimits: Limits = {
  acting: { atOnce: 40, perSecond: 2 },
  typing: { atOnce: 60, perSecond: 10 },
  people: 10_000,
  denials: { window: 10 * 60_000, alone: 5, people: 100 },
  questions: 10,
  open: { plain: 120_000, typed: 300_000, approval: 900_000 },
};

/** What holds people to these limits. */
export type Limiters = ReturnType<typeof createLimiters>;

export function createLimiters(parts: DenialParts, { acting, typing, people, denials, ...questions }: Limits) {
  return {
    ...questions,
    acting: createBuckets(parts.now, acting, people),
    typing: createBuckets(parts.now, typing, people),
    denials: createDenials(parts, denials),
    /**
     * Limits nobody: after their first answers, eight changes go on in each turn of the event loop, so that the first
     * answers of others come between. One in each turn would leave the ledger too little to write at once.
     */
    turns: pLimit(8),
  };
}

/** A token bucket: its size, and its refill rate. */
interface Rate {
  atOnce: number;
  perSecond: number;
}

/** `told`: refused, and the person should hear why. */
type Taken = 'given' | 'told' | 'refused';

interface Bucket {
  /** How long until the bucket is full again, in ms, measured at `asOf`. */
  debt: number;
  asOf: number;
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

/** Runs one task at a time, in order. Returns undefined at once if too many are waiting. */
export type OneByOne = <T>(work: () => Promise<T>) => Promise<T | undefined>;

/** On a large ledger each task takes seconds. With a few waiting, new ones are refused rather than left to wait. */
export function oneByOne(maxWaiting = 5): OneByOne {
  const limit = pLimit(1);
  return (work) =>
    limit.activeCount + limit.pendingCount > maxWaiting ? Promise.resolve(undefined) : limit(() => work());
}
