import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { neededCommands } from '../../../src/redis/probe.ts';
import { pingOf, restores } from '../../helpers/follow-ups/story.ts';
import { until } from '../../helpers/messages.ts';
import { describeWithRedisServer, ownRedisServer } from '../../helpers/redis-server.ts';
import { reaches } from '../../helpers/trail/process.ts';
import { examplePolicy, openWorld, type World } from '../../helpers/world.ts';

/** Every key that is written from now on, however short it is there, without what tells it from others of its kind. */
async function writtenIn(raw: Redis): Promise<Set<string>> {
  const kinds = new Set<string>();
  await raw.config('SET', 'notify-keyspace-events', 'KA');
  const listening = raw.duplicate();
  onTestFinished(() => listening.disconnect());
  await listening.psubscribe('__keyspace@0__:*');
  listening.on('pmessage', (_pattern, place: string) => {
    const key = place.replace('__keyspace@0__:', '');
    const [kind = '', name = ''] = key.split(':');
    kinds.add(kind === 'panelops' || kind === 'bull' ? `${kind}:${name}` : key);
  });
  return kinds;
}

/** What was sent without having been tried at the start: by the test itself, and what may fail without harm. */
async function untried(raw: Redis): Promise<string[]> {
  const sent = [...(await raw.info('commandstats')).matchAll(/^cmdstat_([^:|]+)/gm)].map(([, name = '']) => name);
  const beside = ['client', 'config', 'hello', 'psubscribe', 'waitaof'];
  return [...new Set(sent)].filter((name) => !beside.includes(name) && !neededCommands.includes(name.toUpperCase()));
}

/** A question that is confirmed, one that is cancelled, a restore to its end, a reminder, and all of it in the trail. */
async function live(world: World): Promise<void> {
  const { alice, discord, app } = world;
  await alice.types('/firewall disable server:web-1 remind:2h');
  expect(await alice.clicks('Confirm')).toContain('SUCCEEDED');
  await alice.types('/firewall flush server:web-2');
  expect(await alice.clicks('Cancel')).toContain('CANCELLED');
  await pingOf(world, await restores(world, 'web-3'));
  world.timePasses(2 * 3_600_000 + 1);
  await until(() => app.entries().some(({ kind }) => kind === 'reminded'), 'the reminder');
  await reaches(discord, () => app.entries().at(-1)?.seq ?? 0);
}

describeWithRedisServer('What a bot keeps in Redis', () => {
  it.each([
    [
      'is the ledger with its lease and the open cards, where the ledger is in it',
      'redis',
      ['panelops:cards', 'panelops:lease', 'panelops:ledger', 'panelops:ledger-head'],
    ],
    ['is the queue of follow-ups alone, with its canary, where the ledger is in files', 'file', []],
  ] as const)('%s', async (_what, ledger, beyond) => {
    const redis = await ownRedisServer();
    const raw = new Redis(redis.url);
    onTestFinished(() => raw.disconnect());
    const written = await writtenIn(raw);
    const world = await openWorld({
      ...{ audit: true, redisUrl: redis.url, panel: { restoreMs: 500 } },
      ...(ledger === 'redis' && { ledger }),
      policy: examplePolicy.replace('handover-pin: off', 'handover-pin: on'),
      intervals: { announcer: { every: 50 }, duties: { pins: 50 }, followUps: { first: 50, most: 200, retry: 100 } },
    });
    await live(world);
    const always = ['bull:follow-ups', 'panelops:bot', 'panelops:canary', 'panelops:check'];
    expect([...written].sort()).toEqual([...always, ...beyond].sort());
    expect(await untried(raw)).toEqual([]);
  });
});
