import { describe, expect, it } from 'vitest';
import { digestOf, type Found, nextList, type ServerList } from '../../src/inventory/list.ts';
import { listedOf } from '../../src/inventory/names.ts';
import { inventory } from '../../src/policy/inventory.ts';
import { namesAny } from '../../src/policy/pattern.ts';
import { type ListedServer, type ServerRow, serversOf, type TierRule } from '../../src/policy/server.ts';
import { atOnce } from '../../src/walk.ts';

const hundred = Array.from({ length: 100 }, (_, at): Found => ({ id: at + 1, name: `s-${at + 1}`, group: 1 }));

const next = (...ask: Parameters<typeof nextList>) => atOnce(nextList(...ask));
const digested = (servers: readonly Found[]) => atOnce(digestOf(servers));
const inForce = (list: ServerList, rows: ServerRow[], tiers: TierRule[] = []) =>
  atOnce(
    serversOf(
      { servers: rows, tiers, inventory: { source: 'panel', preset: 'virtfusion' } },
      atOnce(listedOf(list, rows, false)),
    ),
  );

function taken(before: ServerList | undefined, servers: readonly Found[], accepted?: string, at = 0) {
  const found = next(before, { servers, at }, accepted);
  if ('odd' in found) throw new Error(found.odd.words);
  return found;
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
    const digest = digested(servers);
    expect(next(first(), { servers, at: 0 })).toEqual({ odd: { digest, words } });
    expect(next(first(), { servers, at: 0 }, digested(hundred))).toHaveProperty('odd');
    expect(ids(taken(first(), servers, digest).list)).toEqual(servers.map(({ id }) => id));
  });

  it('keeps the same servers where nothing changed, so that nothing is prepared again', () => {
    const before = first();
    const { list, difference } = taken(before, [...hundred]);
    expect(list.servers).toBe(before.servers);
    expect(difference).toEqual([]);
  });

  it('waits also where more than a third went little by little within a day, or is no more what was accepted', () => {
    const hour = 3_600_000;
    const gone = (before: ServerList, from: number, at: number) =>
      taken(taken(before, hundred.slice(from), undefined, at).list, hundred.slice(from), undefined, at).list;
    const less = gone(gone(first(), 20, hour), 33, 2 * hour);
    expect(next(less, { servers: hundred.slice(40), at: 3 * hour })).toMatchObject({
      odd: { words: '40 of 100 servers are gone' },
    });
    expect(next(less, { servers: hundred.slice(40), at: 27 * hour })).toHaveProperty('list');
    const accepted = taken(less, hundred.slice(33), digested(hundred.slice(33)), 2 * hour).list;
    expect(next(accepted, { servers: hundred.slice(40), at: 3 * hour })).toHaveProperty('list');

    const renamed = (most: number) =>
      hundred.map((each) => (each.id <= most ? { ...each, name: `x-${each.id}` } : each));
    expect(next(taken(first(), renamed(20)).list, { servers: renamed(40), at: 99 * hour })).toMatchObject({
      odd: { words: '40 of 100 servers are renamed' },
    });
  });

  it('waits where more than a third of what was there is lost, however many the panel created before', () => {
    const hour = 3_600_000;
    const created = Array.from({ length: 200 }, (_, at) => ({ id: 201 + at, name: `new-${at}` }));
    const grown = taken(first(), [...hundred, ...created], undefined, hour).list;
    const odd = { odd: { words: '40 of 100 servers are gone' } };
    expect(next(grown, { servers: [...hundred.slice(40), ...created], at: 2 * hour })).toMatchObject(odd);
    const x = hundred.map((each) => (each.id <= 40 ? { ...each, name: `x-${each.id}` } : each));
    expect(next(grown, { servers: [...x, ...created], at: 2 * hour })).toMatchObject({
      odd: { words: '40 of 100 servers are renamed' },
    });
    // What is new counts as well: a panel that lists nothing of it any more is odd, too.
    expect(next(grown, { servers: hundred, at: 2 * hour })).toMatchObject({
      odd: { words: '200 of 300 servers are gone' },
    });
    // A day later, or where somebody accepted them, they are servers as others.
    const less = { servers: [...hundred.slice(40), ...created] };
    expect(next(grown, { ...less, at: 26 * hour })).toHaveProperty('list');
    const accepted = taken(grown, [...hundred, ...created], grown.digest, 2 * hour).list;
    expect(next(accepted, { ...less, at: 3 * hour })).toHaveProperty('list');
  });

  it('knows a list by all that it says', () => {
    const of = (more: Partial<Found>) => digested([{ id: 1, ...more }]);
    const all = [{}, { name: 'x' }, { group: 1 }, { suspended: true as const }, { protected: true as const }];
    expect(new Set([...all.map(of), of({ ips: ['192.0.2.1'] })]).size).toBe(6);
  });

  it('shortens long names in the differences', () => {
    const [line = ''] = taken(first(), [
      { ...hundred[0], id: 1, name: 'y'.repeat(200) },
      ...hundred.slice(1),
    ]).difference;
    expect(line).toBe(`renamed 1: s-1 to "${'y'.repeat(62)}…" (1)`);
  });

  it('has a name that passes for no more than one', () => {
    const others = hundred.map((each) => (each.id === 1 ? { ...each, name: 'a (1), s-2 to "b' } : each));
    expect(taken(first(), others).difference).toEqual(['renamed 1: s-1 to "a (1), s-2 to \\"b" (1)']);
  });

  it('takes a third as it is', () => {
    expect(next(first(), { servers: hundred.slice(33), at: 0 })).toHaveProperty('list');
  });
});

