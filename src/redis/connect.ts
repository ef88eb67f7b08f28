import { setTimeout as delay } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../outcome.ts';
import { RedisUnavailable } from '../outcome.ts';
import { whyOf } from './why.ts';

/** A connection that reconnects by itself; during an outage commands fail instead of waiting. */
export interface RedisHandle {
  redis: Redis;
  /** Resolves once the connection is ready; rejects with RedisUnavailable, which says why, after `wait` ms (default 5,000). */
  ready(wait?: number): Promise<void>;
  /** Calls `callBack` whenever the connection is back after an outage: Redis may have lost its data. */
  onReturn(callBack: () => void): void;
  /** Takes at most a second, whatever the state of Redis. */
  close(): Promise<void>;
}

/** At most a second; the random part keeps several bots from reconnecting in step. */
const reconnectAfter = (attempt: number) => Math.min(1_000, 50 * 2 ** Math.min(attempt, 5)) * (0.5 + Math.random() / 2);

const patience = 3_000;
/** How long a connection may stay silent after a command, and how often it is probed, in ms. */
const silence = 2_250;
const pulse = 500;

/** Commands fail at once while Redis is down, and after three seconds when it times out. */
const quick = {
  maxRetriesPerRequest: 1,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  commandTimeout: patience,
  socketTimeout: silence,
} satisfies RedisOptions;

/** Commands wait without limit, as BullMQ requires for its workers. */
const patient = { maxRetriesPerRequest: null } satisfies RedisOptions;

/**
 * Connects to `redis://[user[:password]@]host:port[/db]`, or `rediss://`. Commands time out after 3 seconds. A
 * command whose connection broke fails and is not sent again: a claim sent twice would collide with itself. A
 * connection that has timed out is dropped before those 3 seconds are over, so that of many commands in a row only
 * the first waits for a frozen Redis. None of that holds `forWorker`: there commands wait until they are answered.
 */
export function connectRedis(url: string, log: Log, use: 'forCommands' | 'forWorker' = 'forCommands'): RedisHandle {
  const manner = use === 'forCommands' ? quick : patient;
  const redis = new Redis(url, { retryStrategy: reconnectAfter, connectTimeout: patience, ...manner });
  const beat = () => {
    if (redis.status === 'ready') redis.ping().catch(() => undefined);
  };
  const beating = use === 'forCommands' ? setInterval(beat, pulse).unref() : undefined;
  const callBacks: (() => void)[] = [];
  let up: boolean | undefined;
  let why: ReturnType<typeof whyOf>;
  // Log only the code and the first word: an AUTH error carries the password among its arguments.
  redis.on('error', (error: Error & { code?: string }) => {
    why = whyOf(error);
    if (up === false) return;
    up = false;
    log.warn({ problem: error.code ?? error.message.split(' ')[0] }, why?.problem ?? 'Redis cannot be reached');
  });
  redis.on('close', () => {
    if (up !== true) return;
    up = false;
    log.warn({}, 'Redis connection lost');
  });
  redis.on('ready', () => {
    const back = up === false;
    up = true;
    if (!back) return;
    log.info({}, 'Redis is back');
    for (const callBack of callBacks) callBack();
  });
  return {
    redis,
    ready: (wait = 5_000) => untilReady(redis, wait, () => new RedisUnavailable(undefined, why)),
    onReturn: (callBack) => void callBacks.push(callBack),
    async close() {
      clearInterval(beating);
      up = undefined;
      if (redis.status === 'ready') await Promise.race([redis.quit().catch(() => undefined), delay(1_000)]);
      redis.disconnect();
    },
  };
}

function untilReady(redis: Redis, wait: number, unavailable: () => RedisUnavailable): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const onReady = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      redis.off('ready', onReady);
      reject(unavailable());
    }, wait);
    redis.once('ready', onReady);
  });
}
