import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DiscordFault, SandboxDiscord, SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { announced, power, startFollowing } from '../../helpers/follow-ups/story.ts';
import { asks, ended, idOf, labelsOf, messageOf, stateOf, until } from '../../helpers/messages.ts';
import { startWorld, type World } from '../../helpers/world.ts';

/** An edit whose connection breaks, so that it is sent again, and which Discord does after all: once `clear()` is called. */
const late = (body: string): DiscordFault => ({
  kind: 'late-request',
  match: { method: 'PATCH', path: '/webhooks/*', body },
});

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
    world.discord.order(late('QUESTION'));
    const card = await asks(world, '/firewall flush server:web-1');
    const said = watch(world.discord, card.id);
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    expect(labelsOf(await ended(world, card))).toEqual([]);
    world.discord.clear();
    await until(() => said.filter((each) => each === 'QUESTION').length > 1, 'the late edit');
    await until(() => stateOf(messageOf(world, card.id)) === 'SUCCEEDED', 'the card as it was');
    expect(labelsOf(messageOf(world, card.id))).toEqual([]);
  });

  it('takes no end back that was announced', async () => {
    world.discord.order(late('ACCEPTED'));
    const card = await power(world, 'boot server:web-2');
    const said = watch(world.discord, card.id);
    await announced(world, card);
    await until(() => said.includes('FINISHED'), 'the end');
    world.discord.clear();
    await until(() => said.length > said.indexOf('FINISHED') + 1, 'the late edit');
    await until(() => stateOf(messageOf(world, card.id)) === 'FINISHED', 'the card as it was');
  });
});

/** A question whose edit comes late, and that was answered before it came; and all that its card said. */
async function answered(world: World, server: string) {
  world.discord.order(late('QUESTION'));
  const card = await asks(world, `/firewall flush server:${server}`);
  const said = watch(world.discord, card.id);
  await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
  expect(stateOf(await ended(world, card))).toBe('SUCCEEDED');
  return { card, cameLate: () => said.filter((each) => each === 'QUESTION').length > 1 };
}

const standsAsItWas = async (world: World, card: SeenMessage): Promise<void> => {
  await until(() => stateOf(messageOf(world, card.id)) === 'SUCCEEDED', 'the card as it was');
  expect(labelsOf(messageOf(world, card.id))).toEqual([]);
};

describe('an edit that Discord does late, while the bot does not hear of it,', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ still: true });
  });
  afterEach(() => world.discord.clear());
  afterAll(() => world.stop());

  it('does not stay when the bot is started again before it comes', async () => {
    const { card, cameLate } = await answered(world, 'web-1');
    await world.restart();
    expect(cameLate()).toBe(false);
    world.discord.clear();
    await until(cameLate, 'the late edit');
    await standsAsItWas(world, card);
  });

  it('does not stay when it comes between a stop and a start', async () => {
    const { card, cameLate } = await answered(world, 'web-2');
    await world.app.stop();
    world.discord.clear();
    await until(cameLate, 'the late edit');
    await world.restart();
    await standsAsItWas(world, card);
  });

  it('does not stay when the session of the gateway is lost meanwhile', async () => {
    const { card, cameLate } = await answered(world, 'web-3');
    const loseSession = (): void => {
      world.discord.order({ kind: 'forget-sessions' });
      world.discord.order({ kind: 'drop-gateway' });
    };
    loseSession();
    const away = setInterval(loseSession, 20);
    world.discord.clear();
    await until(cameLate, 'the late edit').finally(() => clearInterval(away));
    await standsAsItWas(world, card);
  });

  it('does not stay when the guild has an outage meanwhile', async () => {
    const { card, cameLate } = await answered(world, 'db-1');
    world.discord.order({ kind: 'guild-outage' });
    world.discord.clear();
    await until(cameLate, 'the late edit');
    await standsAsItWas(world, card);
  });
});
