import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { ownRedisServer } from '../../helpers/bot-process.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';
import { reaches } from '../../helpers/trail/process.ts';
import { examplePolicy, startWorld } from '../../helpers/world.ts';

describeWithRedisServer('The trail', () => {
  it('needs no Redis where the ledger is a file', async () => {
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
