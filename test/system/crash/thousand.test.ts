/**
 * 1,000 follow-ups with a budget of 600 requests a minute, of which 480 are theirs: one round of looks takes 125 s, and the promise is
 * 250 s. Nothing here is simulated: turns go by Redis's clock, delays by BullMQ's, and a clock that runs faster would have to be put
 * into both. So the first test keeps real time and the ratio, and takes a budget of 6,000, ten times the load on everything but the
 * panel's patience: a round in 12.5 s, the promise 25 s. What depends on the 600 itself, the pace and the end of a minute, the second
 * one shows in a minute that began before: the panel's clock says so.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFileLedger } from '../../../src/ledger/file-store.ts';
import { openRedisLedger } from '../../../src/ledger/redis-store.ts';
import { connectRedis } from '../../../src/redis/connect.ts';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';
import { type BotProcess, folder, ownRedisServer, startBot } from '../../helpers/bot-process.ts';
import { type Crowd, crowd, median, usage, waits } from '../../helpers/follow-ups/crowd.ts';
import { quietLog } from '../../helpers/messages.ts';
import { describeWithRedisServer } from '../../helpers/redis-server.ts';

/** What the panel answered, each status once. */
const statuses = ({ panel }: Crowd): unknown[] => [...new Set(panel.requests.map(({ status }) => status))];

/** With LOG_LEVEL warn: on a machine that is too slow, locks of jobs are renewed late, and BullMQ says so. */
const warnings = (bot: BotProcess): number => bot.logged().split('\n').length - 1;

/** A folder whose ledger says that all of them are followed. */
async function recorded(all: Crowd, dir = folder()): Promise<string> {
  const ledger = await openFileLedger({ dir, log: quietLog });
  await all.record(ledger);
  await ledger.close();
  return dir;
}

describe('1,000 follow-ups at once', () => {
  it('are looked at one after the other, whatever Discord does, and people do not notice', {
    timeout: 90_000,
  }, async () => {
    const all = await crowd(1_000, { requestsPerMinute: 6_000, tenthEnded: true });
    const redis = await startEmbeddedRedis(quietLog);
    onTestFinished(() => redis.close());
    const env = { REDIS_URL: redis.url, LOG_LEVEL: 'warn' };
    const dir = folder();
    const without: number[] = [];
    const first = await startBot(all, { dir, env });
    for (let count = 0; count < 8; count += 1) without.push(...(await waits(all, 'bob')));
    await first.stops();

    await recorded(all, dir);
    const since = all.panel.requests.length;
    const bot = await startBot(all, { dir, env });
    const began = { at: Date.now(), ...usage(bot.pid) };
    const whole = all.allLooked(since, 25_000);
    const meanwhile: number[] = [];
    for (let count = 1; count <= 8; count += 1) {
      await all.panel.until(() => all.panel.requests.length >= since + count * 100, 25_000);
      meanwhile.push(...(await waits(all, 'alice')));
    }
    const ms = await whole;
    const now = usage(bot.pid);
    const looks = all.looks().filter(({ at }) => at <= began.at + ms);
    const quarters = new Set(looks.map(({ at }) => Math.floor((at - began.at) / 250)));
    const steady = quarters.size / (ms / 250);
    const figures = { round: ms, steady, cpu: now.cpu - began.cpu, memory: now.memory, warnings: warnings(bot) };
    console.log({ ...figures, without: median(without), meanwhile: median(meanwhile) });

    expect(statuses(all)).toEqual([200]);
    expect(median(meanwhile)).toBeLessThan(median(without) + 400);
    // Nobody's second look came before somebody's first.
    expect(looks.length - new Set(looks.map(({ job }) => job)).size).toBeLessThan(50);
    // One by one, not by the second: few quarters of a second are without any.
    expect(steady).toBeGreaterThan(0.7);
    // A hundred have ended, and Discord takes an edit a second: the last cards go first, before what others have to show.
    const pings = await all.discord.until(() => {
      const posted = all.discord.messages('alice', 'ops').filter(({ pinged }) => pinged.includes('alice'));
      return posted.length >= 10 && posted;
    }, 12_000);
    expect(new Set(pings.map(({ replyTo }) => replyTo)).size).toBe(pings.length);
  });

  it('have 480 of 600 requests a minute: the rest is left to people, and the next minute goes on', {
    timeout: 90_000,
  }, async () => {
    let behind = 34_000;
    const all = await crowd(1_000, { requestsPerMinute: 600, now: () => new Date(Date.now() - behind) });
    await startBot(all, { dir: await recorded(all), env: { LOG_LEVEL: 'warn' } });
    // The minute begins with the try of the start, and 34 seconds of it are over.
    const begun = await all.panel.until(() => all.panel.requests[0]?.at.getTime(), 25_000);
    behind = 0;
    const ends = begun + 60_000;
    // Somebody else with the token has 360 of it.
    const headers = { authorization: `Bearer ${all.panel.token}` };
    for (let count = 0; count < 360; count += 1) await (await fetch(`${all.panel.url}/connect`, { headers })).text();
    await all.panel.until(() => all.panel.requests.length >= 480, 26_000);
    const meanwhile = [...(await waits(all, 'alice')), ...(await waits(all, 'bob'))];
    await all.panel.until(() => all.looks().length >= 160, 26_000);

    expect(statuses(all)).toEqual([200]);
    expect(Math.max(...meanwhile)).toBeLessThan(1_000);
    const looks = all.looks().slice(1);
    const before = looks.filter(({ at }) => at < ends);
    expect(before).toHaveLength(118);
    // Eight a second: forty of them take five.
    for (const [count, { at }] of before.slice(40).entries()) {
      expect(at - (before[count]?.at ?? 0)).toBeGreaterThan(4_000);
    }
    expect(looks[118]?.at).toBeLessThan(ends + 3_000);
  });
});

describeWithRedisServer('1,000 follow-ups at two workers', () => {
  it('go on at the other, within two rounds, when one is killed', { timeout: 90_000 }, async () => {
    const all = await crowd(1_000, { requestsPerMinute: 6_000 });
    const redis = await ownRedisServer();
    const handle = connectRedis(redis.url, quietLog);
    await handle.ready();
    const ledger = await openRedisLedger({ redis: handle.redis, log: quietLog });
    await all.record(ledger);
    await ledger.close();
    await handle.close();

    // So that both have looks under way when one is killed.
    all.panel.order({ kind: 'delay', ms: 500, match: { path: '/jobs/' }, times: 0 });
    const worker = { env: { REDIS_URL: redis.url, LEDGER: 'redis', LOG_LEVEL: 'warn' }, args: ['--role=worker'] };
    const [killed, left] = await Promise.all([startBot(all, worker), startBot(all, worker)]);
    await all.panel.until(() => all.panel.requests.length >= 400, 25_000);
    const cutOff = all.panel.until(() => {
      const open = all.panel.requests.filter(({ status, ms }) => status === undefined && ms !== undefined);
      return open.length > 0 && open.length;
    });
    const whole = all.allLooked(all.panel.requests.length, 25_000);
    killed.kill('SIGKILL');
    await killed.ended;
    const cut = await cutOff;
    const ms = await whole;
    console.log({ round: ms, cut, cpu: usage(left.pid).cpu, memory: usage(left.pid).memory, warnings: warnings(left) });

    expect(statuses(all).filter((status) => status !== undefined)).toEqual([200]);
  });
});
