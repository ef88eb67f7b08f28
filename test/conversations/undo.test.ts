import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { words } from '../helpers/card-text.ts';
import { confirms, idOf } from '../helpers/messages.ts';
import { plain } from '../helpers/person.ts';
import { type World, worldForAll } from '../helpers/world.ts';

/** The newest card whose headline has this in it. */
function messageOf({ discord }: World, start: string): SeenMessage {
  const found = discord.messages('alice', 'ops').findLast(({ content }) => content.includes(start));
  if (found === undefined) throw new Error(`there is no card ${start}`);
  return found;
}

const cardOf = (world: World, start: string): string =>
  plain(world.discord.viewMessage('alice', messageOf(world, start)));

/** Waits until a card says that it was undone. */
const undone = (world: World, start: string, words = 'Undone since, by'): Promise<true> =>
  world.discord.until((): true | false => cardOf(world, start).includes(words) && true);

const undoOf = (world: World, start: string): [message: string, button: string] => {
  const message = messageOf(world, start);
  const button = message.buttons.find(({ label }) => label.startsWith('Undo'));
  if (button === undefined) throw new Error(`${start} has no undo`);
  return [message.id, button.customId];
};

const changesOf = ({ panel }: World): string[] =>
  panel.effects.map(({ method, path, body }) => [method, path, JSON.stringify(body ?? {})].join(' '));

