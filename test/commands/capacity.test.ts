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

const said = (entry: Entry): string[] => capacity(entry).map(({ markup }) => markup);
/** The lines of code, which come last. */
function table(entry: Entry): string[] {
  const [, inside = ''] = /^```\n([\s\S]*)\n```$/.exec(said(entry).at(-1) ?? '') ?? [];
  return inside.split('\n');
}

describe('a hypervisor at a glance', () => {
  it('has a bar, used of total and percent on a line each', () => {
    expect(said(usual)).toHaveLength(1);
    expect(table(usual)).toEqual([
      'srv █░░░░ 12/50 24%',
      'mem ██░░░ 98304/262144 MB 38%',
      'cpu ██░░░ 24/64 38%',
      'Local ██░░░ 720/1800 GB 40%',
    ]);
  });

  it('marks what has no limit, which the panel writes as a maximum of 0', () => {
    expect(table(resources({ servers: amounts(0, 12) }))[0]).toBe('srv ∞ 12 used, no limit');
  });

  it('marks what is over-committed, by name', () => {
    const entry = resources({ memory: amounts(65_536, 98_304), localStorage: storage('https://evil.example', 10, 20) });
    expect(said(entry)[0]).toBe('⚠ over-committed: `mem`, `https://evil.example`');
    expect(table(entry)[1]).toBe('mem █████ 98304/65536 MB 150%');
    expect(said(resources({ memory: amounts(65_536, 65_536) }))).toHaveLength(1);
  });

  it.each([
    [{ enabled: false }, 'disabled'],
    [{ commissioned: false }, 'not commissioned'],
    [{ prohibit: true }, 'prohibited'],
    [{ enabled: false, commissioned: false, prohibit: true }, 'disabled, not commissioned, prohibited'],
  ])('marks one that takes no new servers: %j', (special, why) => {
    expect(said(hypervisor(special))[0]).toBe(`⛔ takes no new servers: ${why}`);
  });

  it('shows every storage that is enabled, and none that is not', () => {
    const otherStorage = [storage('fast', 100, 50), storage('old', 100, 50, false)];
    const lines = table(resources({ localStorage: storage('Local', 1, 1, false), otherStorage }));
    expect(lines.slice(3)).toEqual(['fast ███░░ 50/100 GB 50%']);
  });

  it.each([
    [0, 1000, '░░░░░', '0%'],
    [1, 1000, '█░░░░', '0%'],
    [500, 1000, '███░░', '50%'],
    [999, 1000, '████░', '100%'],
    [1000, 1000, '█████', '100%'],
    [2000, 1000, '█████', '200%'],
    [10_000_000, 1000, '█████', '>999%'],
  ])('%i of %i is %s', (allocated, max, bar, percent) => {
    const lines = table(resources({ cpuCores: amounts(max, allocated) }));
    expect(lines[2]).toMatch(new RegExp(`^cpu ${bar} .*${percent}$`));
  });

  it('puts long names and figures on lines of their own, and cuts no digit', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const entry = resources({
      memory: amounts(most, most),
      otherStorage: [storage('a'.repeat(40), 12_345_678, 1_234_567)],
    });
    expect(table(entry)).toEqual([
      'srv █░░░░ 12/50 24%',
      'mem █████ 100%',
      '  9007199254740991/',
      '  9007199254740991 MB',
      'cpu ██░░░ 24/64 38%',
      'Local ██░░░ 720/1800 GB 40%',
      `${'a'.repeat(19)}… █░░░░ 10%`,
      '    1234567/12345678 GB',
    ]);
  });

  it('fits a phone, thirty characters a line, whatever the panel says', () => {
    const amount = fc
      .tuple(
        fc.oneof(fc.constant(0), fc.nat(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })),
        fc.oneof(fc.nat(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      )
      .map(([max, allocated]) => amounts(max, allocated));
    const stores = fc.tuple(outsideText, amount).map(([name, figures]) => ({ ...storage(name, 1, 1), ...figures }));
    const entries = fc
      .record({
        servers: amount,
        memory: amount,
        cpuCores: amount,
        localStorage: stores,
        otherStorage: fc.array(stores, { maxLength: 4 }),
      })
      .map(resources);
    fc.assert(
      fc.property(entries, (entry) => {
        const lines = table(entry);
        for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(30);
        const gauges = [
          entry.resources.servers,
          entry.resources.memory,
          entry.resources.cpuCores,
          entry.resources.localStorage,
          ...entry.resources.otherStorage,
        ];
        for (const { max, allocated } of gauges) {
          expect(lines.join('\n')).toContain(`${allocated}${max === 0 ? '' : '/'}`);
          if (max !== 0) expect(lines.join('\n')).toContain(`${max}`);
        }
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
