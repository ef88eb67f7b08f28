import { describe, expect, it } from 'vitest';
import { type ReadPanel, walkServers } from '../../src/inventory/panel.ts';

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
    const page = Number(query['page']);
    const data = all.slice((page - 1) * 200, page * 200);
    const last_page = Math.max(1, Math.ceil(all.length / 200));
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
      'servers type=simple&results=200&page=1',
      'servers type=simple&results=200&page=2',
      'compute/hypervisors/groups results=200&page=1',
      'compute/hypervisors/groups/3/resources results=200&page=1',
    ]);
    expect(found).toHaveLength(201);
    expect(found[0]).toEqual({ id: 1, name: 's-1', group: 3 });
    expect(found[200]).toEqual({ id: 201, name: 'db-1', suspended: true, protected: true });
  });

  it('begins again where the list shifts on the way, and loses nobody', async () => {
    const { read, asked } = panelOf(many(400), (n, servers) => void (n === 2 && servers.shift()));
    const found = await walkServers(read);
    expect(found.map(({ id }) => id)).toEqual(
      many(400)
        .slice(1)
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
    await expect(walkServers(() => Promise.resolve({ kind: 'yes', data }))).rejects.toThrow(
      '/servers does not look as that of the preset virtfusion.',
    );
  });

  it('does not count if a page is refused', async () => {
    const refused: ReadPanel = () => Promise.resolve({ kind: 'no', reason: 'not-found', status: 404 });
    await expect(walkServers(refused)).rejects.toThrow('/servers cannot be read (not-found).');
  });
});
