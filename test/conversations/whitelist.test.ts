import { describe, expect, it } from 'vitest';
import { examplePolicy, worldForAll } from '../helpers/world.ts';

describe('what a server may send from', () => {
  const world = worldForAll({ policy: examplePolicy.replace(', whitelist.add: { ipv4: 24, ipv6: 48 }', '') });

  it('one address, and every address there is, are said to be that', async () => {
    expect(await world.alice.types('/whitelist add server:web-1 network:192.0.2.7/32')).toContain(
      'web-1 will be able to send from `192.0.2.7/32` (one address) on its primary interface.',
    );
    expect(await world.alice.types('/whitelist add server:web-1 network:0.0.0.0/0')).toContain(
      'web-1 will be able to send from `0.0.0.0/0` (every IPv4 address) on its primary interface.',
    );
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
