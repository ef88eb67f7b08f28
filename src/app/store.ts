import { openFileLedger } from '../ledger/file-store.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type OpenCardStore, openCardStore } from '../ledger/open-cards.ts';
import { redisOpenCards } from '../ledger/open-cards-redis.ts';
import { openRedisLedger } from '../ledger/redis-store.ts';
import type { Log } from '../outcome.ts';
import { alive, heartbeat } from '../redis/alive.ts';
import { connectRedis, type RedisHandle } from '../redis/connect.ts';
import { startEmbeddedRedis } from '../redis/embedded.ts';
import type { Parts } from '../run/parts.ts';

/** What there is to let go of, the last first. */
export type Closing = (() => Promise<unknown>)[];

/** What outlives a process, and which other processes are at work on it. */
export interface Store extends Pick<Parts, 'alive'> {
  ledger: Ledger;
  openCards: OpenCardStore;
}

/** The embedded Redis or the one that was named, once commands can be sent. */
export async function openRedis(
  { redisUrl, log }: { redisUrl?: string; log: Log },
  closing: Closing,
): Promise<{ url: string; connection: RedisHandle; kill?: () => void }> {
  const embedded = redisUrl === undefined ? await startEmbeddedRedis(log) : undefined;
  if (embedded !== undefined) closing.push(() => embedded.close());
  const url = embedded?.url ?? redisUrl ?? '';
  const connection = connectRedis(url, log);
  closing.push(() => connection.close());
  await connection.ready();
  return { url, connection, ...(embedded === undefined ? {} : { kill: embedded.kill }) };
}

/** For connections beside the first, which says already that Redis is away, and that it is back. */
export const asides = (log: Log): Log => {
  const aside: Log['debug'] = (facts, message) => log.debug(facts, message);
  return { debug: aside, info: aside, warn: aside, error: (facts, message) => log.error(facts, message) };
};

/** The clock as the ledger takes it. */
const dated = (now: (() => number) | undefined): { now?: () => Date } =>
  now === undefined ? {} : { now: () => new Date(now()) };

export async function inFiles(
  { dataDir, log, now }: { dataDir: string; log: Log; now?: (() => number) | undefined },
  closing: Closing,
): Promise<Store> {
  const ledger = await openFileLedger({ dir: dataDir, log, ...dated(now) });
  closing.push(() => ledger.close());
  // The folder is this process's alone: whoever else wrote there is no more.
  return { ledger, openCards: openCardStore(dataDir, log), alive: () => Promise.resolve(new Set()) };
}

/** After an outage, others get that long, in ms, to show that they live. */
const benefitOfDoubt = 15_000;

export async function inRedis(
  {
    url,
    connection,
    owner,
    log,
    now,
  }: {
    url: string;
    connection: RedisHandle;
    owner: string;
    log: Log;
    now?: (() => number) | undefined;
  },
  closing: Closing,
): Promise<Store> {
  const { redis } = connection;
  const own = connectRedis(url, asides(log));
  closing.push(() => own.close());
  await own.ready();
  const ledger = await openRedisLedger({ redis: own.redis, log, ...dated(now) });
  closing.push(() => ledger.close());
  const beating = heartbeat(redis, owner);
  closing.push(() => beating.stop());
  let judgeFrom = 0;
  connection.onReturn(() => {
    judgeFrom = Date.now() + benefitOfDoubt;
  });
  return {
    ledger,
    openCards: redisOpenCards(redis, log),
    alive: (owners) => (Date.now() < judgeFrom ? Promise.resolve(new Set(owners)) : alive(redis, owners)),
  };
}
