import { bars, type Entry } from '../../../commands/capacity.ts';
import type { Chart } from '../../../src/chart/chart.ts';

/** max, allocated */
type Pair = readonly [number, number];

interface Special {
  name?: string;
  hypervisor?: Partial<Entry['hypervisor']>;
  servers?: Pair;
  /** MB */
  memory?: Pair;
  cores?: Pair;
  /** Name and GB; the first is the local one. */
  storages?: readonly (readonly [string, number, number])[];
}

const amounts = ([max, allocated]: Pair) => ({ units: '', max, allocated, free: max - allocated, percent: null });

/** A hypervisor as the panel describes it: usual, but for what is said. */
export function entry(id: number, special: Special = {}): Entry {
  const [local = ['Local', 1800, 720] as const, ...others] = special.storages ?? [];
  return {
    hypervisor: {
      id,
      name: special.name ?? `fra-${id}`,
      enabled: true,
      prohibit: false,
      accept: true,
      commissioned: true,
      ...special.hypervisor,
    },
    resources: {
      servers: amounts(special.servers ?? [50, 12]),
      memory: amounts(special.memory ?? [262_144, 98_304]),
      cpuCores: amounts(special.cores ?? [64, 24]),
      localStorage: { enabled: true, name: local[0], storageType: 1, ...amounts([local[1], local[2]]) },
      otherStorage: others.map(([name, max, allocated], i) => ({
        id: i + 1,
        name,
        enabled: true,
        path: null,
        storageType: 4,
        isDatastore: true,
        ...amounts([max, allocated]),
      })),
      network: { total: { ipv4: { free: 40 } } },
    },
  };
}

export const chartOf = (entries: readonly Entry[], part?: string): Chart => ({
  file: 'capacity.png',
  title: 'Group 1: memory, cores, storage',
  part,
  rows: entries.map(bars),
});

const markup = '**bold** `code` <@1000000000000000001> [a](https://evil.example)';

/** What a picture has to get right, by the name of its file in golden/. */
export const cases: Readonly<Record<string, Chart>> = {
  usual: chartOf(
    [
      entry(1),
      entry(2, { servers: [50, 41], memory: [262_144, 245_760], cores: [64, 60], storages: [['Local', 1800, 1710]] }),
      entry(4, { hypervisor: { enabled: false } }),
      entry(5, { hypervisor: { prohibit: true }, cores: [64, 1] }),
      entry(7, {
        storages: [
          ['Local', 1800, 720],
          ['nvme-pool', 4000, 3900],
          ['archive', 16_000, 4000],
        ],
      }),
    ],
    '1–5 of 7 hypervisors',
  ),
  'over-committed': chartOf([
    entry(1, { memory: [131_072, 132_096], cores: [64, 72], storages: [['Local', 1800, 1800]] }),
    entry(2, { servers: [50, 60], memory: [131_072, 163_840], cores: [64, 80] }),
    entry(3, { memory: [131_072, 262_144], cores: [1, 640], storages: [['Local', 1800, 2400]] }),
  ]),
  unlimited: chartOf([
    entry(1, { servers: [0, 31] }),
    entry(2, { servers: [0, 31], memory: [0, 98_304], cores: [0, 24], storages: [['Local', 0, 720]] }),
    entry(3, { servers: [0, 0], memory: [0, 0], cores: [0, 0], storages: [['Local', 0, 0]] }),
  ]),
  one: chartOf([entry(1)]),
  twenty: chartOf(
    Array.from({ length: 20 }, (_, i) => entry(i + 1, { memory: [262_144, i * 15_000], cores: [64, i * 4] })),
  ),
  'long-names': chartOf([
    entry(1, { name: 'hypervisor-with-a-name-that-goes-on-and-on.rack-17.frankfurt.example.net' }),
    entry(2, {
      name: 'another-one-that-is-long-and-takes-nothing-new',
      hypervisor: { enabled: false, commissioned: false, prohibit: true },
      servers: [99_999, 12_345],
      memory: [1_073_741_824, 107_374_182],
      cores: [123_456, 99_999],
      storages: [
        ['a-storage-whose-name-is-too-long', 12_345_678, 1_234_567],
        ['full-and-long-named', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
      ],
    }),
  ]),
  'strange-names': chartOf([
    entry(1, { name: markup, storages: [['<img src=x onerror=alert(1)>', 100, 50]] }),
    entry(2, { name: '\u202efra-2 reversed\u2066 \u200bzero' }),
    entry(3, { name: '🔥 burning 👩‍🚒 host' }),
    entry(4, { name: 'Zürich-Łódź-Ωμέγα-Сервер-東京-ירושלים', storages: [['\n', 10, 5]] }),
    entry(5, { name: '' }),
  ]),
  zeros: chartOf([
    entry(1, { servers: [50, 0], memory: [262_144, 0], cores: [64, 0], storages: [['Local', 1800, 0]] }),
    entry(2, { memory: [262_144, 1], cores: [64, 64] }),
  ]),
};
