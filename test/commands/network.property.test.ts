import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenBy, prepared } from '../helpers/commands/typed.ts';
import { tries } from '../helpers/tries.ts';

/** An address as a number, read the plain way: four decimals, or eight groups of which one run may be `::`. */
function numberOf(text: string): bigint {
  if (!text.includes(':')) return text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = '', tail] = text.split('::');
  const groups = (part: string): bigint[] =>
    part.split(':').flatMap((group) => {
      if (!group.includes('.')) return group === '' ? [] : [BigInt(`0x${group}`)];
      const four = numberOf(group);
      return [four >> 16n, four & 0xffffn];
    });
  const [before, after] = [groups(head), groups(tail ?? '')];
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0n), ...after];
  return all.reduce((sum, group) => sum * 65_536n + group, 0n);
}

interface Sample {
  text: string;
  value: bigint;
  cidr: number;
  bits: number;
}

const hostBits = ({ value, cidr, bits }: Sample): bigint => value & ((1n << BigInt(bits - cidr)) - 1n);

/** A value whose last bits are often zero, so that both kinds of network come up. */
const valueWith = (bits: number): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }), fc.integer({ min: 0, max: bits }))
    .map(([value, zeros]) => (value >> BigInt(zeros)) << BigInt(zeros));

const dotted = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');

/** Every way to write an IPv6 address: in full, with zeros in front, in capitals, with one run of zeros left out, with dots at the end. */
const sixForms: readonly ((groups: readonly string[]) => string)[] = [
  (groups) => groups.join(':'),
  (groups) => groups.map((group) => group.padStart(4, '0')).join(':'),
  (groups) => groups.join(':').toUpperCase(),
  (groups) => groups.join(':').replace(/(^|:)0(:0)*(:|$)/, '::'),
  (groups) =>
    `${groups.slice(0, 6).join(':')}:${dotted(groups.slice(6).reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n))}`,
];
const groupsOf = (value: bigint): string[] =>
  Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));

const four: fc.Arbitrary<Sample> = fc
  .tuple(valueWith(32), fc.integer({ min: 0, max: 32 }))
  .map(([value, cidr]) => ({ text: `${dotted(value)}/${cidr}`, value, cidr, bits: 32 }));
/** Anywhere, and often where IPv4 is written as IPv6 or carried in it. */
const sixValue = fc.oneof(
  valueWith(128),
  fc
    .tuple(
      valueWith(32),
      fc.constantFrom(0n, 0xffffn << 32n, 0xffff_0000n << 32n, 0x64_ff9bn << 96n, 0x2002n << 112n, 0x2001n << 112n),
      fc.constantFrom(0n, 48n, 80n),
    )
    .map(([low, high, shift]) => (high | (low << shift)) & ((1n << 128n) - 1n)),
);
const six: fc.Arbitrary<Sample> = fc
  .tuple(sixValue, fc.integer({ min: 0, max: 128 }), fc.constantFrom(...sixForms))
  .map(([value, cidr, form]) => ({ text: `${form(groupsOf(value))}/${cidr}`, value, cidr, bits: 128 }));

/** What is sent for a network, as `address/length`. */
async function sentFor(network: string): Promise<string> {
  const change = prepared('whitelist.add', { server: 'web-1', network });
  let sent = '';
  for (const server of change.servers)
    await change.attempt(server, (_endpoint, input) => {
      if ('cidr' in input && 'ip' in input) sent = `${input.ip}/${input.cidr}`;
      return Promise.resolve({ kind: 'yes', data: undefined as never });
    });
  return sent;
}

/** IPv4 that is written as IPv6, as IPv4; its prefix is negative where it covers more than that. */
const plain = (sample: Sample): Sample =>
  sample.bits === 128 && sample.value >> 32n === 0xffffn
    ? { ...sample, value: sample.value & 0xffff_ffffn, cidr: sample.cidr - 96, bits: 32 }
    : sample;

