import { expect, it } from 'vitest';
import { connectRedis } from '../../../src/redis/connect.ts';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';
import { crowd, median, statuses, waits } from '../../helpers/follow-ups/crowd.ts';
import { openLeading } from '../../helpers/ledger/places.ts';
import { folder, openLedger } from '../../helpers/ledger/samples.ts';
import { forThis } from '../../helpers/lives.ts';
import { quietLog } from '../../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer } from '../../helpers/redis-server.ts';
import { startBot } from '../../helpers/stage.ts';

/**
 * 1,000 follow-ups with a budget of 600 requests a minute, of which 480 are theirs: one round of looks takes 125 s, and the promise is
 * 250 s. Nothing here is simulated: turns go by Redis's clock, delays by BullMQ's, and a clock that runs faster would have to be put
 * into both. So this keeps real time and the ratio, and takes a budget of 6,000, ten times the load on everything but the panel's
 * patience: a round in 12.5 s. What depends on the 600 itself is in panel/look.test.ts.
 */

it('1,000 follow-ups at once are looked at one after the other, whatever Discord does, and people do not notice', async () => {
  const all = await crowd({ tenthEnded: true });
  const redis = await forThis(startEmbeddedRedis(quietLog));
  const env = { REDIS_URL: redis.url, LOG_LEVEL: 'warn' };
  const dir = folder();
  const without: number[] = [];
  const first = await startBot(all, { dir, env });
  for (let count = 0; count < 8; count += 1) without.push(...(await waits(all, 'bob')));
  await first.end('SIGTERM');

  const ledger = await openLedger({ dir });
  await all.record(ledger);
  await ledger.close();
  const since = all.panel.requests.length;
  await startBot(all, { dir, env });
  const began = Date.now();
  const whole = all.allLooked(since, 60_000);
  const meanwhile: number[] = [];
  for (let count = 1; count <= 8; count += 1) {
    await all.panel.until(() => all.panel.requests.length >= since + count * 100, 60_000);
    meanwhile.push(...(await waits(all, 'alice')));
  }
  const ms = await whole;
  const looks = all.looks().filter(({ at }) => at <= began + ms);
  const quarters = new Set(looks.map(({ at }) => Math.floor((at - began) / 250)));
  const steady = quarters.size / (ms / 250);

  expect(statuses(all)).toEqual([200]);
  expect(median(meanwhile)).toBeLessThan(2 * median(without) + 400);
  // Nobody's second look came before somebody's first.
  expect(looks.length - new Set(looks.map(({ job }) => job)).size).toBeLessThan(50);
  // One by one, not by the second: then three quarters of a second in four would be without any.
  expect(steady).toBeGreaterThan(0.5);
  // A hundred have ended, and Discord takes an edit a second: the last cards go first, before what others have to show.
  const pings = await all.discord.until(() => {
    const posted = all.discord.messages('alice', 'ops').filter(({ pinged }) => pinged.includes('alice'));
    return posted.length >= 10 && posted;
  });
  expect(new Set(pings.map(({ replyTo }) => replyTo)).size).toBe(pings.length);
});

describeWithRedisServer('1,000 follow-ups', () => {
  it('go on at the standby, within two rounds, when the leader is killed', async () => {
    const all = await crowd();
    const redis = await ownRedisServer();
    const handle = connectRedis(redis.url, quietLog);
    await handle.ready();
    const ledger = await openLeading({ redis: handle.redis, log: quietLog });
    await all.record(ledger);
    await ledger.close();
    await handle.close();

    // So that looks are under way when it is killed.
    all.panel.order({ kind: 'delay', ms: 500, match: { path: '/jobs/' }, times: 0 });
    const worker = { env: { REDIS_URL: redis.url, LEDGER: 'redis', LOG_LEVEL: 'warn' } };
    const killed = await startBot(all, worker);
    const standby = startBot(all, worker);
    await all.panel.until(() => all.panel.requests.length >= 400, 60_000);
    const cutOff = all.panel.until(() => {
      const open = all.panel.requests.filter(({ status, ms }) => status === undefined && ms !== undefined);
      return open.length > 0;
    });
    const before = all.looks().length;
    const whole = all.allLooked(all.panel.requests.length, 90_000);
    await killed.end('SIGKILL');
    await cutOff;
    await standby;
    await whole;

    // Two rounds are 2,000 looks: those that were cut off come again in the second.
    expect(all.looks().length - before).toBeLessThan(2_000);
    expect(statuses(all).filter((status) => status !== undefined)).toEqual([200]);
  });
});
