import { setTimeout as delay } from 'node:timers/promises';
import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../outcome.ts';
import { RedisUnavailable } from '../outcome.ts';

/** A connection that looks after itself: it comes back after an outage, and commands fail meanwhile instead of waiting. */
export interface RedisHandle {
  redis: Redis;
  /** Resolves once commands can be sent; rejects with RedisUnavailable when that takes longer than `wait` ms (5,000). */
  ready(wait?: number): Promise<void>;
  /** Calls back each time commands can be sent again after an outage: what Redis held may be gone. */
  onReturn(callBack: () => void): void;
  /** Takes a second at most, whatever state Redis is in. */
  close(): Promise<void>;
}

/** Grows to a second at most; the random part keeps several bots from coming back in step. */
const reconnectAfter = (attempt: number) => Math.min(1_000, 50 * 2 ** Math.min(attempt, 5)) * (0.5 + Math.random() / 2);

const patience = 3_000;
/** How long a connection may be silent after a command, and how often there is one, in ms. */
const silence = 2_250;
const pulse = 500;

/** Commands fail at once while Redis is away, and after three seconds when it falls silent. */
const quick = {
  maxRetriesPerRequest: 1,
  autoResendUnfulfilledCommands: false,
  enableOfflineQueue: false,
  commandTimeout: patience,
  socketTimeout: silence,
} satisfies RedisOptions;

/** Commands wait, however long: what BullMQ wants for its workers. */
const patient = { maxRetriesPerRequest: null } satisfies RedisOptions;

/**
 * Connects to `redis://[user[:password]@]host:port[/db]`, or `rediss://`. Answers are waited for 3 seconds. A command whose
 * connection broke fails and is not sent again: sent twice, a claim would meet itself. A connection that has timed out is
 * given up before those 3 seconds are over, so that of many commands in a row, on whatever connection, only the first waits
 * for a Redis that is frozen. All of that is not so with `forWorker`: there commands wait until they have been answered.
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
    const back = up === false;
    up = true;
    if (!back) return;
    log.info({}, 'Redis is back');
    for (const callBack of callBacks) callBack();
  });
  return {
    redis,
    ready: (wait = 5_000) => untilReady(redis, wait),
    onReturn: (callBack) => void callBacks.push(callBack),
    async close() {
      clearInterval(beating);
      up = undefined;
      if (redis.status === 'ready') await Promise.race([redis.quit().catch(() => undefined), delay(1_000)]);
      redis.disconnect();
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
