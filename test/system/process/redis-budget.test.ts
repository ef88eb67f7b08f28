import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sharedBudget } from '../../../src/redis/budget.ts';
import { connectRedis } from '../../../src/redis/connect.ts';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';
import { alice, connect } from '../../helpers/panel/client.ts';
import { type Said, serve } from '../../helpers/panel/server.ts';
import { notes, ownRedis } from '../../helpers/redis/instance.ts';

const own = ownRedis();
const followUp = { kind: 'follow-up' } as const;
const fine: Said = { status: 200, body: { data: { queueId: 1 } } };
const job = ['servers', 101, 'backupManager', 'jobs', 9001] as const;

/** The same budget on two connections, as two processes have it. Nobody is in a hurry here. */
async function pair(of: string) {
  const budgets = [];
  for (let count = 0; count < 2; count += 1) budgets.push(sharedBudget(await own.connect(), of, 10_000));
  const [one, two] = budgets;
  if (one === undefined || two === undefined) throw new Error('there are two');
  return { one, two };
}

/** Two clients of a panel that says these things to the first; what the second one's panel hears is counted. */
async function clients(of: string, ...answers: Said[]) {
  const { one, two } = await pair(of);
  const mine = await serve(...answers);
  const theirs = await serve(fine);
  return {
    one: connect(mine.url, { shared: () => one }),
    two: connect(theirs.url, { shared: () => two }),
    heard: theirs.heard,
    /** Resolves once Redis knows it. */
    told: (what: object) => vi.waitFor(async () => expect(await two.exchange({})).toMatchObject(what), 10_000),
  };
}

describe('two clients on one Redis', () => {
  test('both obey the Retry-After that one was told', async () => {
    const { one, two, told, heard } = await clients('429', { status: 429, headers: { 'retry-after': '60' } });
    await one.look(job, followUp);
    await told({ heldFor: expect.any(Number) });
    const at = Date.now();
    expect(await two.call('connect', {}, alice)).toEqual({ kind: 'not-sent', reason: 'waited-too-long' });
    const looked = await two.look(job, followUp);
    expect(looked).toMatchObject({ kind: 'not-sent', reason: 'waited-too-long' });
    expect((looked.again ?? 0) - at).toBeGreaterThan(50_000);
    expect((looked.again ?? 0) - at).toBeLessThan(62_000);
    expect(heard).toHaveLength(0);
  });

  test('both hold everything back after the 401 of one', async () => {
    const { one, two, told, heard } = await clients('401', { status: 401 });
    await one.look(job, followUp);
    await told({ openFor: expect.any(Number) });
    expect(await two.call('connect', {}, alice)).toEqual({ kind: 'not-sent', reason: 'circuit-open' });
    expect(await two.call('powerBoot', { serverId: 101 }, alice)).toEqual({ kind: 'not-sent', reason: 'circuit-open' });
    expect(heard).toHaveLength(0);
  });

  test('both stop their follow-ups at a fifth of the minute, and people go first', async () => {
    const headers = {
      'x-ratelimit-limit': '600',
      'x-ratelimit-remaining': '120',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 55),
    };
    const { one, two, told, heard } = await clients('used', { ...fine, headers });
    await one.look(job, followUp);
    await told({ limit: 600, minute: { remaining: 120 } });
    expect(await two.look(job, followUp)).toMatchObject({ kind: 'not-sent', reason: 'waited-too-long' });
    expect(await two.call('connect', {}, alice)).toMatchObject({ kind: 'yes' });
    expect(await two.call('powerBoot', { serverId: 101 }, alice)).toMatchObject({ kind: 'yes' });
    expect(heard.map(({ path }) => path)).toEqual(['/api/v1/connect', '/api/v1/servers/101/power/boot']);
  });
});

describe('what is shared', () => {
  const hour = 3_600_000;

  test('is the newest minute, and the smallest rest of it', async () => {
    const { one, two } = await pair('minutes');
    const minute = (reset: number, remaining: number) => ({ minute: { reset, remaining, endsIn: hour } });
    await one.exchange({ limit: 600, ...minute(100, 30) });
    for (const [reset, remaining, known] of [
      [100, 31, 30],
      [100, 29, 29],
      [99, 1, 29],
      [160, 599, 599],
      [100, 0, 599],
    ] as const) {
      const heard = await two.exchange(minute(reset, remaining));
      expect(heard).toMatchObject({ limit: 600, minute: { remaining: known } });
    }
    await one.exchange({ minute: { reset: 220, remaining: 5, endsIn: 0 } });
    expect(await two.exchange({})).toEqual({ limit: 600 });
  });

  test('is the longest wait, which ends by itself', async () => {
    const { one, two } = await pair('waits');
    await one.exchange({ heldFor: hour });
    await two.exchange({ heldFor: 1_000 });
    const { heldFor = 0 } = (await two.exchange({})) ?? {};
    expect(heldFor).toBeGreaterThan(hour - 30_000);
    expect(heldFor).toBeLessThanOrEqual(hour);
    const short = await pair('short waits');
    await short.one.exchange({ heldFor: 50, openFor: 50 });
    await vi.waitFor(async () => expect(await short.two.exchange({})).toEqual({}), 10_000);
  });

  test('is not told again to the process that reported it', async () => {
    const { one, two } = await pair('echo');
    expect(await one.exchange({ heldFor: hour, openFor: hour })).toEqual({});
    await two.exchange({ heldFor: 2 * hour });
    expect(await one.exchange({})).toEqual({ heldFor: expect.any(Number) });
    expect(await two.exchange({})).toEqual({ openFor: expect.any(Number) });
  });

  test('is that the token is refused, until one finds that it works', async () => {
    const { one, two } = await pair('token');
    await one.exchange({ openFor: hour });
    expect(await two.exchange({})).toMatchObject({ openFor: expect.any(Number) });
    await one.exchange({ openFor: 0 });
    expect(await two.exchange({})).toEqual({});
  });

  test('belongs to one panel and token, and no token is in Redis', async () => {
    const secret = 'https://panel.example.com secret-token';
    const { one } = await pair(secret);
    await one.exchange({ openFor: hour });
    const { two: other } = await pair('https://panel.example.com another-token');
    expect(await other.exchange({})).toEqual({});
    const keys = await (await own.connect()).keys('panelops:budget:*');
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.join()).not.toContain('secret');
  });
});

