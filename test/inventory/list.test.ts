import { describe, expect, it } from 'vitest';
import { digestOf, type Found, nextList, type ServerList } from '../../src/inventory/list.ts';
import { listedOf } from '../../src/inventory/names.ts';
import { inventory } from '../../src/policy/inventory.ts';
import { namesAny } from '../../src/policy/pattern.ts';
import { serversOf } from '../../src/policy/server.ts';

const hundred = Array.from({ length: 100 }, (_, at): Found => ({ id: at + 1, name: `s-${at + 1}`, group: 1 }));

function taken(before: ServerList | undefined, servers: readonly Found[], accepted?: string, at = 0) {
  const next = nextList(before, { servers, at }, accepted);
  if ('odd' in next) throw new Error(next.odd.words);
  return next;
}
const first = (servers: readonly Found[] = hundred): ServerList => taken(undefined, servers).list;
const ids = ({ servers }: ServerList): number[] => servers.flatMap(({ id, gone }) => (gone === undefined ? [id] : []));

describe('the next list', () => {
  it('forgets a server that two walks lack, and not before', () => {
    const less = hundred.slice(1);
    const once = taken(first(), less);
    expect(ids(once.list)).toContain(1);
    expect(once.difference).toEqual([]);
    const twice = taken(once.list, less);
    expect(ids(twice.list)).not.toContain(1);
    expect(twice.difference).toEqual(['- 1: s-1 (1)']);
    // It was there after all: it is as if nothing had been.
    expect(taken(once.list, hundred).list.servers).toContainEqual({ id: 1, name: 's-1', group: 1 });
  });

  it('says what is new, renamed and moved, with ten names at most', () => {
    const now = hundred.map((each) =>
      each.id === 2 ? { ...each, name: 'db-9' } : each.id === 3 ? { ...each, group: 7 } : each,
    );
    const more = Array.from({ length: 11 }, (_, at) => ({ id: 201 + at, name: `new-${at}` }));
    expect(taken(first(), [...now, ...more]).difference).toEqual([
      '+ 11: new-0 (201), new-1 (202), new-2 (203), new-3 (204), new-4 (205), new-5 (206), new-6 (207), new-7 (208), new-8 (209), new-9 (210) …',
      'renamed 1: s-2 to db-9 (2)',
      'moved 1: s-3 (3) from group 1 to 7',
    ]);
  });

  it.each([
    ['are gone', hundred.slice(0, 60), '40 of 100 servers are gone'],
    [
      'are renamed',
      hundred.map((each) => (each.id <= 34 ? { ...each, name: `x-${each.id}` } : each)),
      '34 of 100 servers are renamed',
    ],
    [
      'are moved',
      hundred.map((each) => (each.id <= 34 ? { ...each, group: 2 } : each)),
      '34 of 100 servers are in another group',
    ],
    ['is empty', [], '100 of 100 servers are gone'],
  ])('waits where more than a third %s, until somebody accepts exactly that', (_, servers, words) => {
    const digest = digestOf(servers);
    expect(nextList(first(), { servers, at: 0 })).toEqual({ odd: { digest, words } });
    expect(nextList(first(), { servers, at: 0 }, digestOf(hundred))).toHaveProperty('odd');
    expect(ids(taken(first(), servers, digest).list)).toEqual(servers.map(({ id }) => id));
  });

  it('keeps the same servers where nothing changed, so that nothing is prepared again', () => {
    const before = first();
    const { list, difference } = taken(before, [...hundred].reverse());
    expect(list.servers).toBe(before.servers);
    expect(difference).toEqual([]);
  });

  it('waits also where more than a third went little by little within a day, or is no more what was accepted', () => {
    const hour = 3_600_000;
    const gone = (before: ServerList, from: number, at: number) =>
      taken(taken(before, hundred.slice(from), undefined, at).list, hundred.slice(from), undefined, at).list;
    const less = gone(gone(first(), 20, hour), 33, 2 * hour);
    expect(nextList(less, { servers: hundred.slice(40), at: 3 * hour })).toMatchObject({
      odd: { words: '40 of 100 servers are gone' },
    });
    expect(nextList(less, { servers: hundred.slice(40), at: 27 * hour })).toHaveProperty('list');
    const accepted = taken(less, hundred.slice(33), digestOf(hundred.slice(33)), 2 * hour).list;
    expect(nextList(accepted, { servers: hundred.slice(40), at: 3 * hour })).toHaveProperty('list');

    const renamed = (most: number) =>
      hundred.map((each) => (each.id <= most ? { ...each, name: `x-${each.id}` } : each));
    expect(nextList(taken(first(), renamed(20)).list, { servers: renamed(40), at: 99 * hour })).toMatchObject({
      odd: { words: '40 of 100 servers are renamed' },
    });
  });

  it('knows a list by all that it says', () => {
    const of = (more: Partial<Found>) => digestOf([{ id: 1, ...more }]);
    const all = [{}, { name: 'x' }, { group: 1 }, { suspended: true as const }, { protected: true as const }];
    expect(new Set([...all.map(of), of({ ips: ['192.0.2.1'] })]).size).toBe(6);
  });

  it('shortens long names in the differences', () => {
    const [line = ''] = taken(first(), [
      { ...hundred[0], id: 1, name: 'y'.repeat(200) },
      ...hundred.slice(1),
    ]).difference;
    expect(line).toBe(`renamed 1: s-1 to ${'y'.repeat(62)}… (1)`);
  });

  it('takes a third as it is', () => {
    expect(nextList(first(), { servers: hundred.slice(33), at: 0 })).toHaveProperty('list');
  });
});

