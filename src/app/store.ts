import { openCardFile } from '../cards/file-store.ts';
import type { CardStore } from '../cards/record.ts';
import { cardsInRedis } from '../cards/redis-store.ts';
import { openFileLedger } from '../ledger/file-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openRedisLedger } from '../ledger/redis-store.ts';
import type { Log } from '../outcome.ts';
import type { SharedBudget } from '../panel/budget.ts';
import { alive, heartbeat } from '../redis/alive.ts';
import { sharedBudget } from '../redis/budget.ts';
import { claims } from '../redis/claims.ts';
import { connectRedis, type RedisHandle } from '../redis/connect.ts';
import { startEmbeddedRedis } from '../redis/embedded.ts';
import { leaderLease } from '../redis/leader.ts';
import type { Parts } from '../shell/parts.ts';
import type { AppOptions } from './options.ts';
import { admit } from './redis.ts';

/** What to close, in reverse order. */
export type Closing = (() => Promise<unknown>)[];

/** State that outlives a process or is shared with others. */
export interface Store extends Pick<Parts, 'alive' | 'claim' | 'isReachable' | 'isTrusted'> {
  ledger: Ledger;
  cardStore: CardStore;
  /** A leader lease: whether this process holds it. `ttl`: how long it leads without renewal, in ms. */
  isLeader(name: string, ttl?: number): () => Promise<boolean>;
  /** Of a token of the panel. Missing: only this process uses it. */
  budget?: (token: string) => SharedBudget;
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
    alive: () => Promise.resolve(new Set()),
    claim: () => Promise.resolve('ours'),
    isReachable: () => true,
    isTrusted: ledger.isHeld,
    isLeader: () => () => Promise.resolve(true),
  };
}

/** For how long, in ms, a process that shows itself counts as alive; after an outage, others get that long to do so. */
const usualLife = 15_000;

interface RedisOptions extends StoreOptions, RedisPlace {
  panel: string;
  life?: number;
}

/** State shared by several processes. `panel`: its address. */
export async function inRedis(
  { url, connection, panel, processId, log, now, life: ttl = usualLife }: RedisOptions,
  closing: Closing,
): Promise<Store> {
  const { redis } = connection;
  const own = connectRedis(url, quietLog(log));
  closing.push(() => own.close());
  await own.ready();
  const ledger = await openRedisLedger({ redis: own.redis, log, ...dated(now) });
  closing.push(() => ledger.close());
  const beating = heartbeat(redis, processId, { every: ttl / 3, ttl });
  closing.push(() => beating.stop());
  let judgeFrom = 0;
  connection.onReturn(() => {
    judgeFrom = Date.now() + ttl;
  });
  const living: Store['alive'] = (ids) =>
    Date.now() < judgeFrom ? Promise.resolve(new Set(ids)) : alive(redis, ids, { ttl });
  const cards = cardsInRedis({ redis, processId, alive: living, log });
  closing.push(() => cards.close());
  return {
    ledger,
    cardStore: cards,
    alive: living,
    claim: claims(redis, processId),
    // Others wait for `ttl`, and this process a little less.
    isTrusted: () => beating.age() < (2 * ttl) / 3,
    isReachable: () => redis.status === 'ready',
    isLeader: (name, ttl) => leaderLease(redis, name, processId, ttl),
    budget: (token) => sharedBudget(redis, `${panel} ${token}`),
  };
}