describe('a server that changes its tier', () => {
  const tiers = [
    { group: 1, tier: 'production' },
    { group: 2, tier: 'lab' },
  ];
  const tierOf = (list: ServerList) => inForce(list, [], tiers)[0];
  const moved = [{ id: 1, name: 's-1', group: 2 }, ...hundred.slice(1)];

  it('is held to both until somebody accepts it, also if it moves on meanwhile', () => {
    const after = taken(first(), moved).list;
    expect(tierOf(after)).toMatchObject({ tier: 'lab', heldTo: ['production'] });
    const nowhere = taken(after, [{ id: 1, name: 's-1', group: 9 }, ...hundred.slice(1)]).list;
    expect(tierOf(nowhere)).toMatchObject({ heldTo: 'every' });
    expect(tierOf(taken(nowhere, moved).list)).toMatchObject({ tier: 'lab', heldTo: ['production'] });
    expect(tierOf(taken(after, moved, digested(moved)).list)).toMatchObject({ heldTo: undefined });
    expect(tierOf(taken(after, hundred).list)).toMatchObject({ heldTo: undefined });
  });

  it('is held to both also where it was away for a while', () => {
    const without = hundred.slice(1);
    const gone = taken(taken(first(), without).list, without).list;
    expect(tierOf(taken(gone, moved).list)).toMatchObject({ tier: 'lab', heldTo: ['production'] });
  });
});

describe('a name of the panel', () => {
  const listed = (names: (string | undefined)[], rows: { id: number; name: string }[] = []) =>
    inForce(first(names.map((name, at) => ({ id: at + 1, ...(name === undefined ? {} : { name }) }))), rows);

  it.each([
    ['twice, in upper case, too', ['web-1', 'WEB-1']],
    ['a number', ['101']],
    ['a range', ['100-199']],
    ['an address', ['192.0.2.101']],
    ['nearly a number', ['101.']],
    ['nearly an address', ['192.0.2']],
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
    const found = atOnce(inventory(servers));
    for (const { id, called } of servers) {
      expect(called).toBe(names[id - 1] ?? '');
      expect(found.find(called || 'x')).not.toMatchObject({ called });
      expect(found.find(String(id))).toMatchObject({ id, called });
    }
  });

  it('of a server that is gone is only shown if another has it now', () => {
    const list = taken(taken(first(), hundred.slice(1)).list, [
      { id: 2, name: 'S-1', group: 1 },
      ...hundred.slice(2),
    ]).list;
    expect(inForce(list, []).slice(0, 2)).toMatchObject([
      { id: 1, name: undefined, called: 's-1', gone: true },
      { id: 2, name: 'S-1' },
    ]);
  });

  it('never takes the place of a name that people wrote', () => {
    const found = atOnce(inventory(listed(['db-1', 'web-1'], [{ id: 1, name: 'web-1' }])));
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
    const of = inForce(first(servers), rows);
    const { find } = atOnce(inventory(of));
    expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((ip) => find(ip)?.id)).toEqual([1, undefined, 3]);
  });

  it('is prepared from what was prepared before as it is anew, and only where something changed', () => {
    const rows: ServerRow[] = [{ id: 5, name: 'mine', tier: 'lab' }];
    const all = ['a', 'b', 'c', 'd', 'e'].map((name, at): Found => ({ id: at + 1, name, ips: [`192.0.2.${at + 1}`] }));
    let before: { servers: readonly Found[]; listed: ListedServer[] } | undefined;
    const prepared = (servers: readonly Found[]) => atOnce(listedOf({ servers }, rows, false, before));
    const change = (id: number, more: Partial<Found>) =>
      all.map((each) => (each.id === id ? { ...each, ...more } : each));
    const same = (servers: readonly Found[]): number[] => {
      const listed = prepared(servers);
      expect(listed).toEqual(atOnce(listedOf({ servers }, rows, false)));
      const again = servers.flatMap(({ id }, at) => (before?.listed.some((each) => each === listed[at]) ? [id] : []));
      before = { servers, listed };
      return again;
    };
    expect(same(all)).toEqual([]);
    expect(same(all.slice(1))).toEqual([2, 3, 4, 5]);
    expect(same(all)).toEqual([2, 3, 4, 5]);
    // Whose name and address another has now is another, too.
    expect(same(change(2, { name: 'C', ips: ['192.0.2.4'] }))).toEqual([1, 5]);
    expect(same(change(2, { name: 'MINE' }))).toEqual([1, 5]);
    expect(same(change(2, { name: 'MINE' }))).toEqual([1, 3, 4, 5]);
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