/** Reserved, 6to4, Teredo. */
const standsIn = ({ value, cidr, bits }: Sample): boolean =>
  bits === 128 &&
  ((value >> 120n === 0n && cidr >= 8) ||
    (value >> 112n === 0x2002n && cidr >= 16) ||
    (value >> 96n === 0x2001_0000n && cidr >= 32));

async function check(typed: Sample): Promise<void> {
  const sample = plain(typed);
  if (sample.cidr < 0 || (hostBits(sample) === 0n && standsIn(sample))) {
    expect(brokenBy('whitelist.add', { server: 'web-1', network: typed.text })).toMatch(
      sample.cidr < 0 ? /prefix of 96 or longer/ : /stand for others, such as IPv4 ones/,
    );
    return;
  }
  const { text, value, cidr } = sample;
  if (hostBits(sample) === 0n) {
    const [ip = '', length] = (await sentFor(text)).split('/');
    expect([isIP(ip), numberOf(ip), length]).toEqual([sample.bits === 32 ? 4 : 6, value, `${cidr}`]);
    return;
  }
  const [, start = '', length] =
    /The network is ([^/]+)\/(\d+)$/.exec(brokenBy('whitelist.add', { server: 'web-1', network: text })) ?? [];
  expect([isIP(start), numberOf(start), length]).toEqual([
    sample.bits === 32 ? 4 : 6,
    value - hostBits(sample),
    `${cidr}`,
  ]);
}

