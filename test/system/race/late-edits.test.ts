import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DiscordFault, SandboxDiscord } from '../../../src/sandbox/discord/index.ts';
import { announced, power, startFollowing } from '../../helpers/follow-ups/story.ts';
import { asks, ended, idOf, labelsOf, messageOf, stateOf, until } from '../../helpers/messages.ts';
import { describeWithRedisServer, type RedisServer, startRedisServer } from '../../helpers/redis-server.ts';
import { startWorld, type World } from '../../helpers/world.ts';

/** An edit whose connection breaks, so that it is sent again, and which Discord does after all, so much later. */
const late = (path: string, ms: number): DiscordFault => ({
  kind: 'late-request',
  ms,
  match: { method: 'PATCH', path },
});

/** In ms: when everything else is done, also on a busy machine. */
const afterTheEnd = 3_000;

/** All that a message said, one after the other. */
function watch(discord: SandboxDiscord, id: string): string[] {
  const said: string[] = [];
  const look = (): void => {
    const state = stateOf(messageOf({ discord }, id));
    if (state !== said.at(-1)) said.push(state);
  };
  look();
  discord.changed(look);
  return said;
}

describe('an edit that Discord does late', () => {
  let world: World;
  beforeAll(async () => {
    world = await startFollowing();
  });
  afterEach(() => world.discord.clear());
  afterAll(() => world.stop());

  it('does not ask again what is answered', async () => {
    world.discord.order(late('/webhooks/*', afterTheEnd));
    const card = await asks(world, '/firewall flush server:web-1');
    const said = watch(world.discord, card.id);
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    expect(labelsOf(await ended(world, card))).toEqual([]);
    await until(() => said.filter((each) => each === 'QUESTION').length > 1, 'the late edit');
    await until(() => stateOf(messageOf(world, card.id)) === 'SUCCEEDED', 'the card as it was');
    expect(labelsOf(messageOf(world, card.id))).toEqual([]);
  });

  it('takes no end back that was announced', async () => {
    world.discord.order(late('/webhooks/*', afterTheEnd));
    const card = await power(world, 'boot server:web-2');
    const said = watch(world.discord, card.id);
    await announced(world, card);
    await until(() => said.includes('FINISHED'), 'the end');
    await until(() => said.length > said.indexOf('FINISHED') + 1, 'the late edit');
    await until(() => stateOf(messageOf(world, card.id)) === 'FINISHED', 'the card as it was');
  });
});

describeWithRedisServer('an edit of one bot that Discord does after one of another', () => {
  let world: World;
  let other: Awaited<ReturnType<World['another']>>;
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedisServer();
    world = await startWorld({ redisUrl: redis.url, ledger: 'redis', still: true });
    other = await world.another({ redisUrl: redis.url });
  });
  afterAll(async () => {
    await other.stop();
    await world.stop();
    await redis.stop();
  });

  it('does not stay, whoever made which', async () => {
    for (const server of ['web-1', 'web-2', 'web-3', 'db-1']) {
      world.discord.order(late('/webhooks/*', afterTheEnd));
      const card = await asks(world, `/firewall flush server:${server}`);
      const said = watch(world.discord, card.id);
      await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
      await ended(world, card);
      await until(() => said.filter((each) => each === 'QUESTION').length > 1, 'the late edit');
      await until(() => stateOf(messageOf(world, card.id)) === 'SUCCEEDED', 'the card as it was');
    }
  });
});
