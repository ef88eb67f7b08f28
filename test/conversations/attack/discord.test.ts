import { expect, it, onTestFinished } from 'vitest';
import type { RestRequest, SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { answerTo, asks, changes, ended, historyOf, idOf, runOf, stateOf, until } from '../../helpers/messages.ts';
import { openWorld, type World, type WorldOptions } from '../../helpers/world.ts';

/** A world in which nothing is followed; Discord is well again before it stops. */
async function openStill(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ still: true, ...options });
  onTestFinished(() => world.discord.clear());
  return world;
}

/** Edits of a card that Discord has answered, oldest first. */
const editsOf = ({ discord }: World, card: SeenMessage): RestRequest[] =>
  discord.requests.filter(({ method, body }) => method === 'PATCH' && JSON.stringify(body).includes(runOf(card)));

it('a Discord that holds an edit back does not make a confirmed change late', async () => {
  const world = await openStill();
  const card = await asks(world, '/power poweroff server:web-1');
  world.discord.order({ kind: 'rate-limit', retryAfterMs: 2_000, match: { method: 'PATCH', path: '/webhooks/*' } });
  await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
  await world.panel.until(() => changes(world).length === 1);
  expect(editsOf(world, card).filter(({ status }) => status === 200)).toHaveLength(1);
  expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
});

it('a Discord that holds an edit back does not hold the next server back', async () => {
  const world = await openStill();
  world.discord.order({ kind: 'rate-limit', retryAfterMs: 2_000, match: { method: 'PATCH', path: '/webhooks/*' } });
  const id = await world.discord.type('alice', 'ops', '/power boot server:web-1,web-2');
  const card = await answerTo(world, id, ['WORKING']);
  await world.panel.until(() => changes(world).length === 2);
  expect(editsOf(world, card).filter(({ status }) => status === 200)).toEqual([]);
  expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
});

/** A question that ran out, and whose edit Discord holds back for a minute. */
async function heldBack(): Promise<World> {
  const world = await openStill({ intervals: { open: { plain: 700, typed: 700 }, drain: 500 } });
  const card = await asks(world, '/power poweroff server:web-1');
  world.discord.order({ kind: 'rate-limit', retryAfterMs: 60_000, match: { method: 'PATCH', path: '/webhooks/*' } });
  await until(() => editsOf(world, card).some(({ status }) => status === 429), 'an edit to be held back');
  return world;
}

it('an edit that Discord holds back does not hold up the other questions', async () => {
  const world = await heldBack();
  const other = await asks(world, '/power poweroff server:web-2');
  await until(() => historyOf(world, other).includes('expired'), 'the other question to run out');
});

it('an edit that Discord holds back does not hold up the stop', async () => {
  const world = await heldBack();
  const from = performance.now();
  await world.app.stop();
  expect(performance.now() - from).toBeLessThan(30_000);
});
