import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { Redis, type RedisOptions } from 'ioredis';
import { type Log, RedisUnavailable } from '../outcome.ts';
import { isCluster, isLoading, isReplica, isSentinel, type RedisError, type Refusal, refusalOf } from './refusal.ts';

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
/** In ms: two seconds of it may go to an address that is dead. */
const connectTimeout = 5_000;
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

/** `forReading`: a replica will do. */
const uses = { forCommands, forWorker, forReading: forCommands };

/** What INFO says of a server that can only fail us, however well it answers. */
function refusalIn(info: string, use: keyof typeof uses): Refusal | undefined {
  if (/^redis_mode:sentinel/m.test(info)) return isSentinel;
  if (/^(?:redis_mode:cluster|cluster_enabled:1)/m.test(info)) return isCluster;
  return /^role:slave/m.test(info) && use !== 'forReading' ? isReplica : undefined;
}

/**
 * Connects to `redis://[user[:password]@]host:port[/db]`, or `rediss://`. Commands time out after 3 seconds. A
 * command whose connection broke fails and is not sent again: an append sent twice would collide with itself. A
 * silent connection is dropped before those 3 seconds are over, so that of many commands in a row only the first waits
 * for a frozen Redis. With `forWorker`, commands wait until Redis answers. A server that can only fail us is left at
 * once, and tried again: after a failover, the same address may lead to another.
 */
export function connectRedis(url: string, log: Log, use: keyof typeof uses = 'forCommands'): RedisHandle {
  const state = connectionState(log);
  /** How often in a row a server that answered was left. */
  let left = 0;
  const redis = new Redis(url, {
    retryStrategy: (attempt) => reconnectAfter(Math.max(attempt, left)),
    // Of a replica, the address may lead to the new primary by now. The command is not sent again.
    reconnectOnError: (error) => refusalOf(error) === isReplica,
    connectTimeout,
    ...uses[use],
  });
  const ping = () => {
    if (redis.status === 'ready') redis.ping().catch(() => undefined);
  };
  const pinging = use === 'forWorker' ? undefined : setInterval(ping, pingEvery).unref();
  const callBacks: (() => void)[] = [];
  let refusal: Refusal | undefined;
  function leave(why: Refusal): void {
    left += 1;
    refusal = why;
    state.down(why.problem, {});
    if (!why.passes) state.giveUp();
    redis.disconnect(true);
  }
  redis.on('error', (error: RedisError) => {
    const why = refusalOf(error);
    // ioredis would go on in database 0, which may be another bot's.
    if (why !== undefined && error.command?.name === 'select') return leave(why);
    // What follows a refusal, such as a closed connection, says less than that.
    const isConsequence = error.code === undefined || error.code === 'ECONNRESET' || error.code === 'EPIPE';
    refusal = why ?? (isConsequence ? refusal : undefined);
    // Log only the code and the first word: an AUTH error carries the password among its arguments.
    const problem = error.code ?? error.message.split(' ')[0];
    if (why !== undefined) state.down(why.problem, { problem });
    if (why !== undefined && !why.passes) state.giveUp();
    if (why === undefined && state.isUp() !== false) state.down('Redis cannot be reached', { problem });
  });
  redis.on('close', () => {
    if (state.isUp() === true) state.down('Redis connection lost', {});
  });
  redis.on('ready', async () => {
    const info = await redis.info().catch(() => '');
    if (redis.status !== 'ready') return;
    const why = refusalIn(info, use);
    if (why !== undefined) return leave(why);
    left = 0;
    refusal = undefined;
    if (state.up()) for (const callBack of callBacks) callBack();
  });
  return {
    redis,
    ready: async (wait = 5_000) => {
      if (await state.untilUp(wait)) return;
      throw new RedisUnavailable(undefined, refusal ?? (await whyNot(redis, url)));
    },
    onReturn: (callBack) => void callBacks.push(callBack),
    async close() {
      clearInterval(pinging);
      state.end();
      if (redis.status === 'ready') await Promise.race([redis.quit().catch(() => undefined), delay(1_000)]);
      redis.disconnect();
    },
  };
}

