import type { Redis } from 'ioredis';

/** The name of a job that does nothing. When a worker takes it, queue and worker are alive. */
export const canaryName = 'canary';

/** How often the canary is due, in ms. */
export const canaryEvery = 15_000;

/** The key, shared by all processes on one Redis. */
const key = 'panelops:canary';
/** The expiry of the key, in ms: a canary older than a day might as well be unknown. */
const ttl = 86_400_000;

export type Canary = ReturnType<typeof createCanary>;

/** Remembers when the job was last taken, for this process and in Redis for all others. */
export function createCanary(redis: Redis, now: () => number) {
  let own: number | undefined;
  return {
    onTaken(): void {
      own = now();
      // If Redis is down, the next canary is due soon.
      redis.set(key, '1', 'PX', ttl).catch(() => undefined);
    },
    /** When a worker of any process last took the job, in ms by our clock. Undefined if unknown. Never rejects. */
    async last(): Promise<number | undefined> {
      const others = redis.status === 'ready' ? await lastCanary(redis, now).catch(() => undefined) : undefined;
      // Ignore times in the future: after the clock was set back, they would look fresh for too long.
      const known = [own, others].filter((at) => at !== undefined).filter((at) => at <= now());
      return known.length === 0 ? undefined : Math.max(...known);
    },
  };
}

/** When a worker last took the job, by the time that its key has left: clocks of two machines may differ. */
async function lastCanary(redis: Pick<Redis, 'pttl'>, now: () => number): Promise<number | undefined> {
  const left = await redis.pttl(key);
  return left < 0 ? undefined : now() - (ttl - left);
}
