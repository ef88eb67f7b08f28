import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

/** The turn of one process. */
export interface Held {
  /** True once another process may have the turn. */
  lost(): boolean;
  /** Never rejects. */
  release(): Promise<void>;
}

/** In ms. */
const ttl = 10_000;
const renewEvery = 3_000;

const renewScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

const releaseScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`;

/** Takes the one turn of all processes on this Redis; undefined when another has it. Rejects when Redis does not answer. */
export async function take(redis: Redis, key: string): Promise<Held | undefined> {
  const token = randomUUID();
  let good = performance.now() + ttl;
  if ((await redis.set(key, token, 'PX', ttl, 'NX')) === null) return undefined;
  let gone = false;
  const renew = async (): Promise<void> => {
    const sent = performance.now();
    const renewed = await redis.eval(renewScript, 1, key, token, ttl).catch(() => undefined);
    if (renewed === 1) good = sent + ttl;
    // Without an answer, it is lost when its time is over.
    else if (renewed === 0) gone = true;
  };
  const timer = setInterval(renew, renewEvery).unref();
  return {
    lost: () => gone || performance.now() >= good,
    async release() {
      clearInterval(timer);
      await redis.eval(releaseScript, 1, key, token).catch(() => undefined);
    },
  };
}
