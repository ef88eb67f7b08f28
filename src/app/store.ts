import { openCardFile } from '../cards/file-store.ts';
import type { CardStore } from '../cards/record.ts';
import { cardsInRedis } from '../cards/redis-store.ts';
import { defined } from '../defined.ts';
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
import type { Parts } from '../run/parts.ts';
import type { AppOptions } from './options.ts';

/** What there is to let go of, the last first. */
export type Closing = (() => Promise<unknown>)[];

/** What outlives a process, and what it shares with others. */
export interface Store extends Pick<Parts, 'alive' | 'claim' | 'isReachable' | 'isTrusted'> {
  ledger: Ledger;
  cardStore: CardStore;
  /** Whether it is this process that does what only one does at a time. `ttl`: for how long it leads without asking, in ms. */
  isLeader(name: string, ttl?: number): () => Promise<boolean>;
  /** Left out: this process is the only one with the panel's token. */
  budget?: SharedBudget;
}

export interface RedisPlace {
  url: string;
  connection: RedisHandle;
  /** Ends the embedded Redis as a crash would; left out: it is not ours. */
  kill?: () => void;
}

/** The embedded Redis or the one that was named, once commands can be sent. */
export async function openRedis(
  { redisUrl, log }: { redisUrl?: string; log: Log },
  closing: Closing,
): Promise<RedisPlace> {
  const embedded = redisUrl === undefined ? await startEmbeddedRedis(log) : undefined;
  if (embedded !== undefined) closing.push(() => embedded.close());
  const url = embedded?.url ?? redisUrl ?? '';
  const connection = connectRedis(url, log);
  closing.push(() => connection.close());
  await connection.ready();
  return { url, connection, ...defined({ kill: embedded?.kill }) };
}

/** For connections beside the first, which says already that Redis is away, and that it is back. */
export const quietLog = (log: Log): Log => {
  const aside: Log['debug'] = (facts, message) => log.debug(facts, message);
  return { debug: aside, info: aside, warn: aside, error: (facts, message) => log.error(facts, message) };
};

/** The clock as the ledger takes it. */
const dated = (now: (() => number) | undefined): { now?: () => Date } =>
  now === undefined ? {} : { now: () => new Date(now()) };

interface FileOptions extends StoreOptions, Pick<AppOptions, 'dataDir' | 'onTaken'> {}

interface StoreOptions {
  processId: string;
  log: Log;
  now?: (() => number) | undefined;
}

/** The folder is this process's alone: there are no others, and whoever else wrote there is no more. */
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

/** What several processes share. `panel`: what tells panels and tokens apart. */
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
    budget: sharedBudget(redis, panel),
  };
}
