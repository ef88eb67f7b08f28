import type { Redis } from 'ioredis';
import { RedisUnavailable } from '../outcome.ts';

export interface HeartbeatOptions {
  /** How often a process sends a heartbeat, and how long one is valid, in ms. */
  every?: number;
  ttl?: number;
}

const keyOf = (processId: string) => `panelops:alive:${processId}`;

/**
 * Sends heartbeats: at once, every five seconds, and when Redis is back after an outage. The process counts as dead
 * 15 seconds after its last one, or as soon as it stops in order. Never throws.
 */
export function heartbeat(
  redis: Redis,
  processId: string,
  { every = 5_000, ttl = 15_000 }: HeartbeatOptions = {},
): { age(): number; stop(): Promise<void> } {
  const key = keyOf(processId);
  // If Redis does not answer, the next beat tries again.
  let acceptedAt = Number.NEGATIVE_INFINITY;
  const beat = (): void => {
    const sent = performance.now();
    redis.set(key, '1', 'PX', ttl).then(
      () => {
        acceptedAt = sent;
      },
      () => undefined,
    );
  };
  beat();
  const timer = setInterval(beat, every).unref();
  redis.on('ready', beat);
  return {
    /** How long ago Redis accepted the last beat, in ms. */
    age: () => performance.now() - acceptedAt,
    async stop() {
      clearInterval(timer);
      redis.off('ready', beat);
      await redis.del(key).catch(() => undefined);
    },
  };
}

/** Whether any process sends heartbeats to this Redis. */
export async function isUsed(redis: Redis): Promise<boolean> {
  for await (const keys of redis.scanStream({ match: keyOf('*'), count: 1_000 })) if (keys.length > 0) return true;
  return false;
}

/**
 * Those of the given processes whose heartbeat has not expired. A Redis that started less than `ttl` ms ago has lost
 * the heartbeats, so all count as alive until they could send one. Rejects with RedisUnavailable.
 */
export async function alive(
  redis: Redis,
  processIds: readonly string[],
  { ttl = 15_000 }: Pick<HeartbeatOptions, 'ttl'> = {},
): Promise<Set<string>> {
  if (processIds.length === 0) return new Set();
  try {
    const [info, beats] = await Promise.all([
      redis.info('server'),
      redis.mget(processIds.map((processId) => keyOf(processId))),
    ]);
    const up = Number(/^uptime_in_seconds:(\d+)/m.exec(info)?.[1]) * 1_000;
    return new Set(processIds.filter((_id, at) => up < ttl || beats[at] !== null));
  } catch (error) {
    throw new RedisUnavailable(error);
  }
}
