import { describe, expect, it } from 'vitest';
import { idOf, labelsOf, messageOf, textOf, whisperAfter } from '../helpers/messages.ts';
import { worldForAll } from '../helpers/world.ts';

describe('a CPU that is throttled', () => {
  const world = worldForAll();

  it('bob limits web-1 to half of it, from now on', async () => {
    expect(await world.bob.types('/cpu throttle server:web-1 percent:50 reason:"noisy neighbour"')).toShow(
      'SUCCEEDED /cpu throttle · web-1 (101, production)',
      'Limited to 50 % of its allocated CPU, from now on.',
      'The bot cannot undo this: its ledger does not have the previous throttle. To lift it: `/cpu throttle server:web-1 percent:0`.',
    );
    expect(world.panel.effects).toMatchObject([
      { method: 'PUT', path: '/servers/101/modify/cpuThrottle?sync=true', body: { percent: 50 } },
    ]);
  });

  it('0 removes the limit', async () => {
    expect(await world.bob.types('/cpu throttle server:web-1 percent:0')).toShow(
      'SUCCEEDED /cpu throttle · web-1 (101, production)',
      'The CPU throttle is removed, from now on.',
      '[Undo: throttle web-1 to 50 %]',
    );
    expect(world.panel.state.server(101).cpuThrottle).toEqual({ stored: 0, applied: 0 });
  });

  it('without sync it holds from the next start, until somebody applies it now', async () => {
    expect(await world.bob.types('/cpu throttle server:web-1,web-2 percent:30 sync:false')).toShow(
      'ACCEPTED /cpu throttle · 2 servers',
      'Throttle 2 servers to 30 %: 2 accepted.',
      '**ACCEPTED** web-1 (101): Stored, not applied. Limited to 30 % of its allocated CPU, from its next start.',
      '**ACCEPTED** web-2 (102): Stored, not applied. Limited to 30 % of its allocated CPU, from its next start.',
      'web-2 (102): The bot cannot undo this: its ledger does not have the previous throttle. To lift it: `/cpu throttle server:web-2 percent:0`.',
      '[Apply now] [Undo: lift throttle of web-1]',
    );
    expect(world.panel.state.server(101).cpuThrottle).toEqual({ stored: 30, applied: 0 });
    expect(await world.alice.clicks('Apply now')).toShow(
      'SUCCEEDED /cpu throttle · 2 servers',
      'Throttle 2 servers to 30 %: 2 succeeded.',
      '**SUCCEEDED** web-1 (101): Limited to 30 % of its allocated CPU, from now on.',
      'This applied what was only stored: /cpu throttle of web-1 (101) by @bob T ago.',
      'The bot cannot undo this: its ledger does not have the previous throttle. To lift it: `/cpu throttle server:web-1,web-2 percent:0`.',
    );
    expect(world.panel.state.server(102).cpuThrottle).toEqual({ stored: 30, applied: 30 });
  });

  it('what was stored is not applied any more once something else was set', async () => {
    await world.bob.types('/cpu throttle server:db-1 percent:30 sync:false');
    const card = world.discord.messages('bob', 'ops').at(-1) ?? expect.fail('no card');
    await world.alice.types('/cpu throttle server:db-1 percent:60 sync:false');
    await world.discord.until(() => textOf(messageOf(world, card.id)).includes('Set again since, by <@'));
    expect(labelsOf(messageOf(world, card.id))).toEqual([]);
    const before = world.panel.effects.length;
    const told = await whisperAfter(world, card, 'bob', () =>
      world.discord.forge('bob', card.id, idOf(card, 'Apply now')),
    );
    expect(told).toContain('Nothing of this card is left to do');
    expect(world.panel.effects).toHaveLength(before);
    expect(await world.alice.clicks('Apply now')).toContain('Limited to 60 % of its allocated CPU, from now on.');
    expect(world.panel.state.server(111).cpuThrottle).toEqual({ stored: 60, applied: 60 });
  });
});
