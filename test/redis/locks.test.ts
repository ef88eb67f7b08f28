import { describe, expect, onTestFinished, test } from 'vitest';
import { type LeaseHolder, locks } from '../../src/redis/locks.ts';
import { ownRedis } from './instance.ts';

const { running, connect } = ownRedis();

const holder: LeaseHolder = { run: '9kq3v1x7m2a.1', who: 'bob', command: 'power.boot', since: 1_795_125_600_000 };
const other: LeaseHolder = { run: '9kq3v1x7m2b.1', who: 'alice', command: 'firewall.flush', since: 1_795_125_601_000 };

describe('A claim of an interaction', () => {
  test('is given once, whoever asks and however often', async () => {
    const [one, two] = [locks(await connect()), locks(await connect())];
    const owners = Array.from({ length: 50 }, (_, number) => `process-${number % 2}`);
    const given = await Promise.all(
      owners.map((owner, at) => (at % 3 === 0 ? one : two).claim('1500000000000000001', owner)),
    );
    expect(given.filter((yes) => yes)).toHaveLength(1);
    expect(await one.claimant('1500000000000000001')).toBe(owners[given.indexOf(true)]);
    expect(await one.claim('1500000000000000002', 'process-1')).toBe(true);
    expect(await one.claimant('1500000000000000003')).toBeUndefined();
  });

  test('lasts an hour', async () => {
    const redis = await connect();
    await locks(redis).claim('1500000000000000004', 'process-1');
    expect(await redis.ttl('panelops:claim:1500000000000000004')).toBeGreaterThan(3_590);
    expect(await redis.ttl('panelops:claim:1500000000000000004')).toBeLessThanOrEqual(3_600);
  });
});

describe('A lease of a server', () => {
  async function held(redis: Awaited<ReturnType<typeof connect>>, server: number, options = {}, who = holder) {
    const result = await locks(redis, options).lease(server, who);
    if (!('held' in result)) throw new Error('the server is held');
    onTestFinished(() => result.held.release());
    return result.held;
  }

  test('goes to one of many, and the others learn who has it', async () => {
    const redis = await connect();
    const several = Array.from({ length: 20 }, (_, at) => locks(redis).lease(101, { ...holder, run: `stem${at}.1` }));
    const results = await Promise.all(several);
    const winners = results.flatMap((result) => ('held' in result ? [result.held] : []));
    expect(winners).toHaveLength(1);
    expect(results.filter((result) => 'by' in result && result.by.run === 'stem0.1')).toHaveLength(19);
    await winners[0]?.release();
  });

  test('names its holder to another process, and is free once released', async () => {
    const [one, two] = [await connect(), await connect()];
    const lease = await held(one, 102);
    expect(await locks(two).lease(102, other)).toEqual({
      by: { run: '9kq3v1x7m2a.1', who: 'bob', command: 'power.boot', since: 1_795_125_600_000 },
    });
    expect(lease.lost()).toBe(false);
    await lease.release();
    await held(two, 102, {}, other);
  });

  test('is of one server: another is free', async () => {
    const redis = await connect();
    await held(redis, 103);
    await held(redis, 104, {}, other);
  });

  test('lapses after a minute when nobody renews it, and lives as long as it is renewed', async () => {
    const redis = await connect();
    await held(redis, 105);
    expect(await redis.pttl('panelops:lease:105')).toBeGreaterThan(55_000);
    expect(await redis.pttl('panelops:lease:105')).toBeLessThanOrEqual(60_000);

    const lease = await held(redis, 106, { ttl: 1_500, renewEvery: 50 });
    await redis.set('witness', 'lives longer than a lease that nobody renews', 'PX', 2_500);
    await expect.poll(() => redis.exists('witness')).toBe(0);
    expect(lease.lost()).toBe(false);
    expect(await locks(redis).lease(106, other)).toMatchObject({ by: { who: 'bob' } });
  });

  test('is lost when it was not renewed for its time', async () => {
    const redis = await connect();
    let now = 1_000;
    const lease = await held(redis, 107, { now: () => now });
    now += 59_999;
    expect(lease.lost()).toBe(false);
    now += 1;
    expect(lease.lost()).toBe(true);
  });

  test('is lost when Redis forgot it, and is not taken from whoever has it then', async () => {
    const redis = await connect();
    const lease = await held(redis, 108, { renewEvery: 20 });
    await redis.del('panelops:lease:108');
    await held(redis, 108, {}, other);
    await expect.poll(() => lease.lost()).toBe(true);
    await lease.release();
    expect(await locks(redis).lease(108, holder)).toMatchObject({ by: { who: 'alice' } });
  });

  test('of a run that has it already is refused to that run as well', async () => {
    const redis = await connect();
    await held(redis, 109);
    expect(await locks(redis).lease(109, holder)).toMatchObject({ by: { run: '9kq3v1x7m2a.1' } });
  });
});

describe('A Redis that does not answer', () => {
  test('makes claims and leases fail in about three seconds, never a release, and all is well afterwards', async () => {
    const redis = await connect();
    const lock = locks(redis);
    const result = await lock.lease(110, holder);
    process.kill(running().pid, 'SIGSTOP');
    onTestFinished(() => void process.kill(running().pid, 'SIGCONT'));
    const start = Date.now();
    const attempts = [lock.claim('1500000000000000009', 'process-1'), lock.claimant('1'), lock.lease(111, holder)];
    const names = await Promise.all(attempts.map((attempt) => attempt.then(String, (error: Error) => error.name)));
    expect(names).toEqual(['RedisUnavailable', 'RedisUnavailable', 'RedisUnavailable']);
    expect(Date.now() - start).toBeGreaterThan(2_500);
    expect(Date.now() - start).toBeLessThan(6_000);
    if ('held' in result) await result.held.release();
    process.kill(running().pid, 'SIGCONT');
    for (const server of [110, 111])
      await expect.poll(() => redis.get(`panelops:lease:${server}`).catch(() => 'no answer')).toBeNull();
    expect(await lock.claim('1500000000000000010', 'process-1')).toBe(true);
  });
});
