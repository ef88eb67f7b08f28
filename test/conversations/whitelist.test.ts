import { describe, expect, it } from 'vitest';
import { examplePolicy, worldForAll } from '../helpers/world.ts';

describe('what a server may send from', () => {
  const world = worldForAll({ policy: examplePolicy.replace(', whitelist.add: { ipv4: 24, ipv6: 48 }', '') });

  it('alice lets web-1 send from an IPv4 network', async () => {
    expect(await world.alice.types('/whitelist add server:web-1 network:192.0.2.0/24')).toShow(
      'QUESTION /whitelist add · web-1 (101, production)',
      'web-1 will be able to send from `192.0.2.0/24` (256 addresses) on its primary interface.',
      'The bot cannot undo this.',
      '[Whitelist 192.0.2.0/24 for web-1] [Cancel]',
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /whitelist add · web-1 (101, production)',
      'web-1 may send from `192.0.2.0/24` on its primary interface.',
      'The bot cannot undo this: the panel removes addresses, not networks. To take it off: `/whitelist remove server:web-1 interface:primary address:192.0.2.0`. Then look at the network whitelist of web-1 (101) in the panel: it must be gone, and the others still there.',
    );
    expect(world.panel.effects).toMatchObject([
      { path: '/servers/101/networkWhitelist', body: { interface: 'primary', ip: '192.0.2.0', cidr: 24 } },
    ]);
  });

  it('and from an IPv6 network, written the short way', async () => {
    expect(await world.alice.types('/whitelist add server:web-1 network:2001:0DB8:0::/48 interface:secondary')).toShow(
      'QUESTION /whitelist add · web-1 (101, production)',
      'web-1 will be able to send from `2001:db8::/48` (2^80 addresses) on its secondary interface.',
      '[Whitelist 2001:db8::/48 for web-1] [Cancel]',
    );
    await world.alice.clicks('Confirm');
    expect(world.panel.effects.at(-1)).toMatchObject({ body: { interface: 'secondary', ip: '2001:db8::', cidr: 48 } });
  });

  it('one address, and every address there is, are said to be that', async () => {
    expect(await world.alice.types('/whitelist add server:web-1 network:192.0.2.7/32')).toContain(
      'web-1 will be able to send from `192.0.2.7/32` (one address) on its primary interface.',
    );
    expect(await world.alice.types('/whitelist add server:web-1 network:0.0.0.0/0')).toContain(
      'web-1 will be able to send from `0.0.0.0/0` (every IPv4 address) on its primary interface.',
    );
  });

  it('she takes it away by its address, because the panel takes no prefix', async () => {
    expect(await world.alice.types('/whitelist remove server:web-1 address:192.0.2.0/24')).toShow(
      'INVALID /whitelist remove',
      "`address:192.0.2.0/24`: leave the prefix out: the panel's removal takes an address only.",
      'For example: `/whitelist remove server:web-1 address:192.0.2.0`',
      '(only alice sees this)',
    );
    expect(await world.alice.types('/whitelist remove server:web-1 address:192.0.2.0')).toShow(
      'QUESTION /whitelist remove · web-1 (101, production)',
      'web-1 will no longer be able to send from the network added as `192.0.2.0` on its primary interface.',
      '**Cannot be undone.** What it still sends from there is dropped.',
      "[Remove 192.0.2.0 from web-1's whitelist] [Cancel]",
    );
    expect(await world.alice.clicks('Confirm')).toShow(
      'SUCCEEDED /whitelist remove · web-1 (101, production)',
      'web-1 may no longer send from the network added as `192.0.2.0` on its primary interface.',
      'Cannot be undone: the prefix of what was removed is not known.',
    );
    expect(world.panel.effects.at(-1)).toMatchObject({
      method: 'DELETE',
      body: { interface: 'primary', ip: '192.0.2.0' },
    });
  });
});

describe('how broad a network may be, where the policy has a limit', () => {
  const world = worldForAll();

  it('is what the policy says, and the answer says what that is', async () => {
    expect(await world.alice.types('/whitelist add server:web-1 network:192.0.2.0/23')).toShow(
      'INVALID /whitelist add',
      '`network:192.0.2.0/23`: the policy allows no IPv4 network broader than /24.',
      'For example: `/whitelist add server:web-1 network:192.0.2.0/24`',
      '(only alice sees this)',
    );
  });

  it.each([
    ['0.0.0.0/0', 'IPv4 network broader than /24'],
    ['::ffff:0:0/96', 'IPv4 network broader than /24'],
    ['::ffff:192.0.2.0/119', 'IPv4 network broader than /24'],
    ['::/0', 'IPv6 network broader than /48'],
    ['2001:db8::/47', 'IPv6 network broader than /48'],
  ])('however it is written: %s', async (network, rule) => {
    expect(await world.alice.types(`/whitelist add server:web-1 network:${network}`)).toContain(
      `the policy allows no ${rule}`,
    );
    expect(world.ledger()).toEqual([]);
  });

  it.each(['192.0.2.0/24', '192.0.2.7/32', '2001:db8::/48', '::ffff:192.0.2.0/120'])(
    'and what is not broader is asked about: %s',
    async (network) => {
      expect(await world.alice.types(`/whitelist add server:web-1 network:${network}`)).toContain('QUESTION');
      await world.alice.clicks('Cancel');
    },
  );
});