describe('the network of a whitelist', () => {
  it('is taken as it is meant, or refused with the network that holds it: IPv4', () =>
    fc.assert(fc.asyncProperty(four, check), { numRuns: tries(500) }));
  it('is taken as it is meant, or refused with the network that holds it: IPv6', () =>
    fc.assert(fc.asyncProperty(six, check), { numRuns: tries(500) }));

  it.each([
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['255.255.255.255/31', '255.255.255.254/31'],
    ['2001:db8:1::1/48', '2001:db8:1::/48'],
    ['2001:db8::/16', '2001::/16'],
  ])('%s is inside %s, and not its start', (network, whole) => {
    const rule = `network: the address is inside a network, not its start. The network is ${whole}`;
    expect(brokenBy('whitelist.add', { server: 'web-1', network })).toBe(rule);
  });

  it.each([
    ['0.0.0.0/0', '0.0.0.0/0'],
    [' 192.0.2.7/32 ', '192.0.2.7/32'],
    ['::/0', '::/0'],
    ['2001:0DB8:0000::0/32', '2001:db8::/32'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
    ['::FFFF:c000:207/128', '192.0.2.7/32'],
    ['0:0:0:0:0:ffff:0:0/96', '0.0.0.0/0'],
    ['2000::/3', '2000::/3'],
  ])('%s is sent as %s', async (network, sent) => {
    expect(await sentFor(network)).toBe(sent);
  });

  it.each([
    ['IPv4-compatible addresses', '::/96', '::/8'],
    ['an IPv4-compatible address', '0:0:0:0:0:0:192.0.2.7/128', '::/8'],
    ['all that is written as IPv6, and more', '::/80', '::/8'],
    ['NAT64', '64:ff9b::/96', '::/8'],
    ['a NAT64 of its own', '64:ff9b:1::/48', '::/8'],
    ['an address translated', '::ffff:0:c000:200/120', '::/8'],
    ['6to4', '2002::/16', '2002::/16'],
    ['6to4 of one network', '2002:c000:200::/40', '2002::/16'],
    ['Teredo', '2001::/32', '2001::/32'],
    ['the server itself', '::1/128', '::/8'],
  ])('is no other in the clothes of IPv6: %s, %s', (_what, network, range) => {
    expect(brokenBy('whitelist.add', { server: 'web-1', network })).toBe(
      `network: addresses in ${range} stand for others, such as IPv4 ones. Write the network itself`,
    );
  });

  it.each(['::ffff:0:0/95', '::ffff:192.0.2.0/64', '::ffff:0:0/0'])(
    'is never more than IPv4 written as IPv6: %s',
    (network) => {
      expect(brokenBy('whitelist.add', { server: 'web-1', network })).toBe(
        'network: IPv4 that is written as IPv6 has a prefix of 96 or longer. Write it as IPv4',
      );
    },
  );

  it.each([
    ['no prefix', '192.0.2.0'],
    ['zeros in front, written as IPv6', '::ffff:010.0.2.0/120'],
    ['a hexadecimal part, written as IPv6', '::ffff:0x1.0.2.0/120'],
    ['a form that is read in two ways', '::192.0.2.0/120'],
    ['an octal part', '0300.0.2.0/24'],
    ['zeros in front', '192.000.002.000/24'],
    ['one zero in front', '192.0.2.010/32'],
    ['a hexadecimal part', '0xc0.0.2.0/24'],
    ['three parts', '192.0.2/24'],
    ['one number', '3221225984/32'],
    ['a part above 255', '192.0.256.0/24'],
    ['a prefix above 32', '192.0.2.0/33'],
    ['a prefix above 128', '2001:db8::/129'],
    ['a negative prefix', '192.0.2.0/-1'],
    ['a mask', '192.0.2.0/255.255.255.0'],
    ['two prefixes', '192.0.2.0/24/24'],
    ['a zone', 'fe80::1%eth0/128'],
    ['two runs left out', '2001::db8::/128'],
    ['nine groups', '1:2:3:4:5:6:7:8:9/128'],
    ['brackets', '[2001:db8::]/32'],
    ['other digits', '１９２.0.2.0/24'],
    ['a name', 'example.com/24'],
    ['nothing', ' '],
  ])('with %s is refused: %s', (_what, network) => {
    expect(brokenBy('whitelist.add', { server: 'web-1', network })).toMatch(
      /^network: a network such as 192\.0\.2\.0\/24/,
    );
  });

  it('is never taken from a text that Node does not read as an address', async () => {
    const almost = fc
      .array(
        fc.constantFrom('0', '1', '192', '0x1', '256', '.', ':', '::', 'ffff', '/', '24', '%1', ' ', '-', '+', 'e'),
        {
          maxLength: 12,
        },
      )
      .map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(almost, fc.integer({ min: 0, max: 128 }), async (text, cidr) => {
        const sent = await sentFor(`${text}/${cidr}`).catch(() => undefined);
        if (sent === undefined) return;
        expect(isIP(text.trim())).not.toBe(0);
        expect([`${cidr}`, `${cidr - 96}`]).toContain(sent.split('/')[1]);
      }),
      { numRuns: tries(3000) },
    );
  });
});

describe('the address that is taken off a whitelist', () => {
  it.each([
    ['::ffff:192.0.2.0', '192.0.2.0'],
    ['::FFFF:C000:200', '192.0.2.0'],
    ['2001:DB8::', '2001:db8::'],
    // Somebody may have added it in the panel.
    ['64:ff9b::', '64:ff9b::'],
  ])('%s is %s', (address, meant) => {
    expect(prepared('whitelist.remove', { server: 'web-1', address }).options['address']).toBe(meant);
  });

  it.each(['192.0.2.0/24', '2001:db8::/48', '192.0.2.0/'])(
    'has no prefix, because the panel takes none: %s',
    (address) => {
      expect(brokenBy('whitelist.remove', { server: 'web-1', address })).toMatch(/^address: leave the prefix out/);
    },
  );

  it.each([
    '010.0.0.1',
    '::192.0.2.7',
    '::ffff:010.0.0.1',
    '10.1',
    '167772161',
    '0xa.0.0.1',
    'fe80::1%1',
    '',
    'example.com',
  ])('is written in full: not %j', (address) => {
    expect(brokenBy('whitelist.remove', { server: 'web-1', address })).toBe('address: write an IPv4 or IPv6 address');
  });
});
