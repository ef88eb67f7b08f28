import { expect, it } from 'vitest';
import { ownRedisServer, redisOf, startBot, surroundings } from '../../helpers/bot-process.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { audit, linesOf } from '../../helpers/trail/process.ts';

/** What idle bots have, in ms. */
const soon = 15_000;
const env = { AUDIT_CHANNEL_ID: audit };

it('An idle bot with a trail stops at once, with its last line posted', async () => {
  const around = await surroundings();
  const bot = await startBot(around, { env });
  const { how, ms } = await bot.stops();
  expect(how).toBe(0);
  expect(ms).toBeLessThan(soon);
  expect(linesOf(around.discord).at(-1)).toContain('STOPPED panelops');
});

it('A bot with a trail stops in time while its Redis is frozen and Discord is gone', async () => {
  const around = await surroundings();
  const bot = await startBot(around, { env });
  process.kill(await redisOf(bot.pid), 'SIGSTOP');
  await around.discord.close();
  const { how, ms } = await bot.stops();
  expect(how).toBe(0);
  expect(ms).toBeLessThan(soon);
});

describeWithRedisServer('A bot with a trail whose ledger is in a Redis', () => {
  it('stops in time while that is frozen', async () => {
    const [around, redis] = [await surroundings(), await ownRedisServer()];
    const bot = await startBot(around, { env: { ...env, REDIS_URL: redis.url, LEDGER: 'redis' } });
    redis.freeze();
    const { how, ms } = await bot.stops();
    expect(how).toBe(0);
    expect(ms).toBeLessThan(soon);
  });
});
