import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DiscordFault } from '../../src/sandbox/discord/index.ts';
import { answerTo, asks, changes, historyOf, idOf, messageOf, stateOf, until } from '../helpers/messages.ts';
import { type Connection, call, identified } from '../helpers/sandbox/discord/raw.ts';
import { startWorld, type World } from '../helpers/world.ts';

/**
 * Another process on the same token, which is stopping, answers faster than the bot: it tells the person that nothing
 * was sent.
 */
describe('who was told that nothing was sent', () => {
  let world: World;
  let other: Connection;
  beforeAll(async () => {
    world = await startWorld({ still: true });
    other = await identified(world.discord);
  });
  afterEach(() => world.discord.clear());
  afterAll(() => world.stop());

  /** Does it; while the bot's first answer is on its way, the other process says no. */
  async function refused(deed: () => Promise<string>): Promise<void> {
    const { discord } = world;
    const slow: DiscordFault = { kind: 'delay', ms: 500, match: { method: 'POST', path: '/interactions/*' } };
    discord.order(slow);
    const interaction = await deed();
    const { d } = await other.wait(({ t, d }) => t === 'INTERACTION_CREATE' && d['id'] === interaction);
    await until(() => !discord.isOrdered(slow), "the bot's first answer");
    const data = { content: 'NOT-SENT: the bot is stopping. Nothing was sent.', flags: 64 };
    const body = { type: 4, data };
    expect((await call(discord, 'POST', `/interactions/${d['id']}/${d['token']}/callback`, body)).status).toBe(204);
    const isTaken = () => discord.requests.some(({ path, status }) => path.includes(interaction) && status === 400);
    await until(isTaken, 'that the bot came too late');
    // What it might do now, it would do before whatever comes next.
    await world.bob.types('/traffic show server:web-1');
    const [answer] = ['alice', 'carol'].flatMap((who) =>
      discord.messages(who, 'ops').filter(({ answers }) => answers === interaction),
    );
    expect(answer).toMatchObject({ ephemeral: true, content: 'NOT-SENT: the bot is stopping. Nothing was sent.' });
  }

  it('is not sent what was typed', async () => {
    const sent = changes(world).length;
    await refused(() => world.discord.type('alice', 'ops', '/power boot server:web-1'));
    expect([changes(world).length, world.ledger()]).toEqual([sent, []]);
  });

  it('is not sent what was asked about: the question stays open, and can be confirmed', async () => {
    const sent = changes(world).length;
    const card = await asks(world, '/firewall flush server:web-1');
    await refused(() => world.discord.click('alice', card.id, idOf(card, 'Confirm')));
    await refused(() => world.discord.click('alice', card.id, idOf(card, 'Cancel')));
    expect([changes(world).length, historyOf(world, card), stateOf(messageOf(world, card.id))]).toEqual([
      sent,
      ['asked'],
      'QUESTION',
    ]);
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    await until(() => stateOf(messageOf(world, card.id)) === 'SUCCEEDED', 'the flush');
  });

  it('has what was read before on the card that is clicked', async () => {
    const typed = await world.discord.type('carol', 'ops', '/firewall show server:web-3');
    const card = await answerTo(world, typed, ['SUCCEEDED'], 'carol');
    const { content, embeds } = card;
    await refused(() => world.discord.click('carol', card.id, idOf(card, 'Next')));
    expect(messageOf(world, card.id, 'carol')).toMatchObject({ content, embeds });
  });
});
