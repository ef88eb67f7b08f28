import { openCardFile } from '../cards/file-store.ts';
import type { CardStore } from '../cards/record.ts';
import { cardsInRedis } from '../cards/redis-store.ts';
import { openFileLedger } from '../ledger/file-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openRedisLedger, type RedisLedger } from '../ledger/redis-store.ts';
import type { Log } from '../outcome.ts';
import { connectRedis, type RedisHandle } from '../redis/connect.ts';
import { startEmbeddedRedis } from '../redis/embedded.ts';
import type { Parts } from '../shell/parts.ts';
import type { AppOptions } from './options.ts';
import { admit } from './redis.ts';

/** What to close, in reverse order. */
export type Closing = (() => Promise<unknown>)[];

/** State that outlives a process. */
export interface Store extends Pick<Parts, 'isHeld'> {
  ledger: Ledger;
  cardStore: CardStore;
}

export interface RedisPlace {
  url: string;
  connection: RedisHandle;
  /** Kills the embedded Redis as a crash would; missing if the Redis is not ours. */
  kill?: () => void;
}

/** Resolves once the embedded or the configured Redis is ready. Yours is judged first, now and whenever it is back. */
export async function openRedis(
  {
    redisUrl,
    log,
    ledger,
    discord,
    sandboxed,
  }: Pick<AppOptions, 'redisUrl' | 'log' | 'ledger' | 'discord' | 'sandboxed'>,
  closing: Closing,
): Promise<RedisPlace> {
  const embedded = redisUrl === undefined ? await startEmbeddedRedis(log) : undefined;
  if (embedded !== undefined) closing.push(() => embedded.close());
  const url = embedded?.url ?? redisUrl ?? '';
  const connection = connectRedis(url, log);
  closing.push(() => connection.close());
  await connection.ready();
  const token = sandboxed ? undefined : discord.token;
  if (embedded === undefined) await admit(connection, { ledgerIn: ledger ?? 'file', token }, log);
  return { url, connection, kill: embedded?.kill };
}

/** For further connections: the first one already logs outage and return. */
export const quietLog = (log: Log): Log => {
  const debug: Log['debug'] = (facts, message) => log.debug(facts, message);
  return { debug, info: debug, warn: debug, error: (facts, message) => log.error(facts, message) };
};

/** The clock in the ledger's form. */
const dated = (now: (() => number) | undefined): { now?: () => Date } =>
  now === undefined ? {} : { now: () => new Date(now()) };

interface FileOptions extends StoreOptions, Pick<AppOptions, 'dataDir' | 'onTaken'> {}

interface StoreOptions {
  processId: string;
  log: Log;
  now?: (() => number) | undefined;
}

/** The lock gives this process the folder alone, so every other process that wrote there is dead. */
export async function inFiles(
  { dataDir, processId, log, now, onTaken }: FileOptions,
  closing: Closing,
): Promise<Store> {
  const ledger = await openFileLedger({
    dir: dataDir,
    log,
    ...dated(now),
    ...(onTaken === undefined ? {} : { onTaken: ({ message }) => onTaken(message) }),
  });
  closing.push(() => ledger.close());
  const cards = await openCardFile(dataDir, processId, log, ledger.head().seq);
  closing.push(() => cards.close());
  return {
    ledger,
    cardStore: cards,
    isHeld: ledger.isHeld,
  };
}

interface RedisOptions
  extends StoreOptions,
    RedisPlace,
    Pick<AppOptions, 'onTaken' | 'version' | 'clocks' | 'intervals'> {}

/** State that the next leader goes on with, and how this process becomes the leader. */
export async function inRedis(
  { url, connection, processId: id, version = '0.0.0', log, now, onTaken, clocks, intervals }: RedisOptions,
  closing: Closing,
): Promise<{ store: Store; leading: Pick<RedisLedger, 'lead' | 'awake'> }> {
  const own = connectRedis(url, quietLog(log));
  closing.push(() => own.close());
  await own.ready();
  const ledger = await openRedisLedger({
    ...{ redis: own.redis, holder: { id, version }, log, pace: intervals?.lease, clocks, ...dated(now) },
    onDeposed: ({ message }) => {
      log.error({}, message);
      onTaken?.(message);
    },
  });
  closing.push(() => ledger.close());
  const cards = cardsInRedis({ redis: connection.redis, processId: id, log });
  closing.push(() => cards.close());
  return { store: { ledger, cardStore: cards, isHeld: ledger.isHeld }, leading: ledger };
}