describe('a server that changes its tier', () => {
  const policy = { servers: [], inventory: { source: 'panel', preset: 'virtfusion' } as const };
  const tiers = [
    { group: 1, tier: 'production' },
    { group: 2, tier: 'lab' },
  ];
  const inForce = (list: ServerList) => serversOf({ ...policy, tiers }, listedOf(list, [], false))[0];
  const moved = [{ id: 1, name: 's-1', group: 2 }, ...hundred.slice(1)];

  it('is held to both until somebody accepts it, also if it moves on meanwhile', () => {
    const after = taken(first(), moved).list;
    expect(inForce(after)).toMatchObject({ tier: 'lab', heldTo: ['production'] });
    const nowhere = taken(after, [{ id: 1, name: 's-1', group: 9 }, ...hundred.slice(1)]).list;
    expect(inForce(nowhere)).toMatchObject({ heldTo: 'every' });
    expect(inForce(taken(nowhere, moved).list)).toMatchObject({ tier: 'lab', heldTo: ['production'] });
    expect(inForce(taken(after, moved, digestOf(moved)).list)).not.toHaveProperty('heldTo');
    expect(inForce(taken(after, hundred).list)).not.toHaveProperty('heldTo');
  });

  it('is held to both also where it was away for a while', () => {
    const without = hundred.slice(1);
    const gone = taken(taken(first(), without).list, without).list;
    expect(inForce(taken(gone, moved).list)).toMatchObject({ tier: 'lab', heldTo: ['production'] });
  });
});

describe('a name of the panel', () => {
  const listed = (names: (string | undefined)[], rows: { id: number; name: string }[] = []) =>
    serversOf(
      { servers: rows, tiers: [], inventory: { source: 'panel', preset: 'virtfusion' } },
      listedOf(first(names.map((name, at) => ({ id: at + 1, ...(name === undefined ? {} : { name }) }))), rows, false),
    );

  it.each([
    ['twice, in upper case, too', ['web-1', 'WEB-1']],
    ['a number', ['101']],
    ['a range', ['100-199']],
    ['an address', ['192.0.2.101']],
    ['a glob', ['web-*']],
    ['a selector', ['tier:lab']],
    ['a list', ['web-1,web-2']],
    ['bidi', ['web-\u202e1']],
    ['zero-width', ['web-\u200b1']],
    ['a line break', ['web-1\nweb-2']],
    ['a ping', ['@everyone']],
    ['a path', ['../../etc/passwd']],
    ['over 63 characters', ['x'.repeat(64)]],
    ['an umlaut', ['wéb-1']],
    ['nothing', [undefined]],
  ])('that is %s cannot be typed, and the id can', (_, names) => {
    const servers = listed(names);
    const found = inventory(servers);
    for (const { id, called } of servers) {
      expect(called).toBe(names[id - 1] ?? '');
      expect(found.find(called || 'x')).not.toMatchObject({ called });
      expect(found.find(String(id))).toMatchObject({ id, called });
    }
  });

  it('never takes the place of a name that people wrote', () => {
    const found = inventory(listed(['db-1', 'web-1'], [{ id: 1, name: 'web-1' }]));
    expect(found.find('web-1')).toMatchObject({ id: 1 });
    expect(found.find('db-1')).toBeUndefined();
  });

  it('finds nothing by an address that another server has, too, or that people wrote', () => {
    const rows = [{ id: 3, name: 'c', ips: ['192.0.2.3'] }];
    const servers = [
      { id: 1, name: 'a', ips: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] },
      { id: 2, name: 'b', ips: ['192.0.2.2'] },
      { id: 3, name: 'c', ips: ['192.0.2.3'] },
    ];
    const of = serversOf(
      { servers: rows, tiers: [], inventory: { source: 'panel', preset: 'virtfusion' } },
      listedOf(first(servers), rows, false),
    );
    const { find } = inventory(of);
    expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((ip) => find(ip)?.id)).toEqual([1, undefined, 3]);
  });

  it('gives nobody a right, unless people wrote it', () => {
    const may = namesAny(['db-*']);
    expect(
      listed(['db-1', 'x'], [{ id: 2, name: 'db-2' }])
        .filter(may)
        .map(({ id }) => id),
    ).toEqual([2]);
  });
});
