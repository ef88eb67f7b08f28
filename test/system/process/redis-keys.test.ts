import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { type AppOptions, policyFor, startApp } from '../../../src/app.ts';
import { neededCommands } from '../../../src/redis/probe.ts';
import { ownRedisServer } from '../../helpers/bot-process.ts';
import { words } from '../../helpers/card-text.ts';
import { pingOf, restores } from '../../helpers/follow-ups/story.ts';
import { folder } from '../../helpers/ledger/samples.ts';
import { asks, ended, idOf, messageOf, quietLog, stateOf, textOf, until } from '../../helpers/messages.ts';
import { describeWithRedisServer, type RedisServer } from '../../helpers/redis-server.ts';
import { surroundings } from '../../helpers/surroundings.ts';
import { examplePolicy } from '../../helpers/world.ts';

/** Every key that is written from now on, however short it is there, without what tells it from others of its kind. */
async function writtenIn({ url }: RedisServer): Promise<Set<string>> {
  const kinds = new Set<string>();
  const raw = new Redis(url);
  onTestFinished(() => raw.disconnect());
  await raw.config('SET', 'notify-keyspace-events', 'KA');
  await raw.psubscribe('__keyspace@0__:*');
  raw.on('pmessage', (_pattern, place: string) => {
    const key = place.replace('__keyspace@0__:', '');
    const [kind = '', name = ''] = key.split(':');
    kinds.add(kind === 'panelops' || kind === 'bull' ? `${kind}:${name}` : key);
  });
  return kinds;
}

/** A bot that does everything that there is: commands, follow-ups, reminders, the trail and the pinned counts. */
async function openBot(ledger: NonNullable<AppOptions['ledger']>) {
  const [around, redis] = [await surroundings({ restoreMs: 500 }), await ownRedisServer()];
  const written = await writtenIn(redis);
  const read = policyFor(examplePolicy.replace('handover-pin: off', 'handover-pin: on'), around.discord.guildId);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const { token, guildId, apiUrl } = around.discord;
  let ahead = 0;
  const app = await startApp({
    discord: { token, guild: guildId, apiUrl, register: true },
    panel: { url: around.panel.url, token: around.panel.token },
    policy: read.policy,
    dataDir: folder(),
    audit: around.discord.channels.audit,
    redisUrl: redis.url,
    ledger,
    note: '',
    log: quietLog,
    onRefused: () => undefined,
    now: () => Date.now() + ahead,
    intervals: {
      ...{ recover: 50, reconcile: 200, announcer: { every: 50 }, duties: { pins: 50 } },
      followUps: { first: 50, most: 200, retry: 100 },
    },
  });
  onTestFinished(() => app.stop());
  return {
    around,
    app,
    written,
    redis,
    timePasses(ms: number) {
      ahead += ms;
    },
  };
}

/** What was sent without having been tried at the start: by the test itself, and what may fail without harm. */
async function untried({ url }: RedisServer): Promise<string[]> {
  const raw = new Redis(url);
  onTestFinished(() => raw.disconnect());
  const sent = [...(await raw.info('commandstats')).matchAll(/^cmdstat_([^:|]+)/gm)].map(([, name = '']) => name);
  const beside = ['client', 'config', 'hello', 'psubscribe', 'waitaof'];
  return [...new Set(sent)].filter((name) => !beside.includes(name) && !neededCommands.includes(name.toUpperCase()));
}

/** A question that is confirmed, one that is cancelled, a restore to its end, a reminder, and all of it in the trail. */
async function live({ around, app, timePasses }: Awaited<ReturnType<typeof openBot>>): Promise<void> {
  const { discord } = around;
  const off = await asks(around, '/firewall disable server:web-1 remind:2h');
  await discord.click('alice', off.id, idOf(off, 'Confirm'));
  expect(stateOf(await ended(around, off))).toBe('SUCCEEDED');
  const cancelled = await asks(around, '/firewall flush server:web-2');
  await discord.click('alice', cancelled.id, idOf(cancelled, 'Cancel'));
  await discord.until(() => stateOf(messageOf(around, cancelled.id)) === 'CANCELLED');
  await pingOf(around, await restores(around, 'web-3'));

  timePasses(2 * 3_600_000 + 1);
  const reminder = () => discord.messages('alice', 'ops').find(({ content }) => words(content).startsWith('REMINDER'));
  await until(() => app.entries().some(({ kind }) => kind === 'reminded') && reminder(), 'the reminder');
  const last = app.entries().findLast(({ kind }) => kind === 'reminded')?.seq ?? 0;
  const posted = (): number[] =>
    discord
      .messages('alice', 'audit')
      .flatMap((message) => [...textOf(message).matchAll(/#(\d+) · [0-9a-f]+$/gm)].map(([, seq]) => Number(seq)));
  await until(() => posted().some((seq) => seq >= last), 'the trail');
}

describeWithRedisServer('what a bot keeps in Redis', () => {
  it('is the ledger with its lease and the open cards, where the ledger is in it', async () => {
    const bot = await openBot('redis');
    await live(bot);
    expect([...bot.written].sort()).toEqual([
      'bull:follow-ups',
      'panelops:bot',
      'panelops:canary',
      'panelops:cards',
      'panelops:check',
      'panelops:lease',
      'panelops:ledger',
      'panelops:ledger-head',
    ]);
    expect(await untried(bot.redis)).toEqual([]);
  });

  it('is the queue of follow-ups alone, with its canary, where the ledger is in files', async () => {
    const bot = await openBot('file');
    await live(bot);
    expect([...bot.written].sort()).toEqual(['bull:follow-ups', 'panelops:bot', 'panelops:canary', 'panelops:check']);
    expect(await untried(bot.redis)).toEqual([]);
  });
});
