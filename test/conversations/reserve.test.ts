import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerTo, asks, changes, ended, idOf, stateOf, textOf } from '../helpers/messages.ts';
import { startWorld, type World, worldForAll } from '../helpers/world.ts';

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

  it('is not for a change that nobody had to confirm, nor for the look before a question', async () => {
    world.minutePasses();
    for (let n = 0; n < 20; n += 1) await world.alice.types('/firewall show server:web-1');
    expect(await world.bob.types('/power boot server:web-1')).toMatch(/NOT-SENT .* keeps them for changes/s);
    expect(await world.alice.types('/firewall flush server:web-1')).toMatch(/NOT-SENT .* keeps them for changes/s);
  });
});

describe('looks before a change', () => {
  const world = worldForAll({ still: true });

  it('are 40 a minute for one person, beside 20 reads', async () => {
    const ten = 'web-1,web-2,web-3,db-1,db-2,mail-1,cache-1,build-1,legacy-1,vpn-1';
    for (let n = 0; n < 4; n += 1)
      expect(await world.alice.types(`/firewall disable server:${ten}`)).toContain('QUESTION');
    expect(world.panel.requests).toHaveLength(40);
    const card = await world.alice.types('/firewall disable server:web-1');
    expect(card).toContain('NOT-SENT /firewall disable');
    expect(card).toContain(
      'Before it asks, the bot reads the current settings, at most 40 times a minute for each person.',
    );
    expect(await world.alice.types('/firewall show server:web-1')).toContain('panelops: Firewall of web-1');
    // What is read again for a change that was confirmed is not one of them.
    expect(await world.alice.clicks('Confirm')).toContain('SUCCEEDED');
    world.minutePasses();
    expect(await world.alice.types('/firewall disable server:web-2')).toContain('QUESTION');
  });
});
