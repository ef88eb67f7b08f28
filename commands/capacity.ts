import { bold, joined, type Markup, md, quote, trusted } from '../src/card.ts';
import type { Gauge, Row } from '../src/chart/chart.ts';
import type { Data } from '../src/panel/endpoints.ts';

export type Entry = Data<'resources'>['data'][number];

/** One hypervisor as a line: what is used, of how much, as in the picture; and what is unusual about it. */
export function capacity({ hypervisor, resources }: Entry): Markup {
  const closed = closures(hypervisor);
  const used = [
    usedOf(inGigabytes(gauge('memory', 'MB', resources.memory))),
    usedOf(gauge('cores', '', resources.cpuCores)),
    ...storages(resources).map((each) => usedOf(each, quote(each.name, maxNameLength))),
    usedOf(gauge('servers', '', resources.servers)),
  ];
  return joined(
    [
      md`**${hypervisor.id}** ${quote(hypervisor.name, 60)}`,
      ...(closed.length === 0 ? [] : [trusted(`⊘ takes no new servers: ${closed.join(', ')}`)]),
      md`used: ${joined(used, ', ')}`,
    ],
    ' · ',
  );
}

const maxNameLength = 24;

/** "⚠ memory over by 32 GB on `hv-2`": what is promised beyond what there is, the largest part of it first. */
export function overCommitted(entries: readonly Entry[]): Markup | undefined {
  const over = entries.flatMap(({ hypervisor, resources }) =>
    [
      { ...inGigabytes(gauge('memory', 'MB', resources.memory)), shown: trusted('memory') },
      { ...gauge('cores', '', resources.cpuCores), shown: trusted('cores') },
      ...storages(resources).map((each) => ({ ...each, shown: quote(each.name, maxNameLength) })),
      { ...gauge('servers', '', resources.servers), shown: trusted('servers') },
    ]
      .filter(({ max, allocated }) => max > 0 && allocated > max)
      .map((each) => ({ ...each, on: hypervisor.name, share: each.allocated / each.max })),
  );
  const [worst] = over.toSorted((a, b) => b.share - a.share);
  if (worst === undefined) return undefined;
  const by = trusted(`${tidy(worst.allocated - worst.max)}${worst.unit === '' ? '' : ` ${worst.unit}`}`);
  const more = trusted(over.length === 1 ? '' : `, and ${over.length - 1} more`);
  return md`⚠ ${worst.shown} over by ${by} on ${quote(worst.on, 60)}${more}.`;
}

/** "memory 96 of 256 GB" */
function usedOf({ name, unit, max, allocated }: Gauge, shown = trusted(name)): Markup {
  const behind = unit === '' ? '' : ` ${unit}`;
  if (max === 0) return md`${shown} ${trusted(`${tidy(allocated)}${behind}`)}, no limit`;
  const used = md`${shown} ${trusted(`${tidy(allocated)} of ${tidy(max)}${behind}`)}`;
  return allocated > max ? bold(md`⚠ ${used}, over-committed`) : used;
}

/** Half a number is a different number: only what a calculation adds behind the comma is cut. */
const tidy = (n: number): string => String(Number(n.toFixed(1)));

/** The same as a chart: memory, cores and storage side by side, storages stacked. */
export function bars({ hypervisor, resources }: Entry): Row {
  const all = storages(resources);
  const shown = fullest(all);
  const left = all.length - shown.length;
  return {
    id: hypervisor.id,
    name: hypervisor.name,
    marks: [...closures(hypervisor), ...(left === 0 ? [] : [`${left} more storages`])],
    beside: gauge('Servers', 'servers', resources.servers),
    columns: [[inGigabytes(gauge('Memory', 'MB', resources.memory))], [gauge('Cores', '', resources.cpuCores)], shown],
  };
}

const gauge = (name: string, unit: string, { max, allocated }: { max: number; allocated: number }): Gauge => ({
  name,
  unit,
  max,
  allocated,
});

const storages = ({ localStorage, otherStorage }: Entry['resources']): Gauge[] =>
  [localStorage, ...otherStorage].filter(({ enabled }) => enabled).map((storage) => gauge(storage.name, 'GB', storage));

/** More stacked bars would make the picture too tall for a phone. */
const maxStorages = 4;

/** The fullest ones, in original order. */
function fullest(gauges: readonly Gauge[]): readonly Gauge[] {
  const share = ({ max, allocated }: Gauge): number => (max > 0 ? allocated / max : 0);
  const first = gauges.toSorted((a, b) => share(b) - share(a)).slice(0, maxStorages);
  return gauges.filter((each) => first.includes(each));
}

/** Memory comes in powers of two. */
const inGigabytes = (memory: Gauge): Gauge => ({
  ...memory,
  unit: 'GB',
  max: memory.max / 1024,
  allocated: memory.allocated / 1024,
});

/** Why the hypervisor accepts no new servers. */
const closures = ({ enabled, commissioned, prohibit }: Entry['hypervisor']): string[] => [
  ...(enabled ? [] : ['disabled']),
  ...(commissioned ? [] : ['not commissioned']),
  ...(prohibit ? ['prohibited'] : []),
];
