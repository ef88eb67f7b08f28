import { expect, it } from 'vitest';
import { answerTo, until } from '../helpers/messages.ts';
import { openWorld } from '../helpers/world.ts';

it('What is undone while the channel is looked through before the reminder is not reminded of', async () => {
  const world = await openWorld({ still: true });
  const { discord } = world;
  await world.alice.types('/firewall disable server:web-1 remind:5m');
  await world.alice.clicks('Confirm');
  const slow = { kind: 'delay', ms: 5_000, match: { method: 'GET', path: '/channels/*/messages' } } as const;
  discord.order(slow);
  world.timePasses(5 * 60_000);
  await until(() => !discord.isOrdered(slow), 'the look through the channel');
  const enable = await discord.type('bob', 'ops', '/firewall enable server:web-1');
  await answerTo(world, enable, ['SUCCEEDED']);
  await until(() => world.ledger().some(({ kind }) => kind === 'reminded'), 'the entry');
  const seqs = world
    .ledger()
    .flatMap(({ kind, command, seq }) =>
      kind === 'reminded' || (command === 'firewall.enable' && kind === 'outcome') ? [[kind, seq]] : [],
    );
  expect(seqs.map(([kind]) => kind)).toEqual(['outcome', 'reminded']);
  expect(discord.messages('alice', 'ops').filter(({ pinged }) => pinged.length > 0)).toEqual([]);
});
