import { list, type Markup, md, quote, trusted } from '../src/card.ts';
import type { Gauge, Row } from '../src/chart/chart.ts';
import type { Data } from '../src/panel/endpoints.ts';

export type Entry = Data<'resources'>['data'][number];

/** A phone shows 30 characters of code on a line. */
const width = 30;
const barWidth = 5;

/** One hypervisor: what is unusual about it, then a line for each resource. */
export function capacity({ hypervisor, resources }: Entry): Markup[] {
  const gauges: Gauge[] = [
    gauge('srv', '', resources.servers),
    gauge('mem', 'MB', resources.memory),
    gauge('cpu', '', resources.cpuCores),
    ...storages(resources),
  ];
  const over = gauges.filter(({ max, allocated }) => max > 0 && allocated > max);
  const closed = closures(hypervisor);
  return [
    ...(closed.length === 0 ? [] : [trusted(`⛔ takes no new servers: ${closed.join(', ')}`)]),
    ...(over.length === 0
      ? []
      : [
          md`⚠ over-committed: ${list(
            over.map(({ name }) => quote(plain(name))),
            ', ',
          )}`,
        ]),
    trusted(`\`\`\`\n${gauges.flatMap(lines).join('\n')}\n\`\`\``),
  ];
}

/** The same as bars: memory, cores and storage side by side, each storage below the other. */
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

/** More bars below each other would make a picture too high for a phone. */
const mostStorages = 4;

/** The fullest, in the order in which they came. */
function fullest(gauges: readonly Gauge[]): readonly Gauge[] {
  const share = ({ max, allocated }: Gauge): number => (max > 0 ? allocated / max : 0);
  const first = gauges.toSorted((a, b) => share(b) - share(a)).slice(0, mostStorages);
  return gauges.filter((each) => first.includes(each));
}

/** Memory comes in powers of two. The exact figures are in the text. */
const inGigabytes = (memory: Gauge): Gauge => ({
  ...memory,
  unit: 'GB',
  max: memory.max / 1024,
  allocated: memory.allocated / 1024,
});

/** Why it takes no new servers. */
const closures = ({ enabled, commissioned, prohibit }: Entry['hypervisor']): string[] => [
  ...(enabled ? [] : ['disabled']),
  ...(commissioned ? [] : ['not commissioned']),
  ...(prohibit ? ['prohibited'] : []),
];

/** "mem ███░░ 98304/131072 MB 75%" where that fits, else name, bar and percent over the figures. */
function lines({ name, unit, max, allocated }: Gauge): string[] {
  const label = plain(name);
  const pieces =
    max === 0 ? [`${allocated}`, ' used, no limit'] : [`${allocated}/`, `${max}${unit === '' ? '' : ` ${unit}`}`];
  const figures = pieces.join('');
  const gauge = max === 0 ? '∞' : `${bar(allocated / max)}`;
  const percent = max === 0 ? '' : ` ${percentOf(allocated / max)}`;
  const short = `${label.padEnd(3)} ${gauge} ${figures}${percent}`;
  if (short.length <= width) return [short];
  const below = `    ${figures}`;
  return [
    `${shortened(label, width - barWidth - percent.length - 1).padEnd(3)} ${gauge}${percent}`,
    // Figures are broken where they are too long, but never cut: half a number is another number.
    ...(below.length <= width ? [below] : pieces.map((piece) => `  ${piece.trimStart()}`)),
  ];
}

const percentOf = (share: number): string => (share > 9.99 ? '>999%' : `${Math.round(Math.max(share, 0) * 100)}%`);

function bar(share: number): string {
  const full = Math.min(barWidth, Math.max(allOrSome(share), 0));
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

/** Anything used shows at least one block, and only a full one shows all. */
const allOrSome = (share: number): number =>
  share >= 1 ? barWidth : share <= 0 ? 0 : Math.min(barWidth - 1, Math.max(1, Math.round(share * barWidth)));

/** A name from the panel inside a code block: one line, no backticks, nothing invisible. */
const plain = (name: string): string =>
  shortened(name.replace(/[^\p{L}\p{N} ._:/-]|\p{Default_Ignorable_Code_Point}/gu, '·'), 24) || 'storage';

function shortened(text: string, longest: number): string {
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join('')}…`;
}
