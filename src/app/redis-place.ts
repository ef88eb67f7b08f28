import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../outcome.ts';
import type { RedisHandle } from '../redis/connect.ts';
import { pauses } from '../waits.ts';
import type { AppOptions } from './options.ts';
import type { Closing } from './store.ts';

/** A Redis that has answered. */
export interface RedisPlace {
  url: string;
  connection: RedisHandle;
  /** Kills the embedded Redis as a crash would; missing if the Redis is not ours. */
  kill?: () => void;
}

/** Redis. With a ledger in files only follow-ups need it, and until it is there, it is as if it were away. */
export interface RedisSide {
  /** Undefined until it has answered once. */
  now(): RedisPlace | undefined;
  opened: Promise<RedisPlace>;
  /** Starts the embedded one, which is not in the way of a start. */
  begin(): void;
}

type Options = Pick<AppOptions, 'redisUrl' | 'log' | 'ledger' | 'discord' | 'sandboxed'>;

/** Resolves once the configured Redis is ready. It is judged now, and whenever it is back. */
export async function openRedis(
  { redisUrl: url = '', log, ledger, discord, sandboxed }: Options,
  closing: Closing,
): Promise<RedisPlace> {
  const [{ connectRedis }, { admit }] = await Promise.all([import('../redis/connect.ts'), import('./redis.ts')]);
  const connection = connectRedis(url, log);
  closing.push(() => connection.close());
  await connection.ready();
  await admit(connection, { ledgerIn: ledger ?? 'file', token: sandboxed ? undefined : discord.token }, log);
  return { url, connection };
}

export const sideOf = (place: RedisPlace): RedisSide => ({
  now: () => place,
  opened: Promise.resolve(place),
  begin: () => undefined,
});

/** The embedded Redis, started when somebody says so, and again until it starts. */
export function embeddedRedis({ log }: Pick<Options, 'log'>, closing: Closing, how = usual): RedisSide {
  let place: RedisPlace | undefined;
  let begin = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    begin = resolve;
  }).then(async () => {
    place = await startEmbedded(log, closing, how);
    return place;
  });
  return { now: () => place, opened, begin: () => begin() };
}

async function startEmbedded(log: Log, closing: Closing, how: typeof usual): Promise<RedisPlace> {
  const stopping = new AbortController();
  const starting = untilStarted(how, log, stopping.signal);
  // What still starts is ended as soon as it has.
  closing.push(async () => {
    stopping.abort();
    await starting.then(({ close }) => close()).catch(() => undefined);
  });
  const [{ connectRedis }, { url, kill }] = await Promise.all([import('../redis/connect.ts'), starting]);
  stopping.signal.throwIfAborted();
  const connection = connectRedis(url, log);
  closing.push(() => connection.close());
  // If it has died meanwhile, another one takes its place.
  await connection.ready().catch(() => undefined);
  return { url, connection, kill };
}

/** `first`: the first pause after a failure, in ms. */
const usual = {
  start: async (log: Log, stopping: AbortSignal) =>
    (await import('../redis/embedded.ts')).startEmbeddedRedis(log, stopping),
  first: 1_000,
};

async function untilStarted({ start, first }: typeof usual, log: Log, stopping: AbortSignal) {
  for (const pause of pauses({ first })) {
    try {
      return await start(log, stopping);
    } catch (error) {
      stopping.throwIfAborted();
      log.error({ problem: String(error) }, 'the embedded Redis does not start, so nothing is followed; trying again');
      await delay(pause, undefined, { signal: stopping });
    }
  }
  throw new Error('pauses never end');
}

/** For further connections: the first one already logs outage and return. */
export const quietLog = (log: Log): Log => {
  const debug: Log['debug'] = (facts, message) => log.debug(facts, message);
  return { debug, info: debug, warn: debug, error: (facts, message) => log.error(facts, message) };
};
