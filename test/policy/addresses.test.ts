import { expect, it } from 'vitest';
import { readPolicy } from '../../src/policy/load.ts';
import { known } from '../helpers/policy/known.ts';

/** What is wrong with these rows of `servers`, one "place: rule" each. */
function wrong(...rows: string[]): string[] {
  const roles = 'roles: [{ role: "1200000000000000003", name: lead, allow: ["*"] }]';
  const read = readPolicy(`${roles}\nservers:\n${rows.map((row) => `  - ${row}\n`).join('')}`, known);
  return 'problems' in read ? read.problems.map(({ place, rule }) => `${place}: ${rule}`) : [];
}

const taken = 'servers[0] has this address already. Leave it out of one of them, or of both.';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8::a', '2001:0DB8:0:0:0:0:0:000A'],
])('An address of two servers would find neither: %s and %s', (one, other) => {
  const rows = [`{ id: 1, name: a, ips: ["${one}"] }`, `{ id: 2, name: b, ips: ["198.51.100.1", "${other}"] }`];
  expect(wrong(...rows)).toEqual([`servers[1].ips[1] (line 4): ${taken}`]);
});

it('A name is an address, too', () => {
  expect(wrong('{ id: 1, name: 192.0.2.1 }', '{ id: 2, name: b, ips: [192.0.2.1] }')).toEqual([
    `servers[1].ips[0] (line 4): ${taken}`,
  ]);
  expect(wrong('{ id: 1, name: a, ips: [192.0.2.1] }', '{ id: 2, name: 192.0.2.1 }')).toEqual([
    `servers[1].name (line 4): ${taken}`,
  ]);
});

it('One server may have its own address in several spellings, and as its name', () => {
  expect(wrong('{ id: 1, name: 192.0.2.1, ips: [192.0.2.1, "::ffff:192.0.2.1"] }')).toEqual([]);
});

it.each(['fe80::1%eth0', 'fe80::1%1', '192.0.2.1%eth0', '192.0.2.0/24', '[2001:db8::a]', '192.0.2.01'])(
  'No server is found by %s, so the policy does not have it',
  (address) => {
    expect(wrong(`{ id: 1, name: a, ips: ["${address}"] }`)).toEqual([
      'servers[0].ips[0] (line 3): A list of IPv4 or IPv6 addresses without prefix length or zone (%eth0).',
    ]);
  },
);
