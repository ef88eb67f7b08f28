import type { Redis } from 'ioredis';

/** The name of the job. It does nothing: that a worker takes it shows that queue and worker live. */
export const canaryName = 'canary';

/** How often it is due, in ms. */
export const canaryEvery = 15_000;

/** The key that all processes on one Redis share. */
const key = 'panelops:canary';
/** How long the key is kept, in ms: after a day it makes no difference how long ago it was. */
const kept = 86_400_000;

export interface Canary {
  /** A worker took the job. */
  taken(): void;
  /** When a worker of any process last took it, in ms by our clock; undefined: that is not known. Never rejects. */
  last(): Promise<number | undefined>;
}

/** Remembers when the job was last taken, for this process and in Redis for all others. */
export function createCanary(redis: Redis, now: () => number): Canary {
  let own: number | undefined;
  return {
    taken() {
      own = now();
      // Where Redis does not take it, the next one is soon.
      redis.set(key, '1', 'PX', kept).catch(() => undefined);
    },
    async last() {
      const others = redis.status === 'ready' ? await lastCanary(redis, now).catch(() => undefined) : undefined;
      // After a clock was set back, what lies in the future would count as fresh for as long.
      const known = [own, others].filter((at) => at !== undefined).filter((at) => at <= now());
      return known.length === 0 ? undefined : Math.max(...known);
    },
  };
}

/**
 * When a worker last took the job, as Redis knows it. Its expiry tells the age: clocks of two machines may differ.
 * Rejects where Redis does not answer.
 */
async function lastCanary(redis: Pick<Redis, 'pttl'>, now: () => number): Promise<number | undefined> {
  const left = await redis.pttl(key);
  return left < 0 ? undefined : now() - (kept - left);
}
