import { describe, expect, test } from 'vitest';
import { ask, panelForEach } from '../../helpers/sandbox/panel/asking.ts';

const panel = panelForEach();

const read = async (path: string) => JSON.parse((await ask(panel, 'GET', path)).text);

describe('pages', () => {
  test('a list has 20 records a page unless asked otherwise', async () => {
    const page = await read('/compute/hypervisors/groups');
    const path = `${panel.url}/compute/hypervisors/groups`;
    const { data, links, ...envelope } = page;
    expect(data).toHaveLength(20);
    expect(envelope).toEqual({
      current_page: 1,
      first_page_url: `${path}?results=20&page=1`,
      from: 1,
      last_page: 2,
      last_page_url: `${path}?results=20&page=2`,
      next_page_url: `${path}?results=20&page=2`,
      path,
      per_page: 20,
      prev_page_url: null,
      to: 20,
      total: 24,
    });
    expect(links).toEqual([
      { url: null, label: '&laquo; Previous', active: false },
      { url: `${path}?results=20&page=1`, label: '1', active: true },
      { url: `${path}?results=20&page=2`, label: '2', active: false },
      { url: `${path}?results=20&page=2`, label: 'Next &raquo;', active: false },
    ]);
  });

  test('the last page has the rest and no next', async () => {
    const page = await read('/compute/hypervisors/groups?page=2');
    expect(page.data.map(({ id }: { id: number }) => id)).toEqual([21, 22, 23, 24]);
    expect([page.from, page.to, page.next_page_url]).toEqual([21, 24, null]);
    expect(page.prev_page_url).toBe(`${panel.url}/compute/hypervisors/groups?results=20&page=1`);
    expect(page.links.at(-1).url).toBeNull();
  });

  test('the links lead through all records, each once', async () => {
    const ids: number[] = [];
    for (let url: string | null = '/compute/hypervisors/groups?results=7'; url !== null; ) {
      const page = await read(url.replace(panel.url, ''));
      ids.push(...page.data.map(({ id }: { id: number }) => id));
      url = page.next_page_url;
    }
    expect(ids).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
  });

  test('200 records a page are allowed, and a page after the last is empty', async () => {
    expect((await read('/compute/hypervisors/groups?results=200')).data).toHaveLength(24);
    const beyond = await read('/compute/hypervisors/groups/1/resources?results=5&page=9');
    expect([beyond.data, beyond.from, beyond.to, beyond.total, beyond.last_page]).toEqual([[], 0, 0, 7, 2]);
    expect(beyond.next_page_url).toBeNull();
  });
});

describe('capacity', () => {
  interface Amount {
    max: number;
    allocated: number;
    free: number;
    percent: number | null;
  }

  const resources = async (group: number) => (await read(`/compute/hypervisors/groups/${group}/resources`)).data;

  test('free is max minus allocated everywhere', async () => {
    for (const { resources: each } of await resources(1)) {
      const amounts: Amount[] = [each.servers, each.memory, each.cpuCores, each.localStorage, ...each.otherStorage];
      for (const { max, allocated, free } of amounts) expect(free).toBe(max - allocated);
    }
  });

  test('unlimited servers have negative free and no percent, over-committed memory more than 100 %', async () => {
    const [ordinary, unlimited, overCommitted] = await resources(1);
    expect(ordinary.resources.memory).toEqual({
      units: 'MB',
      max: 262144,
      allocated: 98304,
      free: 163840,
      percent: 37.5,
    });
    expect(unlimited.resources.servers).toEqual({ units: '#', max: 0, allocated: 31, free: -31, percent: null });
    expect(overCommitted.resources.memory).toEqual({
      units: 'MB',
      max: 131072,
      allocated: 163840,
      free: -32768,
      percent: 125,
    });
  });

  test('Frankfurt has a hypervisor of every kind', async () => {
    const entries = await resources(1);
    const flags = entries.map(({ hypervisor }: { hypervisor: Record<string, unknown> }) => [
      hypervisor['name'],
      hypervisor['enabled'],
      hypervisor['prohibit'],
      hypervisor['commissioned'],
    ]);
    expect(flags).toEqual([
      ['fra-1', true, false, true],
      ['fra-2', true, false, true],
      ['fra-3', true, false, true],
      ['fra-4', false, false, true],
      ['fra-5', true, true, true],
      ['fra-6', true, false, false],
      ['fra-7', true, false, true],
    ]);
    expect(entries[6].resources.otherStorage).toHaveLength(3);
  });

  test('the free addresses are one pool of the group, which assigning empties', async () => {
    const free = async (group = 3) =>
      (await resources(group)).map((entry: { resources: { network: { total: { ipv4: { free: number } } } } }) => {
        return entry.resources.network.total.ipv4.free;
      });
    expect(await free(1)).toEqual([40, 40, 40, 40, 40, 0, 40]);
    expect(await free()).toEqual([3, 3]);
    const heard = await ask(panel, 'POST', '/servers/201/ipv4Qty', { interface: 'primary', quantity: 3 });
    expect(JSON.parse(heard.text)).toEqual({ data: ['198.51.100.210', '198.51.100.211', '198.51.100.212'] });
    expect(await free()).toEqual([0, 0]);
    expect((await ask(panel, 'POST', '/servers/202/ipv4Qty', { interface: 'primary', quantity: 1 })).status).toBe(422);
    await ask(panel, 'DELETE', '/servers/201/ipv4', { ip: ['198.51.100.211'] });
    expect(await free()).toEqual([1, 1]);
  });
});
