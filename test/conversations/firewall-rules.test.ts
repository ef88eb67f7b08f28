import { describe, expect, it } from 'vitest';
import { idOf, whisperAfter } from '../helpers/messages.ts';
import { worldForAll } from '../helpers/world.ts';

describe('the rules of a firewall', () => {
  const world = worldForAll();

  it('alice looks at the four of web-1, in private, and carol sees nothing of it', async () => {
    expect(await world.alice.types('/firewall show server:web-1')).toShow(
      'Firewall of web-1 · primary',
      'The firewall of web-1 (101), primary interface, is enabled with 4 rules.',
      '1 accept in tcp 22',
      'from 192.0.2.0/24 id=101001',
      '4 accept in icmp',
      'from 0.0.0.0/0 id=101004',
      '[Share]',
      '(only alice sees this)',
    );
    expect(world.carol.sees()).toBe('');
    expect(world.panel.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /servers/101/firewall/primary',
    ]);
    expect(world.ledger()).toEqual([]);
  });

  it('she shares the card: carol sees it, without buttons', async () => {
    await world.alice.clicks('Share');
    expect(world.carol.sees()).toShow(
      'Firewall of web-1 · primary',
      'Shared by @alice.',
      'The firewall of web-1 (101), primary interface, is enabled with 4 rules.',
      '1 accept in tcp 22',
      '4 accept in icmp',
    );
  });

  it.each([
    ['once, however often that is pressed', () => Promise.resolve()],
    ['also after a restart', () => world.restart()],
  ])('%s', async (_when, happens) => {
    const card = world.discord.messages('alice', 'ops').find(({ ephemeral }) => ephemeral) ?? expect.fail('no card');
    const posted = () => world.discord.messages('carol', 'ops').length;
    const before = posted();
    await happens();
    const told = await whisperAfter(world, card, 'alice', () =>
      world.discord.click('alice', card.id, idOf(card, 'Share')),
    );
    expect(told).toContain('This card was shared already, and a card is shared once.');
    expect(posted()).toBe(before);
  });
});
