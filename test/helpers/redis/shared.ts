import { silentLog } from '../../../src/audit/place.ts';
import { connectRedis, type RedisHandle } from '../../../src/redis/connect.ts';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';

export interface RedisOptions {
  redisUrl?: string;
  /** The bot starts an embedded Redis of its own, to be killed; otherwise it has a database in one that tests share. */
  redis?: 'own';
}

/** Where a bot finds Redis; undefined: it starts its own. */
export const redisFor = async ({ redisUrl, redis }: RedisOptions): Promise<string | undefined> =>
  redisUrl ?? (redis === 'own' ? undefined : emptyDatabase());

/** It has 16 databases; in number 0 we look after it. */
const databases = 15;

interface Server {
  url: string;
  redis: RedisHandle['redis'];
}

let server: Promise<Server> | undefined;
let latest = 0;

/** In an embedded Redis that all tests of a worker share, and that ends with it. Nobody else is connected to it. */
async function emptyDatabase(): Promise<string> {
  server ??= start();
  const { redis, url } = await server;
  const clients = String(await redis.client('LIST'));
  const taken = new Set([...clients.matchAll(/ db=([1-9]\d*)/g)].map(([, number]) => Number(number)));
  if (taken.size === databases) throw new Error('every database is taken: do tests leave their bots running?');
  do latest = (latest % databases) + 1;
  while (taken.has(latest));
  await redis.multi().select(latest).flushdb().select(0).exec();
  return `${url}/${latest}`;
}

async function start(): Promise<Server> {
  const { url } = await startEmbeddedRedis(silentLog);
  // While a worker imports a file, a connection for commands is silent for too long and is dropped.
  const { redis, ready } = connectRedis(url, silentLog, 'forWorker');
  await ready();
  return { url, redis };
}
