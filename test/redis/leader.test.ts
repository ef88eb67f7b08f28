import { describe, expect, onTestFinished, test } from 'vitest';
import { connectRedis } from '../../src/redis/connect.ts';
import { leaderLease } from '../../src/redis/leader.ts';
import { notes, ownRedis } from '../helpers/redis/instance.ts';

describe('What only one process does', () => {
  const { connect, running } = ownRedis();

  test('is done by the first who asks, for as long as it goes on asking', async () => {
    const redis = await connect();
    const [one, other] = [leaderLease(redis, 'a', 'one'), leaderLease(redis, 'a', 'other')];
    expect([await one(), await other(), await one(), await other()]).toEqual([true, false, true, false]);
    expect(await leaderLease(redis, 'b', 'other')()).toBe(true);
  });

  test('is done by another once that one has timed out', async () => {
    const redis = await connect();
    const [one, other] = [leaderLease(redis, 'c', 'one', 1_000), leaderLease(redis, 'c', 'other', 10_000)];
    expect([await one(), await other()]).toEqual([true, false]);
    await expect.poll(other).toBe(true);
    expect(await one()).toBe(false);
  });

  test('is done by nobody while Redis does not answer', async () => {
    const handle = connectRedis(running().url, notes());
    onTestFinished(() => handle.close());
    await handle.ready();
    handle.redis.disconnect();
    expect(await leaderLease(handle.redis, 'd', 'one')()).toBe(false);
  });
});
