import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { examplePolicy, startWorld } from '../world.ts';
import { audit, ownRedis, reaches } from './studio.ts';

const redis = ownRedis();

it('What one of several processes does is by guild, and the queue by channel: bots of two guilds may share a Redis', async () => {
  const policy = examplePolicy.replace('handover-pin: off', 'handover-pin: on');
  const world = await startWorld({ audit: true, still: true, redisUrl: redis(), policy });
  onTestFinished(() => world.stop());
  await reaches(world.discord, () => world.entries().length);
  const client = new Redis(redis());
  onTestFinished(() => client.disconnect());
  const { guildId } = world.discord;
  const wanted = [`panelops:sole:handover-pin:${guildId}`];
  await expect.poll(() => client.keys('panelops:sole:handover-pin*'), { timeout: 8_000 }).toEqual(wanted);
  await world.bob.types('/power boot server:web-1');
  await expect.poll(() => client.keys('bull:trail*')).not.toEqual([]);
  expect(await client.keys(`bull:trail-${audit}:*`)).not.toEqual([]);
  expect(await client.keys('bull:trail:*')).toEqual([]);
});
