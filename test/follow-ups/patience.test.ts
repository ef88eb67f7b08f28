import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { createWorker } from '../../src/follow-ups/queue.ts';
import { quietLog } from '../helpers/messages.ts';
import { describeWithRedisServer, startRedisServer } from '../helpers/redis-server.ts';

describeWithRedisServer('A Redis that answers every script with an error, as one in cluster mode', () => {
  it('is asked by the worker ever more rarely', async () => {
    const server = await startRedisServer({ 'cluster-enabled': 'yes' });
    onTestFinished(() => server.stop());
    // At its start, the bot would refuse this one; a Redis may begin to answer so later.
    const redis = new Redis(server.url, { maxRetriesPerRequest: null });
    onTestFinished(() => redis.disconnect());
    const errors = async () => Number(/total_error_replies:(\d+)/.exec(await redis.info('stats'))?.[1]);
    const before = await errors();
    const from = performance.now();
    const worker = createWorker(
      redis,
      () => Promise.resolve(),
      () => undefined,
      quietLog,
    );
    onTestFinished(() => worker.close());
    // The first are its start's.
    await expect.poll(async () => (await errors()) - before, { timeout: 20_000 }).toBeGreaterThanOrEqual(6);
    expect(performance.now() - from).toBeGreaterThan(1_500);
  });
});
