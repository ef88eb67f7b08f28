import type { Redis } from 'ioredis';
import type { RedisFinding } from './probe.ts';

/** Which bot's database this is. It has no expiry, as the ledger beside it. */
const key = 'panelops:bot';

/** Two bots in one database take each other's jobs, and each would continue the other's ledger. */
export async function otherBot(redis: Redis, application: string): Promise<RedisFinding[]> {
  const owner = await redis.get(key);
  if (owner === null || owner === application) return [];
  const whose = /^\d+$/.test(owner) ? `the bot with the application id ${owner}` : 'another bot';
  return [
    {
      state: 'wrong',
      problem: `This database of Redis is that of ${whose}`,
      remedy: `Give each bot its own, such as /1 at the end of REDIS_URL. If that bot is gone, remove the key ${key}.`,
    },
  ];
}

/** From now on, this database is that of this bot, unless it is another's. */
export async function claimDatabase(redis: Redis, application: string): Promise<void> {
  await redis.set(key, application, 'NX');
}
