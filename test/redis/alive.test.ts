import { describe, expect, onTestFinished, test } from 'vitest';
import { alive, heartbeat } from '../../src/redis/alive.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { notes, ownRedis } from '../helpers/redis/instance.ts';
import { describeWithRedisServer, startRedisServer } from '../helpers/redis-server.ts';

describe('A heartbeat', () => {
  const { connect } = ownRedis();

  test('shows for 15 seconds that a process lives, and ends at once when it stops in order', async () => {
    const redis = await connect();
    const beating = heartbeat(redis, 'process-1');
    expect(await redis.pttl('panelops:alive:process-1')).toBeGreaterThan(14_000);
    expect(await redis.pttl('panelops:alive:process-1')).toBeLessThanOrEqual(15_000);
    await beating.stop();
    expect(await redis.exists('panelops:alive:process-1')).toBe(0);
  });

  test('goes on for as long as the process lives, and no longer than its time after it', async () => {
    const [mine, other] = [await connect(), await connect()];
    const beating = heartbeat(mine, 'process-2', { every: 20, ttl: 1_500 });
    onTestFinished(() => beating.stop());
    await expect.poll(() => alive(other, ['nobody'], { ttl: 1_500 })).toEqual(new Set());
    await other.set('witness', 'lives longer than a beat', 'PX', 2_500);
    await expect.poll(() => other.exists('witness')).toBe(0);
    expect(await alive(other, ['process-2', 'nobody'], { ttl: 1_500 })).toEqual(new Set(['process-2']));
    // Without its connection, the process is as good as dead.
    mine.disconnect();
    await expect.poll(() => alive(other, ['process-2'], { ttl: 1_500 })).toEqual(new Set());
  });

  test('of nobody is not asked for', async () => {
    expect(await alive(await connect(), [])).toEqual(new Set());
  });
});

describeWithRedisServer('A Redis that was away', () => {
  test('takes nobody for dead before they could come back, and beats go on at once', async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    const [mine, other] = [connectRedis(server.url, notes()), connectRedis(server.url, notes())];
    onTestFinished(() => Promise.all([mine.close(), other.close()]).then(() => undefined));
    await Promise.all([mine.ready(), other.ready()]);
    const beating = heartbeat(mine.redis, 'process-1', { every: 3_600_000, ttl: 2_000 });
    onTestFinished(() => beating.stop());
    await expect
      .poll(() => alive(other.redis, ['process-1', 'nobody'], { ttl: 2_000 }), { timeout: 10_000 })
      .toEqual(new Set());

    await server.kill();
    await expect(alive(other.redis, ['process-1'])).rejects.toMatchObject({ name: 'RedisUnavailable' });
    await server.restart();
    await other.ready();
    expect(await alive(other.redis, ['process-1', 'nobody'])).toEqual(new Set(['process-1', 'nobody']));
    // The next beat in its turn would be an hour away.
    await expect.poll(() => other.redis.exists('panelops:alive:process-1')).toBe(1);
  });
});
