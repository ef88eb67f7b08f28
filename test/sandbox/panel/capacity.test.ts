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
});

describe('capacity', () => {
  const resources = async (group: number) => (await read(`/compute/hypervisors/groups/${group}/resources`)).data;

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
});
