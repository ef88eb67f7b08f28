import { list, type Markup, md, own, quote } from '../src/card.ts';
import type { Data } from '../src/panel/endpoints.ts';

export type Entry = Data<'resources'>['data'][number];

interface Gauge {
  name: string;
  unit: string;
  max: number;
  allocated: number;
}

/** A phone shows 30 characters of code on a line. */
const width = 30;
const barWidth = 5;

/** One hypervisor: what is unusual about it, then a line for each resource. */
export function capacity({ hypervisor, resources }: Entry): Markup[] {
  const gauges: Gauge[] = [
    { name: 'srv', unit: '', ...resources.servers },
    { name: 'mem', unit: ' MB', ...resources.memory },
    { name: 'cpu', unit: '', ...resources.cpuCores },
    ...[resources.localStorage, ...resources.otherStorage]
      .filter((storage) => storage.enabled)
      .map((storage) => ({ name: storage.name, unit: ' GB', max: storage.max, allocated: storage.allocated })),
  ];
  const over = gauges.filter(({ max, allocated }) => max > 0 && allocated > max);
  const closed = [
    ...(hypervisor.enabled ? [] : ['disabled']),
    ...(hypervisor.commissioned ? [] : ['not commissioned']),
    ...(hypervisor.prohibit ? ['prohibited'] : []),
  ];
  return [
    ...(closed.length === 0 ? [] : [own(`⛔ takes no new servers: ${closed.join(', ')}`)]),
    ...(over.length === 0
      ? []
      : [
          md`⚠ over-committed: ${list(
            over.map(({ name }) => quote(plain(name))),
            ', ',
          )}`,
        ]),
    own(`\`\`\`\n${gauges.flatMap(lines).join('\n')}\n\`\`\``),
  ];
}

/** "mem ███░░ 98304/131072 MB 75%" where that fits, else name, bar and percent over the figures. */
function lines({ name, unit, max, allocated }: Gauge): string[] {
  const label = plain(name);
  const pieces = max === 0 ? [`${allocated}`, ' used, no limit'] : [`${allocated}/`, `${max}${unit}`];
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
