import { createServer } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFollowUps, type FollowUps } from '../../src/follow-ups/index.ts';
import type { Source } from '../../src/follow-ups/source.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { startEmbeddedRedis } from '../../src/redis/embedded.ts';
import { alice, announcing, bob, channel, follow, stepsOf } from '../helpers/follow-ups/bench.ts';
import { notes, openLedger } from '../helpers/ledger/samples.ts';

const source = (look: Source['look']): Source => ({
  turn: () => Promise.resolve(0),
  unreadable: () => false,
  look,
  troubles: () => [],
});

/** Follow-ups of one process on the Redis of this address, once there is one. */
function processOn(address: string | Promise<string>, ledger: Ledger, look: Source['look']): FollowUps {
  const connected = Promise.resolve(address).then((url) => {
    const [producer, worker] = [connectRedis(url, notes()), connectRedis(url, notes(), 'forWorker')];
    onTestFinished(async () => void (await Promise.all([producer.close(), worker.close()])));
    return { producer: producer.redis, worker: worker.redis };
  });
  const followUps = createFollowUps({
    ...{ ledger, source: source(look), readable: () => true, changed: () => undefined },
    redis: connected,
    follows: () => ({ restore: true, power: true, deadline: 3_600_000 }),
    intervals: { first: 20, most: 50, retry: 50 },
    stuckAfter: () => undefined,
    log: notes(),
  });
  onTestFinished(() => followUps.close());
  return followUps;
}

/** Where nothing listens. */
async function nowhere(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

const running = { kind: 'seen', state: 'running', word: 'running', progress: 40 } as const;
const finished = { kind: 'seen', state: 'succeeded', word: 'completed' } as const;

describe.each([
  ['during an outage of Redis', nowhere],
  ['before the embedded Redis has started', () => Promise.resolve(new Promise<string>(() => undefined))],
])('%s', (_when, address) => {
  let ledger: Ledger;
  let followUps: FollowUps;
  beforeEach(async () => {
    ledger = await openLedger();
    followUps = processOn(address(), ledger, () => Promise.resolve(running));
    await follow(ledger, 'a.1');
    await follow(ledger, 'b.2');
  });

  it('people list, stop and hand over what is followed, and nobody is refused', async () => {
    const listed = await followUps.list();
    expect(listed.map(({ id }) => id)).toEqual(['restore-101-9001', 'restore-102-9002']);
    expect(followUps.lookOf('a.1')).toBeUndefined();
    expect(await followUps.handOver('restore-101-9001', bob, alice)).toBe(true);
    expect((await followUps.list(101))[0]?.notify).toMatchObject({ id: bob.id });
    expect(await followUps.stop('restore-101-9001', bob)).toBe(true);
    expect(await followUps.stop('restore-101-9001', bob)).toBe(false);
    expect(ledger.following().map(({ followUp }) => followUp?.ended?.end)).toEqual(['stopped', undefined]);
  });
});

it('A Redis that starts late gets what the ledger follows, without anybody asking for it', async () => {
  const ledger = await openLedger();
  let starts = (_url: string): void => undefined;
  const url = new Promise<string>((resolve) => {
    starts = resolve;
  });
  const followUps = processOn(url, ledger, () => Promise.resolve(running));
  await follow(ledger, 'a.1');
  await followUps.reconcile();
  expect([followUps.lookOf('a.1'), await followUps.lastCanary()]).toEqual([undefined, undefined]);
  const redis = await startEmbeddedRedis(notes());
  onTestFinished(() => redis.close());
  starts(redis.url);
  await expect.poll(() => followUps.lookOf('a.1'), { timeout: 20_000 }).toMatchObject({ progress: 40 });
  await expect.poll(() => followUps.lastCanary(), { timeout: 20_000 }).toBeGreaterThan(0);
});

it('An empty Redis that comes back gets what the ledger follows, and it goes on to its end', async () => {
  const ledger = await openLedger();
  const messages = channel();
  announcing({ ledger, messages });
  const redis = await startEmbeddedRedis(notes());
  onTestFinished(() => redis.close());
  let answer: typeof running | typeof finished = running;
  const followUps = processOn(redis.url, ledger, () => Promise.resolve(answer));
  await follow(ledger, 'a.1');
  await followUps.reconcile();
  await expect.poll(() => followUps.lookOf('a.1'), { timeout: 20_000 }).toMatchObject({ progress: 40 });
  redis.kill();
  expect(await followUps.handOver('restore-101-9001', bob, alice)).toBe(true);
  answer = finished;
  const goesOn = async (): Promise<readonly string[]> => {
    await followUps.reconcile();
    return stepsOf(ledger, 'a.1');
  };
  await expect.poll(goesOn, { timeout: 30_000 }).toContain('announced');
  expect(stepsOf(ledger, 'a.1')).toEqual(['started', 'handed-over', 'ended', 'announced']);
  expect(messages.posts.map(({ pings }) => pings)).toEqual([[bob.id]]);
});
