import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { answerTo, confirms, labelsOf, textOf, until } from '../helpers/messages.ts';
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

  it('is said on the card, and kept in the ledger', async () => {
    expect(await confirms(world.alice, '/firewall disable server:web-1,web-2 remind:2h')).toShow(
      'SUCCEEDED /firewall disable · 2 servers',
      'Disable firewall of 2 servers: 2 succeeded.',
      'Reminds @alice in 2 hours.',
      '[Undo: enable firewall of 2 servers]',
    );
    const due = world.ledger().flatMap(({ remind, time }) => (remind === undefined ? [] : [[remind, time]]));
    expect(due).toHaveLength(2);
    for (const [remind = '', time = ''] of due)
      expect(Math.abs(Date.parse(remind) - Date.parse(time) - 2 * hours)).toBeLessThan(60_000);
  });

  it('pings the actor at its time, also after a restart: once for all servers, with the button', async () => {
    world.timePasses(1.9 * hours);
    await world.restart();
    expect(pings(world)).toEqual([]);
    world.timePasses(0.2 * hours);
    const ping = await world.discord.until(() => pings(world)[0]);
    expect(ping.pinged).toEqual(['alice']);
    expect(plain(world.discord.viewMessage('alice', ping)).replace(/\d\d:\d\d UTC/, 'HH:MM UTC')).toShow(
      'REMINDER /firewall disable · 2 servers: not undone since HH:MM UTC @alice(!)',
      'Done on web-1 (101) and web-2 (102) T ago, and not undone since.',
      'You asked for this reminder.',
      '[Undo: enable firewall of 2 servers]',
    );
    await until(() => reminded(world).length === 2, 'two entries');
    expect(reminded(world).map(({ place }) => place.message)).toEqual([ping.id, ping.id]);
    await world.discord.until(() => !textOf(cardOf(world, '/firewall disable · 2 servers')).includes('Reminds'));
  });

  it('its button goes the full way; then neither the card nor the reminder has it', async () => {
    const [ping] = pings(world);
    if (ping === undefined) throw new Error('there is no ping');
    await world.discord.click('bob', ping.id, ping.buttons[0]?.customId ?? '');
    await world.discord.until(
      () =>
        labelsOf(cardOf(world, '/firewall disable · 2 servers')).length === 0 &&
        labelsOf(pings(world)[0] ?? ping).length === 0,
    );
    // Whom it pinged stays named.
    expect(plain(world.discord.viewMessage('alice', pings(world)[0] ?? ping))).toContain('2 servers @alice');
    expect(world.panel.state.server(101).interfaces.primary?.firewall.applied.enabled).toBe(true);
    expect(world.panel.state.server(102).interfaces.primary?.firewall.applied.enabled).toBe(true);
  });

  it('does not come when it was undone by then, by whomever', async () => {
    const before = reminded(world).length;
    await confirms(world.alice, '/power shutdown server:web-3 remind:30m');
    await world.bob.types('/power boot server:web-3');
    await world.bob.types('/cpu throttle server:web-1 percent:50 remind:5m');
    await world.alice.types('/cpu throttle server:web-1 percent:0');
    world.timePasses(hours);
    await until(() => reminded(world).length === before + 2, 'two entries');
    expect(pings(world)).toHaveLength(1);
    expect(
      reminded(world)
        .slice(-2)
        .map(({ place }) => place.message),
    ).toEqual([undefined, undefined]);
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
    const card = cardOf(world, '/firewall disable · db-1 (111, production)');
    expect(labelsOf(card)).toEqual(['Undo']);
    expect(textOf(card)).toContain('Reminds <@');
    const not = cardOf(world, '/firewall disable · db-2 (112, production)');
    expect(labelsOf(not)).toEqual(['Ask again']);
    expect(textOf(not)).not.toContain('Reminds');
    world.timePasses(2.1 * hours);
    const ping = await world.discord.until(() => pings(world)[before]);
    expect([ping.pinged, labelsOf(ping)]).toEqual([['alice'], ['Undo']]);
    await world.discord.click('bob', ping.id, ping.buttons[0]?.customId ?? '');
    await world.discord.until(() => labelsOf(pings(world)[before] ?? ping).length === 0);
    expect(pings(world)).toHaveLength(before + 1);
    expect(world.panel.state.server(111).interfaces.primary?.firewall.applied.enabled).toBe(true);
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
