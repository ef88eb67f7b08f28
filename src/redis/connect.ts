import { Redis } from 'ioredis';
import type { Log } from '../outcome.ts';
import { RedisUnavailable } from '../outcome.ts';

/** A connection that looks after itself: it comes back after an outage, and commands fail meanwhile instead of waiting. */
export interface RedisHandle {
  redis: Redis;
  /** Resolves once commands can be sent; rejects with RedisUnavailable when that takes longer than `wait` ms (5,000). */
  ready(wait?: number): Promise<void>;
  close(): Promise<void>;
}

/** Grows to two seconds at most; the random part keeps several bots from coming back in step. */
const reconnectAfter = (attempt: number) => Math.min(2_000, 50 * 2 ** Math.min(attempt, 6)) * (0.5 + Math.random() / 2);

/**
 * Connects to `redis://[user[:password]@]host:port[/db]`, or `rediss://`. Answers are waited for 3 seconds. A command whose
 * connection broke fails and is not sent again: sent twice, a claim would meet itself.
 */
export function connectRedis(url: string, log: Log): RedisHandle {
  const redis = new Redis(url, {
    retryStrategy: reconnectAfter,
    maxRetriesPerRequest: 1,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
  });
  let up: boolean | undefined;
  // Only code and the first word go to the log: an error of AUTH carries the password among its arguments.
  redis.on('error', (error: Error & { code?: string }) => {
    if (up === false) return;
    up = false;
    log.warn({ problem: error.code ?? error.message.split(' ')[0] }, 'Redis cannot be reached');
  });
  redis.on('close', () => {
    if (up !== true) return;
    up = false;
    log.warn({}, 'the connection to Redis is gone');
  });
  redis.on('ready', () => {
    if (up === false) log.info({}, 'Redis is back');
    up = true;
  });
  return {
    redis,
    ready: (wait = 5_000) => untilReady(redis, wait),
    async close() {
      up = undefined;
      if (redis.status !== 'ready') return redis.disconnect();
      await redis.quit().catch(() => redis.disconnect());
    },
  };
}

function untilReady(redis: Redis, wait: number): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const onReady = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      redis.off('ready', onReady);
      reject(new RedisUnavailable());
    }, wait);
    redis.once('ready', onReady);
  });
}
