import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bars, capacity, type Entry } from '../../commands/capacity.ts';
import { outsideText } from '../helpers/discord/outside.ts';

const amounts = (max: number, allocated: number) => ({
  units: '',
  max,
  allocated,
  free: max - allocated,
  percent: null,
});
const storage = (name: string, max: number, allocated: number, enabled = true) => ({
  id: 1,
  name,
  enabled,
  path: null,
  storageType: 1,
  isDatastore: false,
  ...amounts(max, allocated),
});

const usual: Entry = {
  hypervisor: { id: 1, name: 'hv-1', enabled: true, prohibit: false, accept: true, commissioned: true },
  resources: {
    servers: amounts(50, 12),
    memory: amounts(262_144, 98_304),
    cpuCores: amounts(64, 24),
    localStorage: storage('Local', 1800, 720),
    otherStorage: [],
    network: { total: { ipv4: { free: 3 } } },
  },
};
const hypervisor = (special: Partial<Entry['hypervisor']>): Entry => ({
  ...usual,
  hypervisor: { ...usual.hypervisor, ...special },
});
const resources = (special: Partial<Entry['resources']>): Entry => ({
  ...usual,
  resources: { ...usual.resources, ...special },
});

const said = (entry: Entry): string => capacity(entry).markup;

describe('a hypervisor on a line', () => {
  it('says what is used, of how much, in the direction and units of the picture', () => {
    expect(said(usual)).toBe(
      '**1** `hv-1` · used: memory 96 of 256 GB, cores 24 of 64, `Local` 720 of 1800 GB, servers 12 of 50',
    );
  });

  it('marks what has no limit, which the panel writes as a maximum of 0', () => {
    expect(said(resources({ servers: amounts(0, 12) }))).toContain('servers 12, no limit');
  });

  it('marks what is over-committed, by name', () => {
    const entry = resources({ memory: amounts(65_536, 98_304), localStorage: storage('https://evil.example', 10, 20) });
    expect(said(entry)).toContain('used: **⚠ memory 96 of 64 GB, over-committed**, cores 24 of 64');
    expect(said(entry)).toContain('**⚠ `https://evil.example` 20 of 10 GB, over-committed**');
    expect(said(resources({ memory: amounts(65_536, 65_536) }))).toContain('used: memory 64 of 64 GB');
  });

  it.each([
    [{ enabled: false }, 'disabled'],
    [{ commissioned: false }, 'not commissioned'],
    [{ prohibit: true }, 'prohibited'],
    [{ enabled: false, commissioned: false, prohibit: true }, 'disabled, not commissioned, prohibited'],
  ])('marks one that takes no new servers: %j', (special, why) => {
    expect(said(hypervisor(special))).toContain(`**1** \`hv-1\` · ⊘ takes no new servers: ${why} · used: memory 96 of`);
  });

  it('shows every storage that is enabled, and none that is not', () => {
    const otherStorage = [storage('fast', 100, 50), storage('old', 100, 50, false)];
    const line = said(resources({ localStorage: storage('Local', 1, 1, false), otherStorage }));
    expect(line).toContain('cores 24 of 64, `fast` 50 of 100 GB, servers 12 of 50');
  });

  it('cuts no digit of what the panel says, and only tenths of what it divides', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(said(resources({ cpuCores: amounts(most, most) }))).toContain(`cores ${most} of ${most}`);
    expect(said(resources({ memory: amounts(1000, 1) }))).toContain('memory 0 of 1 GB');
    expect(said(resources({ memory: amounts(1100, 500) }))).toContain('memory 0.5 of 1.1 GB');
  });

  it('is one line, whatever the panel says', () => {
    fc.assert(
      fc.property(fc.array(outsideText, { maxLength: 4 }), (names) => {
        const otherStorage = names.map((name) => storage(name, 10, 5));
        expect(said(resources({ otherStorage }))).toMatch(/^\*\*1\*\* `hv-1` · used: .*servers 12 of 50$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a hypervisor as bars', () => {
  it('has memory, cores and storage side by side, memory in GB of 1024 MB', () => {
    expect(bars(usual)).toEqual({
      id: 1,
      name: 'hv-1',
      marks: [],
      beside: { name: 'Servers', unit: 'servers', max: 50, allocated: 12 },
      columns: [
        [{ name: 'Memory', unit: 'GB', max: 256, allocated: 96 }],
        [{ name: 'Cores', unit: '', max: 64, allocated: 24 }],
        [{ name: 'Local', unit: 'GB', max: 1800, allocated: 720 }],
      ],
    });
  });

  it('leaves out storage that is not enabled, and says why it takes no new servers', () => {
    expect(bars(resources({ localStorage: storage('Local', 1, 1, false) })).columns[2]).toEqual([]);
    expect(bars(hypervisor({ prohibit: true })).marks).toEqual(['prohibited']);
  });

  it('shows the four fullest of many storages, and says how many more there are', () => {
    const otherStorage = [30, 0, 120, 90, 20].map((used, i) => storage(`s${i}`, i === 1 ? 0 : 100, used));
    const { columns, marks } = bars(resources({ otherStorage }));
    expect(columns[2]?.map(({ name }) => name)).toEqual(['Local', 's0', 's2', 's3']);
    expect(marks).toEqual(['2 more storages']);
  });
});
