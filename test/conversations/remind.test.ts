import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { answerTo, confirms, idOf, labelsOf, messageOf, textOf, until } from '../helpers/messages.ts';
import { plain } from '../helpers/person.ts';
import { openWorld, type World, worldForAll } from '../helpers/world.ts';

const hours = 3_600_000;

/** Messages that pinged somebody. */
const pings = ({ discord }: World): SeenMessage[] =>
  discord.messages('alice', 'ops').filter(({ pinged }) => pinged.length > 0);

const cardOf = ({ discord }: World, start: string): SeenMessage => {
  const found = discord
    .messages('alice', 'ops')
    .findLast(({ content, pinged }) => pinged.length === 0 && content.includes(start));
  if (found === undefined) throw new Error(`there is no card ${start}`);
  return found;
};

const reminded = (world: World) => world.ledger().filter(({ kind }) => kind === 'reminded');

describe('a reminder', () => {
  const world = worldForAll({ still: true });

  it('is said on the card; at its time, also after a restart, it pings once for all servers, with the button that ends it', async () => {
    expect(await confirms(world.alice, '/firewall disable server:web-1,web-2 remind:2h')).toContain(
      'Reminds @alice in 2 hours.',
    );
    const due = world.ledger().flatMap(({ remind, time }) => (remind === undefined ? [] : [[remind, time]]));
    expect(due).toHaveLength(2);
    for (const [remind = '', time = ''] of due)
      expect(Math.abs(Date.parse(remind) - Date.parse(time) - 2 * hours)).toBeLessThan(60_000);
    world.timePasses(1.9 * hours);
    await world.restart();
    expect(pings(world)).toEqual([]);
    world.timePasses(0.2 * hours);
    const ping = await world.discord.until(() => pings(world)[0]);
    expect(ping.pinged).toEqual(['alice']);
    expect(plain(world.discord.viewMessage('alice', ping)).replace(/\d\d:\d\d UTC/, 'HH:MM UTC')).toShow(
      'REMINDER /firewall disable · 2 servers: not undone since HH:MM UTC @alice(!)',
      'Done on web-1 (101) and web-2 (102) T ago, and not undone since.',
      '[Undo: enable firewall of 2 servers]',
    );
    await until(() => reminded(world).length === 2, 'two entries');
    expect(reminded(world).map(({ place }) => place.message)).toEqual([ping.id, ping.id]);
    const card = () => cardOf(world, '/firewall disable · 2 servers');
    await world.discord.until(() => !textOf(card()).includes('Reminds'));
    await world.discord.click('bob', ping.id, idOf(ping, 'Undo'));
    // Neither the card nor the reminder has the button then; whom it pinged stays named.
    await world.discord.until(() => [card(), messageOf(world, ping.id)].every((each) => labelsOf(each).length === 0));
    expect(plain(world.discord.viewMessage('alice', messageOf(world, ping.id)))).toContain('2 servers @alice');
    for (const id of [101, 102])
      expect(world.panel.state.server(id).interfaces.primary?.firewall.applied.enabled).toBe(true);
  });

  it('comes also of what was unknown and did happen, with the button, and not of what did not', async () => {
    const before = pings(world).length;
    for (const [server, label] of [
      ['db-1', 'It happened'],
      ['db-2', 'It did not happen'],
    ] as const) {
      world.panel.order({ kind: 'status-after', status: 500, match: { changes: true } });
      await confirms(world.alice, `/firewall disable server:${server} remind:2h`);
      await world.alice.clicks('Say what happened');
      await world.alice.fills(`${label}: seen in the panel`);
    }
    const [did, not] = ['db-1 (111', 'db-2 (112'].map((server) =>
      textOf(cardOf(world, `/firewall disable · ${server}`)),
    );
    expect([did?.includes('Reminds <@'), not?.includes('Reminds')]).toEqual([true, false]);
    world.timePasses(2.1 * hours);
    const ping = await world.discord.until(() => pings(world)[before]);
    expect([ping.pinged, labelsOf(ping)]).toEqual([['alice'], ['Undo']]);
    expect(pings(world)).toHaveLength(before + 1);
  });
});

it('What is undone while the channel is looked through before the reminder is not reminded of', async () => {
  const world = await openWorld({ still: true });
  const { discord } = world;
  await confirms(world.alice, '/firewall disable server:web-1 remind:5m');
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
