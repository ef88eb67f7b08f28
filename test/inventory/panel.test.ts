import { describe, expect, it } from 'vitest';
import { sparingly } from '../../src/app/inventory.ts';
import { type ReadPanel, walkServers as walk } from '../../src/inventory/panel.ts';
import { fieldsOf } from '../../src/policy/source.ts';

const virtfusion = fieldsOf({ source: 'panel', preset: 'virtfusion' });
const walkServers = (read: ReadPanel, fields = virtfusion) => walk(read, fields);
/** Of a panel that answers each read with the same. */
const walkAlone = (read: ReadPanel) => walk(read, { ...virtfusion, hypervisor: undefined });

type Record_ = Record<string, unknown>;
type Shift = (page: number, servers: Record_[]) => void;

const many = (count: number): Record_[] =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, name: `s-${at + 1}`, hypervisorId: 7, suspended: false }));

/** A panel with these servers in one group, whose list may change before a page of it is given. */
function panelOf(servers: Record_[], shift: Shift = () => undefined) {
  const asked: string[] = [];
  const lists: Record<string, () => unknown[]> = {
    servers: () => servers,
    'compute/hypervisors/groups': () => [{ id: 3, secret: 'x' }],
    'compute/hypervisors/groups/3/resources': () => [{ hypervisor: { id: 7 } }],
  };
  const read: ReadPanel = (parts, query) => {
    const path = parts.join('/');
    asked.push(`${path} ${new URLSearchParams(Object.entries(query).map(([a, b]): [string, string] => [a, `${b}`]))}`);
    if (path === 'servers') shift(asked.length, servers);
    const all = lists[path]?.() ?? [];
    const [page, size] = [Number(query['page']), Number(query['results'])];
    const data = all.slice((page - 1) * size, page * size);
    const last_page = Math.max(1, Math.ceil(all.length / size));
    return Promise.resolve({ kind: 'yes', data: { total: all.length, last_page, data } });
  };
  return { read, asked };
}

