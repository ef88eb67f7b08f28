import { afterEach, describe, expect, it } from 'vitest';
import type { DiscordFault, SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { announced, power, sharedFollowing } from '../../helpers/follow-ups/story.ts';
import { asks, ended, labelsOf, messageOf, presses, stateOf, until } from '../../helpers/messages.ts';
import { type World, worldForAll } from '../../helpers/world.ts';

/** An edit whose connection breaks, so that it is sent again, and which Discord does after all: once `clear()` is called. */
const late = (body: string): DiscordFault => ({
  kind: 'late-request',
  match: { method: 'PATCH', path: '/webhooks/*', body },
});

/** How often a message came to say this since then. */
function times({ discord }: World, { id }: SeenMessage, state: string): () => number {
  const said: string[] = [];
  const look = (): void => {
    const now = stateOf(messageOf({ discord }, id));
    if (now !== said.at(-1)) said.push(now);
  };
  look();
  discord.changed(look);
  return () => said.filter((each) => each === state).length;
}

/** A question whose edit comes late, and that was answered before it came. */
async function answered(world: World, server: string) {
  world.discord.order(late('QUESTION'));
  const card = await asks(world, `/firewall flush server:${server}`);
  const asked = times(world, card, 'QUESTION');
  await presses(world, card, 'Confirm');
  expect(labelsOf(await ended(world, card))).toEqual([]);
  return { card, cameLate: () => asked() > 1 };
}

const standsAsItWas = async (world: World, card: SeenMessage): Promise<void> => {
  await until(() => stateOf(messageOf(world, card.id)) === 'SUCCEEDED', 'the card as it was');
  expect(labelsOf(messageOf(world, card.id))).toEqual([]);
};

describe('an edit that Discord does late', () => {
  const world = sharedFollowing();
  afterEach(() => world.discord.clear());

  it('does not ask again what is answered', async () => {
    const { card, cameLate } = await answered(world, 'web-1');
    world.discord.clear();
    await until(cameLate, 'the late edit');
    await standsAsItWas(world, card);
  });

  it('takes no end back that was announced', async () => {
    world.discord.order(late('ACCEPTED'));
    const card = await power(world, 'boot server:web-2');
    const accepted = times(world, card, 'ACCEPTED');
    await announced(world, card);
    await until(() => stateOf(messageOf(world, card.id)) === 'FINISHED', 'the end');
    const before = accepted();
    world.discord.clear();
    await until(() => accepted() > before, 'the late edit');
    await until(() => stateOf(messageOf(world, card.id)) === 'FINISHED', 'the card as it was');
  });
});

/** How it comes that the bot does not hear of the late edit, once it is let go. */
const absences: [when: string, server: string, passes: (world: World, came: () => boolean) => unknown][] = [
  [
    'the bot is started again before it comes',
    'web-1',
    async (world, came) => {
      await world.restart();
      expect(came()).toBe(false);
      world.discord.clear();
    },
  ],
  [
    'it comes between a stop and a start',
    'web-2',
    async (world, came) => {
      await world.app.stop();
      world.discord.clear();
      await until(came, 'the late edit');
      await world.restart();
    },
  ],
  [
    'the session of the gateway is lost meanwhile',
    'web-3',
    async ({ discord }, came) => {
      const loseSession = (): void => {
        discord.order({ kind: 'forget-sessions' });
        discord.order({ kind: 'drop-gateway' });
      };
      loseSession();
      const away = setInterval(loseSession, 20);
      discord.clear();
      await until(came, 'the late edit').finally(() => clearInterval(away));
    },
  ],
  [
    'the guild has an outage meanwhile',
    'db-1',
    ({ discord }) => {
      discord.order({ kind: 'guild-outage' });
      discord.clear();
    },
  ],
];

describe('an edit that Discord does late, while the bot does not hear of it,', () => {
  const world = worldForAll({ still: true });
  afterEach(() => world.discord.clear());

  it.each(absences)('does not stay when %s', async (_when, server, passes) => {
    const { card, cameLate } = await answered(world, server);
    await passes(world, cameLate);
    await until(cameLate, 'the late edit');
    await standsAsItWas(world, card);
  });
});
