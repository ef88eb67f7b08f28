import type { Redis } from 'ioredis';
import { RedisUnavailable } from '../outcome.ts';

export interface HeartbeatOptions {
  /** How often a process shows itself, and how long that holds, in ms. */
  every?: number;
  ttl?: number;
}

const keyOf = (processId: string) => `panelops:alive:${processId}`;

/**
 * Shows that this process lives: at once, every five seconds, and as soon as Redis is back after an outage. It counts as
 * dead 15 seconds after the last of these, or as soon as it stops in order. Never throws.
 */
export function heartbeat(
  redis: Redis,
  processId: string,
  { every = 5_000, ttl = 15_000 }: HeartbeatOptions = {},
): { age(): number; stop(): Promise<void> } {
  const key = keyOf(processId);
  // While Redis does not answer, the next beat tries again.
  let shown = Number.NEGATIVE_INFINITY;
  const beat = (): void => {
    const sent = performance.now();
    redis.set(key, '1', 'PX', ttl).then(
      () => {
        shown = sent;
      },
      () => undefined,
    );
  };
  beat();
  const timer = setInterval(beat, every).unref();
  redis.on('ready', beat);
  return {
    /** How long ago Redis took the last beat, in ms. */
    age: () => performance.now() - shown,
    async stop() {
      clearInterval(timer);
      redis.off('ready', beat);
      await redis.del(key).catch(() => undefined);
    },
  };
}

/**
 * The processes of these that have shown themselves in time. A Redis that came up less than `ttl` ms ago cannot know, so that
 * all count as alive: after an outage nobody is taken for dead before they could come back. Rejects with RedisUnavailable.
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
