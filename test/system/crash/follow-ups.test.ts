import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startEmbeddedRedis } from '../../../src/redis/embedded.ts';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { announced, looks, repliesTo, restores, stepsOf } from '../../helpers/follow-ups/story.ts';
import { chainIn } from '../../helpers/ledger/reading.ts';
import { forThis } from '../../helpers/lives.ts';
import { messageOf, moment, quietLog, stateOf, until } from '../../helpers/messages.ts';
import { openScene, type QuickBot, type Scene } from '../../helpers/quick-bot.ts';
import { redisOf } from '../../helpers/redis-server.ts';

const servers = ['web-1', 'web-2', 'web-3', 'db-2', 'vpn-1', 'lab-1'];

type Victim = 'bot' | 'redis' | 'both';

/** Kills these processes, and restarts those that do not come back by themselves. */
async function strike(bot: QuickBot, victim: Victim, again: () => Promise<QuickBot>): Promise<QuickBot> {
  const redis = victim === 'bot' ? 0 : await redisOf(bot.pid);
  if (redis !== 0) process.kill(redis, 'SIGKILL');
  if (victim === 'redis') {
    await expect.poll(() => redisOf(bot.pid)).not.toBe(redis);
    return bot;
  }
  await bot.kill();
  return again();
}

/** Resolves at the n-th request from now on, to Discord or to the panel. */
function request(scene: Scene, n: number): Promise<void> {
  const count = (): number => scene.discord.requests.length + scene.panel.requests.length;
  const goal = count() + n;
  return moment(scene, () => count() >= goal);
}

/** What is killed, and at which request: the same ones for the same seed. */
const plan = (seed: number, victims: readonly Victim[], kills: number): { victim: Victim; at: number }[] =>
  fc.sample(fc.record({ victim: fc.constantFrom(...victims), at: fc.integer({ min: 1, max: 15 }) }), {
    seed,
    numRuns: kills,
  });

async function restoresOf(scene: Scene): Promise<SeenMessage[]> {
  const cards: SeenMessage[] = [];
  for (const server of servers) cards.push(await restores(scene, server));
  return cards;
}

const isOver = (scene: Scene, card: SeenMessage): boolean => stepsOf(scene, card).includes('announced');

/** Within so many ms of the last start, everything that is not over has been looked at, or is over. */
async function goesOn(scene: Scene, cards: readonly SeenMessage[], within: number): Promise<void> {
  const seen = looks(scene).length;
  const jobs = scene.panel.state.jobs;
  const isSeen = (card: SeenMessage, i: number): boolean =>
    isOver(scene, card) ||
    looks(scene)
      .slice(seen)
      .some(({ path }) => path.endsWith(`/${jobs[i]?.jobId}`));
  await until(() => cards.every(isSeen), 'a look at each that is not over', within);
}

/** One effect, one card, one end, one ping: each. */
async function expectOnce(scene: Scene, cards: readonly SeenMessage[]): Promise<void> {
  for (const card of cards) await announced(scene, card);
  const pings = cards.map((card) => repliesTo(scene, card).map(({ pinged, replyTo }) => [replyTo, ...pinged]));
  expect(pings).toEqual(cards.map(({ id }) => [[id, 'alice']]));
  expect(cards.map((card) => stateOf(messageOf(scene, card.id)))).toEqual(cards.map(() => 'FINISHED'));
  expect(cards.map((card) => stepsOf(scene, card))).toEqual(cards.map(() => ['started', 'ended', 'announced']));
  expect(scene.panel.effects).toHaveLength(cards.length);
  expect(scene.panel.requests.filter(({ method }) => method !== 'GET')).toHaveLength(cards.length);
  expect(chainIn(scene.dir)).toBe(true);
}

/** Two polling intervals are ten seconds at least: a look every five is the most there is. */
const twoIntervals = 10_000;

async function ordeal(scene: Scene, start: () => Promise<QuickBot>, kills: readonly { victim: Victim; at: number }[]) {
  let bot = await start();
  const cards = await restoresOf(scene);
  for (const { victim, at } of kills) {
    if (cards.every((card) => isOver(scene, card))) break;
    // Once all is over, nothing is asked for any more.
    const over = until(() => cards.every((card) => isOver(scene, card)), 'the end of all', 30_000);
    over.catch(() => undefined);
    await Promise.race([request(scene, at), over]);
    bot = await strike(bot, victim, start);
    await goesOn(scene, cards, twoIntervals);
  }
  await expectOnce(scene, cards);
  // Nothing comes after the end, whoever is started again.
  const asked = looks(scene).length;
  await bot.kill();
  await start();
  await restores(scene, 'cache-1');
  await until(() => looks(scene).length > asked, 'a look at another');
  const late = looks(scene).slice(asked);
  expect(late.filter(({ path }) => !path.includes('/131/'))).toEqual([]);
  expect(cards.map((card) => repliesTo(scene, card).length)).toEqual(cards.map(() => 1));
}

describe('restores are followed to one ping each, whatever is killed at whichever request', () => {
  it('the bot, its Redis, or both', async () => {
    const scene = await openScene({ restoreMs: 6_000 });
    await ordeal(scene, () => scene.start(), plan(2, ['bot', 'redis', 'both'], 10));
  });

  it('the bot, with a Redis that outlives it', async () => {
    const scene = await openScene({ restoreMs: 6_000 });
    const redis = await forThis(startEmbeddedRedis(quietLog));
    await ordeal(scene, () => scene.start({ redisUrl: redis.url }), plan(3, ['bot'], 4));
  });
});

describe('a restore has ended, and the bot is killed', () => {
  const points: [string, (scene: Scene, card: SeenMessage) => boolean][] = [
    ['when it learns of that', ({ panel: { state } }) => state.jobs.every(({ ends }) => ends && ends < new Date())],
    ['when the card says so', (scene, { id }) => stateOf(messageOf(scene, id)) === 'FINISHED'],
    ['when the message that pings is posted', (scene, card) => repliesTo(scene, card).length > 0],
  ];

  it.each(points)('%s: it pings once, also when Discord has forgotten the nonce', async (_, isSo) => {
    const scene = await openScene({ restoreMs: 1_000 });
    const bot = await scene.start();
    const card = await restores(scene, 'web-1');
    const asked = () => looks(scene).length;
    const before = asked();
    // However late the kill comes: the bot cannot know that its message was posted.
    scene.discord.order({ kind: 'lose-request', by: 'hang', match: { method: 'POST', path: '/channels/*/messages' } });
    await moment(scene, () => asked() > before && isSo(scene, card));
    await bot.kill();
    scene.discord.clear();
    expect(stepsOf(scene, card)).not.toContain('announced');
    scene.forget(10 * 60_000);
    await scene.start();
    await expectOnce(scene, [card]);
  });
});
