import { describe, expect, it } from 'vitest';
import { inventory } from '../../src/policy/inventory.ts';
import { serversOf } from '../../src/policy/server.ts';
import { atOnce } from '../../src/walk.ts';
import { policyOf, wrongIn } from '../helpers/policy/known.ts';

const rows = [
  '{ id: 110, name: old-web-1, ips: ["192.0.2.110"] }',
  '{ id: 101, name: web-1, tier: production, ips: ["192.0.2.101", "2001:db8::A"], group: 1 }',
  '{ id: 7, name: db-101 }',
  '{ id: 201, name: lab-1, ips: ["198.51.100.201"] }',
];
const roles = 'roles: [{ role: "1200000000000000003", name: lead, allow: ["*"] }]';
const listed = (text: string) => atOnce(inventory(atOnce(serversOf(policyOf(`${roles}\nservers: ${text}`)))));
const servers = listed(`\n${rows.map((row) => `  - ${row}\n`).join('')}`);
const all = () => true;
const names = (text: string, may = all) => servers.suggest(text, may).map(({ name }) => name);

describe('finding a server', () => {
  it('finds it by name, in upper and lower case alike, and by id', () => {
    const web1 = {
      id: 101,
      name: 'web-1',
      tier: 'production',
      ips: ['192.0.2.101', '2001:db8::A'],
      group: 1,
    };
    expect(servers.find('web-1')).toEqual(web1);
    expect(servers.find(' WEB-1 ')).toEqual(web1);
    expect(servers.find('101')).toEqual(web1);
  });

  it('knows what was meant after any slip, and after another one at the end', () => {
    const long = listed('[{ id: 1, name: cache-eu-1 }, { id: 2, name: db-10000 }]');
    const slips = [...'cache-eu-1'].flatMap((letter, at, all) => {
      const [before, after] = [all.slice(0, at).join(''), all.slice(at + 1).join('')];
      const swapped = before + after.slice(0, 1) + letter + after.slice(1);
      return [before + after, `${before}x${after}`, `${before}x${letter}${after}`, swapped];
    });
    for (const slip of slips.flatMap((each) => [each, `${each}z`])) expect(long.near(slip, all), slip).toHaveLength(1);
    expect(long.near('cachexyz-1', all)).toEqual([]);
  });

  it('gives an id that is not listed without a name', () => {
    expect(servers.find('999')).toEqual({ id: 999 });
  });

  it.each(['', 'web', 'web-*', '0', '-1', '1.5', '1e3', '0101', '99999999999999999999', '101,110', '__proto__'])(
    'finds nothing by %j',
    (text) => {
      expect(servers.find(text)).toBeUndefined();
    },
  );

  it.each([
    '192.0.2.101',
    '::ffff:192.0.2.101',
    '2001:db8::a',
    '2001:0DB8:0:0:0:0:0:000A',
    '[2001:db8::a]',
    ' 2001:db8::a ',
  ])('finds it by its address, spelled %j', (text) => {
    expect(servers.find(text)?.name).toBe('web-1');
  });

  it.each(['192.0.2.1', '192.0.2.0101', '192.0.2.101/32', '192.0.2.101:22', '2001:db8::a%eth0', '0xC0000265'])(
    'finds nothing by %j',
    (text) => {
      expect(servers.find(text)).toBeUndefined();
    },
  );

  it('finds it by name and id together, as a card writes it, and not if these are of two', () => {
    expect(servers.find('web-1 (101)')?.id).toBe(101);
    expect(servers.find('WEB-1 (101)')?.id).toBe(101);
    for (const text of ['web-1 (110)', 'web-1 (999)', 'web-9 (101)', '(101)', 'web-1 (101'])
      expect(servers.find(text)).toBeUndefined();
    expect(names('web-1 (101)')).toEqual(['web-1', 'old-web-1']);
    expect(names('web-1 (110)')).toEqual([]);
  });

  it('lists all in the order of the file', () => {
    expect(servers.all.map(({ id }) => id)).toEqual([110, 101, 7, 201]);
  });
});

describe('suggesting servers', () => {
  it('offers all when nothing is typed yet', () => {
    expect(names('')).toEqual(['old-web-1', 'web-1', 'db-101', 'lab-1']);
  });

  it('puts the beginning of a name before its middle', () => {
    expect(names('WEB')).toEqual(['web-1', 'old-web-1']);
    expect(names('old')).toEqual(['old-web-1']);
  });

  it('puts the very server first, then ids, then names that have it somewhere', () => {
    expect(names('101')).toEqual(['web-1', 'db-101']);
    expect(names('1')).toEqual(['old-web-1', 'web-1', 'db-101', 'lab-1']);
    expect(names('7')).toEqual(['db-101']);
  });

  it('finds by address, whole or in part', () => {
    expect(names('192.0.2.110')).toEqual(['old-web-1']);
    expect(names('198.51')).toEqual(['lab-1']);
    expect(names('2001:DB8::a')).toEqual(['web-1']);
  });

  it('offers only what the person may touch', () => {
    expect(servers.suggest('web', ({ id }) => id === 110).map(({ name }) => name)).toEqual(['old-web-1']);
  });

  it('offers nothing for what fits no server, and never more than 25', () => {
    expect(names('nope')).toEqual([]);
    const many = Array.from({ length: 40 }, (_, at) => `  - { id: ${at + 1}, name: node-${at + 1} }\n`).join('');
    const crowd = listed(`\n${many}`);
    expect(crowd.suggest('node', all)).toHaveLength(25);
    expect(crowd.suggest('node-40', all)).toEqual([{ id: 40, name: 'node-40' }]);
  });
});

/** What is wrong with these rows of `servers`. */
const wrongRows = (...of: string[]) => wrongIn(`${roles}\nservers:\n${of.map((row) => `  - ${row}\n`).join('')}`);
const taken = 'servers[0] has this address already. Leave it out of one of them, or of both.';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1', '::ffff:192.0.2.1'],
  ['2001:db8::a', '2001:0DB8:0:0:0:0:0:000A'],
])('An address of two servers would find neither: %s and %s', (one, other) => {
  const rows = [`{ id: 1, name: a, ips: ["${one}"] }`, `{ id: 2, name: b, ips: ["198.51.100.1", "${other}"] }`];
  expect(wrongRows(...rows)).toEqual([`servers[1].ips[1] (line 4): ${taken}`]);
});

it('A name is an address, too', () => {
  expect(wrongRows('{ id: 1, name: 192.0.2.1 }', '{ id: 2, name: b, ips: [192.0.2.1] }')).toEqual([
    `servers[1].ips[0] (line 4): ${taken}`,
  ]);
  expect(wrongRows('{ id: 1, name: a, ips: [192.0.2.1] }', '{ id: 2, name: 192.0.2.1 }')).toEqual([
    `servers[1].name (line 4): ${taken}`,
  ]);
});

it('One server may have its own address in several spellings, and as its name', () => {
  expect(wrongRows('{ id: 1, name: 192.0.2.1, ips: [192.0.2.1, "::ffff:192.0.2.1"] }')).toEqual([]);
});

it.each(['fe80::1%eth0', 'fe80::1%1', '192.0.2.1%eth0', '192.0.2.0/24', '[2001:db8::a]', '192.0.2.01'])(
  'No server is found by %s, so the policy does not have it',
  (address) => {
    expect(wrongRows(`{ id: 1, name: a, ips: ["${address}"] }`)).toEqual([
      'servers[0].ips[0] (line 3): A list of IPv4 or IPv6 addresses without prefix length or zone (%eth0).',
    ]);
  },
);