describe('turns of follow-ups', () => {
  test('of two processes, 1,000 at 480 a minute, come one after the other at the same distance', async () => {
    const dist = fileURLToPath(new URL('../../../dist/src/redis/', import.meta.url));
    const program = `
      import { connectRedis } from ${JSON.stringify(`${dist}connect.js`)};
      import { sharedBudget } from ${JSON.stringify(`${dist}budget.js`)};
      const quiet = () => undefined;
      const handle = connectRedis(process.env.URL, { debug: quiet, info: quiet, warn: quiet, error: quiet });
      await handle.ready();
      const budget = sharedBudget(handle.redis, 'pace');
      const turns = [];
      const take = async () => {
        for (let count = 0; count < 50; count += 1) {
          // Both in one go: how long the answers are under way does not count.
          const [[seconds, micros], { inMs }] = await Promise.all([handle.redis.time(), budget.slot(480, 0)]);
          turns.push(seconds * 1_000 + micros / 1_000 + inMs);
        }
      };
      await Promise.all(Array.from({ length: 10 }, take));
      console.log(JSON.stringify(turns));
      await handle.close();`;
    const run = promisify(execFile);
    const start = () =>
      run(process.execPath, ['--input-type=module', '-e', program], { env: { URL: own.running().url } });
    const printed = await Promise.all([start(), start()]);
    const turns: number[] = printed.flatMap(({ stdout }) => JSON.parse(stdout)).sort((a, b) => a - b);
    expect(turns).toHaveLength(1_000);
    const [first = 0, last = 0] = [turns[0], turns.at(-1)];
    // 999 distances of 125 ms, in whole ms.
    expect(last - first).toBeGreaterThan(124_000);
    expect(last - first).toBeLessThan(125_500);
    for (let from = first; from < last - 5_000; from += 1_000) {
      const inFiveSeconds = turns.filter((at) => at >= from && at < from + 5_000).length;
      expect(inFiveSeconds).toBeGreaterThan(36);
      expect(inFiveSeconds).toBeLessThan(44);
    }
  });

  test('begin after what holds, and go on from there', async () => {
    const { one, two } = await pair('turns');
    const inMs = async (budget: typeof one, after = 0) => (await budget.slot(60, after))?.inMs ?? -1;
    expect(await inMs(one)).toBe(0);
    expect(await inMs(two, 30_000)).toBe(30_000);
    const next = await inMs(one);
    expect(next).toBeGreaterThan(25_000);
    expect(next).toBeLessThanOrEqual(31_000);
  });

  test('bring along what all processes know', async () => {
    const { one, two } = await pair('along');
    await one.exchange({ limit: 90 });
    expect(await two.slot(60, 0)).toEqual({ inMs: 0, known: { limit: 90 } });
  });
});

test('while Redis stands still, people are answered as fast as ever', async () => {
  const redis = await startEmbeddedRedis(notes());
  const handle = connectRedis(redis.url, notes());
  onTestFinished(async () => {
    process.kill(redis.pid, 'SIGCONT');
    await handle.close();
    await redis.close();
  });
  await handle.ready();
  const { url, heard } = await serve(fine);
  const client = connect(url, { shared: () => sharedBudget(handle.redis, 'still') });
  await client.call('connect', {}, { kind: 'confirmed' });
  process.kill(redis.pid, 'SIGSTOP');
  const begun = performance.now();
  for (let count = 0; count < 200; count += 1) await client.call('connect', {}, { kind: 'confirmed' });
  const took = performance.now() - begun;
  expect(heard).toHaveLength(201);
  // Waiting for Redis each time would take 20 seconds, and its own timeout 600.
  expect(took).toBeLessThan(5_000);
});

test('without Redis a process goes by what it knows', async () => {
  const handle = connectRedis('redis://127.0.0.1:1', notes());
  onTestFinished(() => handle.close());
  const shared = sharedBudget(handle.redis, 'none');
  expect(await shared.exchange({ limit: 600 })).toBeUndefined();
  expect(await shared.slot(480, 0)).toBeUndefined();
});
