import { setTimeout as delay } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../outcome.ts';
import { RedisUnavailable } from '../outcome.ts';
import { refusalOf } from './refusal.ts';

/** A connection that reconnects by itself; during an outage commands fail instead of waiting. */
export interface RedisHandle {
  redis: Redis;
  /** Resolves once the connection is ready. Rejects with RedisUnavailable after `wait` ms (default 5,000). */
  ready(wait?: number): Promise<void>;
  /** Calls `callBack` whenever the connection is back after an outage: Redis may have lost its data. */
  onReturn(callBack: () => void): void;
  /** Takes at most a second, whatever the state of Redis. */
  close(): Promise<void>;
}

/** At most a second; the random part keeps several bots from reconnecting in step. */
const reconnectAfter = (attempt: number) => Math.min(1_000, 50 * 2 ** Math.min(attempt, 5)) * (0.5 + Math.random() / 2);

const commandTimeout = 3_000;
/** How long a connection may stay silent after a command, and how often to ping it, in ms. */
const silenceTimeout = 2_250;
const pingEvery = 500;

/** Commands fail at once while Redis is down, and after three seconds when it times out. */
const forCommands = {
  maxRetriesPerRequest: 1,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  commandTimeout: commandTimeout,
  socketTimeout: silenceTimeout,
} satisfies RedisOptions;

/** Commands wait without limit, as BullMQ requires for its workers. */
const forWorker = { maxRetriesPerRequest: null } satisfies RedisOptions;

/**
 * Connects to `redis://[user[:password]@]host:port[/db]`, or `rediss://`. Commands time out after 3 seconds. A
 * command whose connection broke fails and is not sent again: a claim sent twice would collide with itself. A
 * silent connection is dropped before those 3 seconds are over, so that of many commands in a row only the first waits
 * for a frozen Redis. With `forWorker`, commands wait until Redis answers.
 */
export function connectRedis(url: string, log: Log, use: 'forCommands' | 'forWorker' = 'forCommands'): RedisHandle {
  const behavior = use === 'forCommands' ? forCommands : forWorker;
  const redis = new Redis(url, { retryStrategy: reconnectAfter, connectTimeout: commandTimeout, ...behavior });
  const ping = () => {
    if (redis.status === 'ready') redis.ping().catch(() => undefined);
  };
  const pinging = use === 'forCommands' ? setInterval(ping, pingEvery).unref() : undefined;
  const callBacks: (() => void)[] = [];
  let up: boolean | undefined;
  let refusal: ReturnType<typeof refusalOf>;
  // Log only the code and the first word: an AUTH error carries the password among its arguments.
  redis.on('error', (error: Error & { code?: string }) => {
    refusal = refusalOf(error);
    if (up === false) return;
    up = false;
    log.warn({ problem: error.code ?? error.message.split(' ')[0] }, refusal?.problem ?? 'Redis cannot be reached');
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
    ready: (wait = 5_000) => untilReady(redis, wait, () => new RedisUnavailable(undefined, refusal)),
    onReturn: (callBack) => void callBacks.push(callBack),
    async close() {
      clearInterval(pinging);
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