describe('a walk over the list of the panel', () => {
  it('reads pages of 200, the group of each hypervisor, and named fields only', async () => {
    const { read, asked } = panelOf([
      ...many(200),
      { id: 201, name: 'db-1', hypervisorId: 8, suspended: 1, protected: true, settings: { encryptedPassword: 'x' } },
    ]);
    const found = await walkServers(read);
    expect(asked).toEqual([
      'compute/hypervisors/groups results=200&page=1',
      'compute/hypervisors/groups/3/resources results=200&page=1',
      'servers type=simple&results=200&page=1',
      'servers type=simple&results=200&page=2',
    ]);
    expect(found).toHaveLength(201);
    expect(found[0]).toEqual({ id: 1, name: 's-1', group: 3 });
    expect(found[200]).toEqual({ id: 201, name: 'db-1', suspended: true, protected: true });
  });

  it('begins again where the list shifts on the way, and loses nobody', async () => {
    // In whatever order the panel lists them.
    const { read, asked } = panelOf(many(400).reverse(), (n, servers) => void (n === 4 && servers.shift()));
    const found = await walkServers(read);
    expect(found.map(({ id }) => id)).toEqual(
      many(400)
        .slice(0, -1)
        .map(({ id }) => id),
    );
    expect(asked.filter((each) => each.startsWith('servers'))).toHaveLength(4);
  });

  it('gives up on one that shifts each time', async () => {
    const { read } = panelOf(many(400), (_, servers) => void servers.shift());
    await expect(walkServers(read)).rejects.toThrow('/servers changed each time while it was read.');
  });

  it.each([
    [{ total: 1, last_page: 1, data: [{ id: 'x' }] }],
    [{ data: [] }],
    [[]],
    [{ total: 1, last_page: 1, data: [{ id: 1, name: { a: 1 } }] }],
  ])('refuses %j', async (data) => {
    await expect(walkAlone(() => Promise.resolve({ kind: 'yes', data }))).rejects.toThrow(
      '/servers does not look as the policy says.',
    );
  });

  it('does not count if a page is refused', async () => {
    const refused: ReadPanel = () => Promise.resolve({ kind: 'no', reason: 'not-found', status: 404 });
    await expect(walkAlone(refused)).rejects.toThrow('/servers cannot be read (not-found).');
  });

  it('ends where a page brings nothing new, however many there are to be', async () => {
    const pages: unknown[] = [];
    const endless: ReadPanel = (_, { page = 1 }) => {
      pages.push(page);
      return Promise.resolve({ kind: 'yes', data: { total: 900, last_page: 1e9, data: many(200) } });
    };
    await expect(walkAlone(endless)).rejects.toThrow('changed each time');
    expect(pages).toEqual([1, 2, 1, 2, 1, 2]);
  });

  it.each([
    ['a total that it does not have', { total: 3, last_page: 1, data: many(2) }],
    ['a server twice', { total: 3, last_page: 1, data: [...many(2), ...many(1)] }],
  ])('does not count with %s', async (_, data) => {
    await expect(walkAlone(() => Promise.resolve({ kind: 'yes', data }))).rejects.toThrow('changed each time');
  });

  it('does not count if the total changes on the way, though there are as many as it said first', async () => {
    const read: ReadPanel = (_, { page }) =>
      Promise.resolve({ kind: 'yes', data: { total: page === 1 ? 200 : 201, last_page: 2, data: many(200) } });
    await expect(walkAlone(read)).rejects.toThrow('changed each time');
  });

  it('reads fewer at a time where people gave so long names that a page is not understood', async () => {
    const { read } = panelOf(many(50).map((each) => ({ ...each, name: 'x'.repeat(1000) })));
    const strict: ReadPanel = (parts, query) =>
      Number(query['results']) > 20
        ? Promise.resolve({ kind: 'unknown', reason: 'not-understood', status: 200 })
        : read(parts, query);
    const found = await walkServers(strict);
    expect(found).toHaveLength(50);
    expect(found[0]?.name).toHaveLength(200);
  });

  it('gives a server that is as it was again, so that nothing of it has to be prepared, and anew what is other or was missed', async () => {
    const known = [
      { id: 1, name: 's-1', group: 3 },
      { id: 2, name: 's-2', group: 4 },
      { id: 4, name: 's-4', group: 3, missed: true as const },
    ];
    const found = await walk(panelOf(many(4)).read, virtfusion, known);
    expect(found).toEqual(many(4).map(({ id, name }) => ({ id, name, group: 3 })));
    expect(found.map((each) => known.some((before) => before === each))).toEqual([true, false, false, false]);
  });

  it('takes a tenth of the requests that the token may send, in any minute, and those at once', async () => {
    const { read } = panelOf(many(401));
    let at = 5_000;
    const waits: number[] = [];
    const look = (parts: readonly (string | number)[], _: unknown, query = {}) => {
      at += 100;
      return read(parts, query);
    };
    const budgetLeft = () => ({ circuitOpen: false, limit: 29 });
    const wait = (ms: number) => {
      at += ms;
      return Promise.resolve(waits.push(ms));
    };
    const sparing = sparingly({ look, budgetLeft }, wait, undefined, () => at);
    // Five reads: two at once, then the others as soon as a minute has room.
    await walkServers(sparing);
    expect(waits).toEqual([59_800, 59_800]);
    at += 60_000;
    await walkServers(sparing);
    expect(waits).toHaveLength(4);
  });

  it('tries again where others come first, once it may', async () => {
    const { read } = panelOf(many(1));
    const waits: number[] = [];
    const held = { kind: 'not-sent' as const, reason: 'waited-too-long' as const, again: Date.now() - 1 };
    const look = (parts: readonly (string | number)[], _: unknown, query = {}) =>
      waits.length < 3 ? Promise.resolve(held) : read(parts, query);
    const wait = (ms: number) => Promise.resolve(waits.push(ms));
    const found = await walkServers(sparingly({ look, budgetLeft: () => ({ circuitOpen: false, limit: 600 }) }, wait));
    expect([found.length, waits]).toEqual([1, [1_000, 1_000, 1_000]]);
  });

  it('takes its fields from where the policy points, addresses too', async () => {
    const row = { server: { no: 7, title: '__proto__', ip: ['192.0.2.7', 'x', '2001:DB8::7', '::ffff:192.0.2.7'] } };
    const asked: unknown[] = [];
    const read: ReadPanel = (parts, query) => {
      asked.push([parts, query]);
      return Promise.resolve({ kind: 'yes', data: { total: 1, last_page: 1, data: [row] } });
    };
    const found = await walkServers(read, {
      ...{ path: '/compute/servers?view=all', id: '/server/no', name: '/server/title' },
      addresses: '/server/ip',
    });
    expect(found).toEqual([{ id: 7, name: '__proto__', ips: ['192.0.2.7', '2001:db8::7'] }]);
    expect(asked).toEqual([[['compute', 'servers'], { view: 'all', results: 200, page: 1 }]]);
  });
});
