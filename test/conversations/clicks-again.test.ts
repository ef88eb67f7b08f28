import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerTo, asks, changes, ended, historyOf, idOf, stateOf, until, whispers } from '../helpers/messages.ts';
import { startWorld, type World } from '../helpers/world.ts';

describe('a click that Discord delivers again', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ still: true, redis: 'own' });
  });
  afterAll(() => world.stop());

  /** Delivers it, and sees what the bot has made of it by the time that it has answered something else. */
  async function again(): Promise<void> {
    const seen = (): number => world.discord.requests.filter(({ path }) => path.startsWith('/interactions/')).length;
    const before = seen();
    world.discord.order({ kind: 'deliver-again' });
    await world.bob.types('/traffic show server:web-1');
    expect(seen()).toBeGreaterThan(before);
  }

  it.each([
    [
      'to the same bot, whose Redis came back empty',
      'Confirm',
      async () => {
        const backs = (): number => world.logged().match(/"Redis is back"/g)?.length ?? 0;
        const before = backs();
        world.app.killRedis?.();
        await until(() => backs() > before, 'Redis');
      },
    ],
  ])('%s, is not told to whoever did it that it changed nothing (%s)', async (_what, label, meanwhile) => {
    const card = await asks(world, '/firewall flush server:web-1');
    await world.discord.click('alice', card.id, idOf(card, label));
    const over = await ended(world, card);
    const history = historyOf(world, card);
    const sent = changes(world).length;
    await meanwhile();
    await again();
    expect(whispers(world, card)).toEqual([]);
    expect([historyOf(world, card), changes(world).length, stateOf(over)]).toEqual([
      history,
      sent,
      label === 'Confirm' ? 'SUCCEEDED' : 'CANCELLED',
    ]);
  });

  it('is another thing than a new one: that is told who was faster', async () => {
    const card = await asks(world, '/firewall flush server:web-2');
    await world.discord.click('alice', card.id, idOf(card, 'Cancel'));
    await ended(world, card);
    await world.discord.forge('alice', card.id, idOf(card, 'Confirm'));
    const whisper = await world.discord.until(() => whispers(world, card)[0]);
    expect(whisper.embeds[0]?.description).toContain('`alice` cancelled this');
    await answerTo(world, await world.discord.type('alice', 'ops', '/help'), ['SUCCEEDED']);
  });
});
