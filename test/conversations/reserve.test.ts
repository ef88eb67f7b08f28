import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerTo, asks, changes, ended, idOf, stateOf, textOf } from '../helpers/messages.ts';
import { startWorld, type World } from '../helpers/world.ts';

describe("what is left of the token's minute", () => {
  let world: World;
  beforeAll(async () => {
    // Twenty requests a minute, of which two are kept.
    world = await startWorld({ still: true, panel: { requestsPerMinute: 20 } });
  });
  afterAll(() => world.stop());

  const reads = (): number => world.panel.requests.length - changes(world).length;

  it('is for changes that somebody confirmed: who reads stops before it is used up', async () => {
    const first = await asks(world, '/power poweroff server:web-1');
    const second = await asks(world, '/power poweroff server:web-2');
    // The first tells how many there are.
    await world.carol.types('/firewall show server:web-1');
    const shows = Array.from({ length: 19 }, () => world.discord.type('carol', 'ops', '/firewall show server:web-1'));
    const cards = await Promise.all(
      (await Promise.all(shows)).map((id) => answerTo(world, id, ['SUCCEEDED', 'NOT-SENT'], 'carol')),
    );
    const refused = cards.filter((card) => stateOf(card) === 'NOT-SENT');
    expect(refused).toHaveLength(2);
    for (const card of refused)
      expect(textOf(card)).toContain(
        'The bot has few requests to the panel left this minute, and keeps them for changes that somebody confirmed.',
      );
    expect(reads()).toBe(18);
    for (const card of [first, second]) {
      await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
      expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
    }
    expect(changes(world)).toHaveLength(2);
  });
});