describe('undo', () => {
  const world = worldForAll({ still: true });

  it('bob enables what alice disabled on three servers: one command, and the first card loses the button', async () => {
    await confirms(world.alice, '/firewall disable server:web-1,web-2,web-3');
    expect(await world.bob.clicks('Undo')).toShow(
      'SUCCEEDED /firewall enable · 3 servers',
      'Enable firewall of 3 servers: 3 succeeded.',
      'Reason: `undo of run R`',
    );
    await undone(world, '/firewall disable');
    expect(cardOf(world, '/firewall disable')).toShow(
      'SUCCEEDED /firewall disable · 3 servers · undone',
      'Undone since, by @bob: see the newer card.',
      'At the time: Disable firewall of 3 servers: 3 succeeded.',
    );
    expect(changesOf(world).slice(-3)).toEqual([
      'POST /servers/101/firewall/primary/enable?sync=true {}',
      'POST /servers/102/firewall/primary/enable?sync=true {}',
      'POST /servers/103/firewall/primary/enable?sync=true {}',
    ]);
  });

  it('exactly the addresses that were assigned are removed, after the question of that command, and added and removed again', async () => {
    expect(await confirms(world.bob, '/ipv4 assign server:web-1 quantity:2')).toContain(
      '`203.0.113.10` and `203.0.113.11`',
    );
    expect(await world.alice.clicks('Undo')).toShow(
      'QUESTION /ipv4 remove · web-1 (101, production)',
      'web-1 (101) loses `203.0.113.10` and `203.0.113.11`.',
      'Reason: `undo of run R`',
      '[Remove 2 addresses from web-1] [Cancel]',
    );
    expect(cardOf(world, '/ipv4 assign')).toContain('[Undo: ');
    await world.alice.clicks('Confirm');
    const removal = 'DELETE /servers/101/ipv4 {"ip":["203.0.113.10","203.0.113.11"]}';
    expect(changesOf(world).at(-1)).toBe(removal);
    await undone(world, '/ipv4 assign');
    await world.alice.clicks('Undo');
    expect(changesOf(world).at(-1)).toBe(removal.replace('DELETE', 'POST'));
    await undone(world, 'SUCCEEDED /ipv4 remove');
    await world.alice.clicks('Undo');
    await world.alice.clicks('Confirm');
    expect(changesOf(world).at(-1)).toBe(removal);
  });

  it('a whitelisted address is removed; of a network it is not known how', async () => {
    await confirms(world.alice, '/whitelist add server:web-1 network:198.51.100.7/32');
    expect(await world.alice.clicks('Undo')).toContain('QUESTION /whitelist remove');
    await world.alice.clicks('Confirm');
    expect(changesOf(world).at(-1)).toBe(
      'DELETE /servers/101/networkWhitelist {"interface":"primary","ip":"198.51.100.7"}',
    );
    const card = await confirms(world.alice, '/whitelist add server:web-1 network:192.0.2.0/24');
    expect(card).toContain(
      'The bot cannot undo this: the panel removes addresses, not networks. To take it off: `/whitelist remove server:web-1 interface:primary address:192.0.2.0`. Then look at the network whitelist of web-1 (101) in the panel',
    );
    expect(card).not.toContain('[Undo: ');
  });

  it('the throttle goes back to what the ledger knows of each server, one click each where they differ', async () => {
    expect(await world.bob.types('/cpu throttle server:web-1 percent:80')).toContain(
      'The bot cannot undo this: its ledger does not have the previous throttle. To lift it: `/cpu throttle server:web-1 percent:0`.',
    );
    await world.bob.types('/cpu throttle server:web-2 percent:60');
    const both = await world.bob.types('/cpu throttle server:web-1,web-2,web-3 percent:50');
    expect(both).toContain('web-3 (103): The bot cannot undo this');
    expect(both).toContain('`/cpu throttle server:web-3 percent:0`');
    expect(both).toContain('[Undo: ');
    const start = '/cpu throttle · 3 servers';
    const undoes = async (server: string): Promise<string> => {
      await world.discord.click('bob', ...undoOf(world, start));
      await undone(world, start, `Undone since for ${server}`);
      return changesOf(world).at(-1) ?? '';
    };
    expect(await undoes('web-1 (101)')).toBe('PUT /servers/101/modify/cpuThrottle?sync=true {"percent":80}');
    expect(cardOf(world, start)).toContain('[Undo: ');
    expect(await undoes('web-1 (101) and web-2 (102)')).toBe(
      'PUT /servers/102/modify/cpuThrottle?sync=true {"percent":60}',
    );
    expect(cardOf(world, start)).not.toContain('[Undo: ');
  });

  it('is sent once, although it was asked about twice and both questions are confirmed', async () => {
    await confirms(world.alice, '/whitelist add server:web-3 network:203.0.113.77/32');
    const undo = undoOf(world, '/whitelist add · web-3');
    const cards = () =>
      world.discord.messages('alice', 'ops').filter(({ content }) => content.includes('/whitelist remove · web-3'));
    const questions: SeenMessage[] = [];
    for (const nth of [0, 1]) {
      await world.discord.click('alice', ...undo);
      const asked = () => words(cards()[nth]?.content ?? '').startsWith('QUESTION') && cards()[nth];
      questions.push(await world.discord.until(asked));
    }
    const before = world.panel.effects.length;
    for (const [nth, question] of questions.entries()) {
      const confirm = idOf(question, 'Confirm');
      await world.discord.click('alice', question.id, confirm);
      await world.discord.until(() => /^(SUCCEEDED|NOT-SENT)/.test(words(cards()[nth]?.content ?? '')));
    }
    expect(world.panel.effects.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /servers/103/networkWhitelist',
    ]);
    expect(cards()[1]?.embeds[0]?.description).toContain(
      '**Nothing was sent: somebody else has undone this, or set it again, since Undo was pressed.**',
    );
  });

  it('somebody who may do it on some of the servers is told what to type for those', async () => {
    await confirms(world.alice, '/power shutdown server:mail-1,db-1,lab-1');
    const denied = await world.bob.clicks('Undo');
    expect(denied).toContain('DENIED /power boot\n');
    expect(denied).toContain('You may: `/power boot server:mail-1,db-1`.');
    expect(await world.bob.types('/power boot server:mail-1,db-1')).toContain('ACCEPTED');
    await undone(world, '/power shutdown · 3 servers', 'Undo accepted for mail-1 (121) and db-1 (111)');
    await world.alice.clicks('Undo');
    await undone(world, '/power shutdown · 3 servers', 'Undo accepted for lab-1 (201), by @alice');
  });
});
