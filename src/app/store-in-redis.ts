import { hostname } from 'node:os';
import { cardsInRedis } from '../cards/redis-store.ts';
import { openRedisLedger, type RedisLedger } from '../ledger/redis-store.ts';
import { connectRedis } from '../redis/connect.ts';
import type { AppOptions } from './options.ts';
import { quietLog, type RedisPlace } from './redis-place.ts';
import { type Closing, dated, type Store, type StoreOptions } from './store.ts';

interface RedisOptions
  extends StoreOptions,
    RedisPlace,
    Pick<AppOptions, 'onTaken' | 'version' | 'clocks' | 'intervals'> {
  processId: string;
}

/** State that the next leader goes on with, and how this process becomes the leader. */
export async function inRedis(
  { url, connection, processId: id, version = '0.0.0', log, now, onTaken, clocks, intervals }: RedisOptions,
  closing: Closing,
): Promise<{ store: Store; leading: Pick<RedisLedger, 'lead' | 'awake' | 'leader'> }> {
  const own = connectRedis(url, quietLog(log));
  closing.push(() => own.close());
  await own.ready();
  const ledger = await openRedisLedger({
    ...{
      redis: own.redis,
      holder: { id, version, host: hostname() },
      log,
      pace: intervals?.lease,
      clocks,
      ...dated(now),
    },
    onDeposed: ({ message }) => {
      log.error({}, message);
      onTaken?.(message);
    },
  });
  closing.push(() => ledger.close());
  const cards = cardsInRedis(connection.redis, log);
  closing.push(() => cards.close());
  return { store: { ledger, cardStore: cards }, leading: ledger };
}