/** Whether the connection is up. Logs each cause of an outage once: a line for each attempt would bury everything else. */
function connectionState(log: Log) {
  const told = new Set<string>();
  const waiting = new Set<() => void>();
  let isUp: boolean | undefined;
  const giveUp = (): void => {
    for (const done of waiting) done();
  };
  return {
    /** Whoever waits learns at once how it is. */
    giveUp,
    /** Undefined before the first connection, and after the last. */
    isUp: () => isUp,
    down(words: string, facts: object): void {
      isUp = false;
      if (told.has(words)) return;
      told.add(words);
      log.warn(facts, words);
    },
    /** Returns whether it was down. */
    up(): boolean {
      const isBack = isUp === false;
      isUp = true;
      told.clear();
      giveUp();
      if (isBack) log.info({}, 'Redis is back');
      return isBack;
    },
    end(): void {
      isUp = undefined;
    },
    /** Whether it is up within `wait` ms. */
    untilUp: (wait: number): Promise<boolean> =>
      new Promise((resolve) => {
        if (isUp === true) return resolve(true);
        const done = (): void => {
          clearTimeout(timer);
          waiting.delete(done);
          resolve(isUp === true);
        };
        const timer = setTimeout(done, wait);
        waiting.add(done);
      }),
  };
}

/** Why a connection did not come up, where ioredis does not say it. */
async function whyNot(redis: Redis, url: string): Promise<Refusal | undefined> {
  // While ioredis waits for a server that loads, only such commands are sent.
  const asked = redis.status === 'connect' ? redis.info().catch(() => '') : '';
  const info = await Promise.race([asked, delay(500, '', { ref: false })]);
  return /^loading:1/m.test(info) ? isLoading : await otherSide(url);
}

const speaksTls: Refusal = {
  problem: 'That Redis speaks TLS, and REDIS_URL does not',
  remedy: 'Let REDIS_URL begin with rediss://.',
};
const speaksNoTls: Refusal = {
  problem: 'REDIS_URL speaks TLS (rediss://), and that Redis does not',
  remedy: 'Use its TLS port (tls-port in redis.conf). Plain redis:// is for loopback alone.',
};

/** How long the other side has to answer, in ms. */
const patience = 1_000;

/**
 * Why a Redis never became ready, where its client cannot tell. Each of TLS and plain text hangs or closes on the other;
 * and what a Redis says before it closes is lost while the client still writes. Sends no secret.
 */
async function otherSide(url: string): Promise<Refusal | undefined> {
  const { protocol, hostname, port } = new URL(url);
  const to = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port === '' ? 6379 : port) };
  if (protocol === 'rediss:') {
    const said = await firstWords(connect(to), 'PING\r\n');
    return said !== undefined && /^[+-]/.test(said) ? speaksNoTls : undefined;
  }
  const said = await firstWords(connect(to));
  if (said !== undefined) return refusalOf(new Error(said.slice(1)));
  return (await isTls(to)) ? speaksTls : undefined;
}

/** Undefined if nothing comes. */
const firstWords = (socket: Socket, greeting?: string): Promise<string | undefined> =>
  waiting(socket, (found) => {
    if (greeting !== undefined) socket.on('connect', () => socket.write(greeting));
    socket.on('data', (bytes) => found(bytes.toString('latin1')));
  });

/** Nothing is sent after the handshake, so that it does not matter whose certificate that is. */
function isTls(to: { host: string; port: number }): Promise<true | undefined> {
  const socket = connectTls({ ...to, rejectUnauthorized: false });
  return waiting(socket, (found) => socket.on('secureConnect', () => found(true)));
}

function waiting<T>(socket: Socket, listen: (found: (what: T) => void) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    const done = (what?: T): void => {
      socket.destroy();
      resolve(what);
    };
    socket.setTimeout(patience, () => done());
    socket.on('error', () => done()).on('close', () => done());
    listen(done);
  });
}
