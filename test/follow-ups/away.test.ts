import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFollowUps, type FollowUps } from '../../src/follow-ups/index.ts';
import type { Source } from '../../src/follow-ups/source.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { startEmbeddedRedis } from '../../src/redis/embedded.ts';
import { until } from '../races.ts';
import { notes } from '../redis/instance.ts';
import { alice, bob, type Channel, cardsOf, channel, ended, follow, ownLedger, stepsOf } from './bench.ts';

const source = (look: Source['look']): Source => ({
  turn: () => Promise.resolve(0),
  unreadable: () => false,
  look,
  troubles: () => [],
});

/** Follow-ups of one process on the Redis of this address. */
function processOn(url: string, ledger: Ledger, messages: Channel, look: Source['look']): FollowUps {
  const [producer, worker] = [connectRedis(url, notes()), connectRedis(url, notes(), 'forWorker')];
  const followUps = createFollowUps({
    ...{ ledger, messages, cards: cardsOf(), source: source(look), readable: true },
    redis: { producer: producer.redis, worker: worker.redis },
    follows: { restore: true, power: true, deadline: 3_600_000 },
    intervals: { first: 20, most: 50, again: 50 },
    stuckAfter: () => undefined,
    log: notes(),
  });
  onTestFinished(async () => {
    await Promise.race([followUps.close(), delay(3_000)]);
    await Promise.all([producer.close(), worker.close()]);
  });
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

describe('while Redis is away', () => {
  let ledger: Ledger;
  let messages: Channel;
  let followUps: FollowUps;
  beforeEach(async () => {
    ledger = await ownLedger();
    messages = channel();
    followUps = processOn(await nowhere(), ledger, messages, () => Promise.resolve(running));
    await follow(ledger, 'a.1');
    await follow(ledger, 'b.2');
  });
  afterEach(() => expect(ledger.following()).toHaveLength(1));

  it('people list, stop and hand over what is followed, and nobody is refused', async () => {
    const listed = await followUps.list();
    expect(listed.map(({ id }) => id)).toEqual(['restore-101-9001', 'restore-102-9002']);
    expect(await followUps.lookOf('a.1')).toBeUndefined();
    expect(await followUps.handOver('restore-101-9001', bob, alice)).toBe(true);
    expect((await followUps.list(101))[0]?.notify).toMatchObject({ id: bob.id });
    expect(await followUps.stop('restore-101-9001', bob)).toBe(true);
    expect(await followUps.stop('restore-101-9001', bob)).toBe(false);
    expect(await followUps.say('a.1', 'finished', alice)).toBe(false);
    await until(() => stepsOf(ledger, 'a.1').includes('announced'), 'the announcement', 20_000);
    expect(messages.posts).toEqual([]);
  });

  it('what a person says is announced all the same, once', async () => {
    expect(await followUps.say('a.1', 'finished', bob)).toBe(true);
    await Promise.all([followUps.reconcile(), followUps.reconcile()]);
    await until(() => stepsOf(ledger, 'a.1').includes('announced'), 'the announcement', 20_000);
    expect(messages.posts.map(({ pings }) => pings)).toEqual([[alice.id]]);
  });

  it('what Discord did not take is announced when the ledger is looked through again', async () => {
    await ledger.append([ended('a.1', 'finished')]);
    messages.fault = () => Promise.reject(new Error('Discord is away'));
    await followUps.reconcile();
    expect(stepsOf(ledger, 'a.1')).toEqual(['started', 'ended']);
    messages.fault = () => Promise.resolve();
    await followUps.reconcile();
    expect(messages.posts).toHaveLength(1);
  });
});

it('An empty Redis that comes back gets what the ledger follows, and it goes on to its end', async () => {
  const ledger = await ownLedger();
  const messages = channel();
  const redis = await startEmbeddedRedis(notes());
  onTestFinished(() => redis.close());
  let answer: typeof running | typeof finished = running;
  const followUps = processOn(redis.url, ledger, messages, () => Promise.resolve(answer));
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
