import { describe, expect, it } from 'vitest';
import { asks, changes, ended, historyOf, idOf, labelsOf, messageOf, stateOf, textOf } from '../../helpers/messages.ts';
import { worldForAll } from '../../helpers/world.ts';

describe('a question that nobody answers in time', () => {
  const world = worldForAll({ intervals: { open: { plain: 600, typed: 600 } } });

  it('says so on its card and in the ledger, and offers to ask again, which goes the full way again', async () => {
    const id = await world.discord.type('alice', 'ops', '/firewall flush server:web-1 reason:"locked out"');
    const find = () => world.discord.messages('alice', 'ops').find(({ answers }) => answers === id);
    const card = await world.discord.until(() => {
      const found = find();
      return found !== undefined && stateOf(found) === 'EXPIRED' && found;
    });
    expect(card.content).toBe('◷ **EXPIRED /firewall flush · web-1 (101, production)**');
    expect(textOf(card)).toContain('Reason: `locked out`');
    expect(labelsOf(card)).toEqual(['Ask again']);
    expect(historyOf(world, card)).toEqual(['asked', 'expired']);

    const before = world.discord.messages('alice', 'ops').length;
    await world.discord.click('alice', card.id, idOf(card, 'Ask again'));
    const again = await world.discord.until(() => {
      const next = world.discord.messages('alice', 'ops')[before];
      return next !== undefined && stateOf(next) === 'EXPIRED' && next;
    });
    expect(again.id).not.toBe(card.id);
    expect(historyOf(world, again)).toEqual(['asked', 'expired']);
    expect(world.ledger().filter(({ kind }) => kind === 'asked')).toMatchObject([
      { options: { reason: 'locked out' }, facts: { enabled: true, rules: 4 } },
      { options: { reason: 'locked out' }, facts: { enabled: true, rules: 4 } },
    ]);
    expect(changes(world)).toEqual([]);
  });
});

describe('a click after the time is over', () => {
  // Nobody looks for what has run out, so that the click itself meets the expiry.
  const world = worldForAll({ intervals: { open: { plain: 1, typed: 1 }, recover: 3_600_000 } });

  it('counts as expired after a restart too: the bot was down when the time was over', async () => {
    const card = await asks(world, '/backup restore server:web-2 disks:0 reason:test');
    await world.restart();
    const expired = await ended(world, card);
    expect([stateOf(expired), ...labelsOf(expired)]).toEqual(['EXPIRED', 'Ask again']);
    expect(historyOf(world, card)).toEqual(['asked', 'expired']);
    expect(changes(world)).toEqual([]);
  });
});

describe('a question over a restart of the bot, whose Redis comes back empty', () => {
  const world = worldForAll({ still: true });

  it('stays open, and is confirmed once', async () => {
    const card = await asks(world, '/firewall disable server:web-1,web-2 reason:"a word with `ticks` and ümläuts"');
    await world.restart();
    expect(messageOf(world, card.id)).toEqual(card);
    const [sent, confirm] = [changes(world).length, idOf(card, 'Confirm')];
    await Promise.all([1, 2, 3, 4, 5].map(() => world.discord.click('alice', card.id, confirm)));
    expect((await ended(world, card)).content).toBe('✓ **SUCCEEDED /firewall disable · 2 servers**');
    expect(changes(world).slice(sent)).toHaveLength(2);
    expect(historyOf(world, card)).toEqual([
      'asked',
      'asked',
      'confirmed',
      'confirmed',
      'intent',
      'succeeded',
      'intent',
      'succeeded',
    ]);
  });
});

describe('a question that wants the name typed', () => {
  const world = worldForAll({ still: true });

  it('survives a restart while the form is open', async () => {
    const card = await asks(world, '/backup restore server:web-2 disks:0 reason:"lost update"');
    await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
    await world.discord.until(() => world.discord.modalOf('alice'));
    await world.restart();
    await world.discord.submit('alice', 'web-2');
    expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
    expect(historyOf(world, card)).toEqual(['asked', 'confirmed', 'intent', 'accepted', 'follow-up']);
  });
});
