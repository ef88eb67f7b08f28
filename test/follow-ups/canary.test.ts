import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCanary } from '../../src/follow-ups/canary.ts';
import { createFollowUps, type FollowUps } from '../../src/follow-ups/index.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { type EmbeddedRedis, startEmbeddedRedis } from '../../src/redis/embedded.ts';
import { notes, openLedger } from '../helpers/ledger/samples.ts';
import { until } from '../helpers/messages.ts';

async function ownRedis(): Promise<EmbeddedRedis> {
  const redis = await startEmbeddedRedis(notes());
  onTestFinished(() => redis.close());
  return redis;
}

/** Follow-ups of a process that takes jobs, or of one that does not, and what brings its canary back. */
async function processOn({ url }: EmbeddedRedis, role: 'worker' | 'other', ahead = 0): Promise<FollowUps> {
  const producer = connectRedis(url, notes());
  const worker = role === 'worker' ? connectRedis(url, notes(), 'forWorker') : undefined;
  const followUps = createFollowUps({
    ledger: await openLedger(),
    source: {
      turn: () => Promise.resolve(0),
      unreadable: () => false,
      look: () => Promise.resolve({ kind: 'no-read' }),
      troubles: () => [],
    },
    redis: Promise.resolve({ producer: producer.redis, ...(worker === undefined ? {} : { worker: worker.redis }) }),
    follows: () => ({ restore: true, power: true, deadline: 3_600_000 }),
    readable: () => true,
    changed: () => undefined,
    stuckAfter: () => undefined,
    intervals: { canary: 100 },
    now: () => Date.now() + ahead,
    log: notes(),
  });
  producer.onReturn(() => void followUps.reconcile());
  onTestFinished(async () => {
    await followUps.close();
    await Promise.all([producer.close(), worker?.close()]);
  });
  await producer.ready();
  await followUps.reconcile();
  return followUps;
}

/** When a canary was taken, after `since`. */
const later = (followUps: FollowUps, since: number): Promise<number> =>
  vi.waitFor(
    async () => {
      const last = await followUps.lastCanary();
      if (last === undefined || last <= since) throw new Error('no later canary yet');
      return last;
    },
    { timeout: 20_000, interval: 20 },
  );

describe('the canary', () => {
  it('is taken again and again, and putting it into the queue again changes nothing', async () => {
    const followUps = await processOn(await ownRedis(), 'worker');
    const first = await later(followUps, 0);
    await followUps.reconcile();
    await later(followUps, first);
  });

  it('is unknown to another process until a worker takes it, then as old as by the clock of that worker', async () => {
    const redis = await ownRedis();
    const hour = 3_600_000;
    const other = await processOn(redis, 'other', hour);
    expect(await other.lastCanary()).toBeUndefined();
    await processOn(redis, 'worker');
    expect(Date.now() + hour - (await later(other, 0))).toBeLessThan(30_000);
  });

  it('is not known where its time lies in the future: a clock was set back, or the key lives too long', async () => {
    const { url } = await ownRedis();
    const { redis, ready, close } = connectRedis(url, notes());
    onTestFinished(close);
    await ready();
    const day = 86_400_000;
    let clock = day;
    const canary = createCanary(redis, () => clock);
    canary.onTaken();
    expect(await canary.last()).toBe(day);
    await redis.del('panelops:canary');
    clock -= 1;
    expect(await canary.last()).toBeUndefined();
    await redis.set('panelops:canary', '1', 'PX', 2 * day);
    expect(await canary.last()).toBeUndefined();
  });

  it('is due again in a Redis that came back empty', async () => {
    const redis = await ownRedis();
    const followUps = await processOn(redis, 'worker');
    await later(followUps, 0);
    const { pid } = redis;
    redis.kill();
    await until(() => redis.pid !== pid, 'another Redis');
    await later(followUps, Date.now());
  });
});
