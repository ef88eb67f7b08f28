import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { ownRedisServer } from '../../helpers/bot-process.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { openScene } from '../../helpers/trail/killing.ts';
import { audit, reaches } from '../../helpers/trail/process.ts';
import { examplePolicy, startWorld } from '../../helpers/world.ts';

describeWithRedisServer('What one of several processes does', () => {
  it('is by guild, and the trail by channel: bots of two guilds may share a Redis', async () => {
    const [scene, redis] = [await openScene(), await ownRedisServer()];
    await scene.start({ redisUrl: redis.url, ledger: 'redis' });
    await reaches(scene.discord, () => 1);
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    await expect.poll(() => client.keys('panelops:leader:trail*')).toEqual([`panelops:leader:trail:${audit}`]);
    expect(await client.keys('*trail*')).toHaveLength(1);
  });

  it('needs no Redis for the trail where the ledger is a file', async () => {
    const redis = await ownRedisServer();
    const policy = examplePolicy.replace('handover-pin: off', 'handover-pin: on');
    const world = await startWorld({ audit: true, still: true, redisUrl: redis.url, policy });
    onTestFinished(() => world.stop());
    await reaches(world.discord, () => world.entries().length);
    const client = new Redis(redis.url);
    onTestFinished(() => client.disconnect());
    await world.carol.types('/power boot server:web-1');
    await reaches(world.discord, () => world.entries().length);
    expect(await client.keys('*trail*')).toEqual([]);
  });
});
