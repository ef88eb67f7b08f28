import { type Markup, own } from '../src/card.ts';
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
    ...(over.length === 0 ? [] : [own(`⚠ over-committed: ${over.map(({ name }) => plain(name)).join(', ')}`)]),
    own(`\`\`\`\n${gauges.flatMap(lines).join('\n')}\n\`\`\``),
  ];
}

/** "mem ███░░ 98304/131072 MB 75%" where that fits, else name, bar and percent over the figures. */
function lines({ name, unit, max, allocated }: Gauge): string[] {
  const label = plain(name);
  const figures = max === 0 ? `${allocated} used, no limit` : `${allocated}/${max}${unit}`;
  const gauge = max === 0 ? '∞' : `${bar(allocated / max)}`;
  const percent = max === 0 ? '' : ` ${Math.round((allocated / max) * 100)}%`;
  const short = `${label.padEnd(3)} ${gauge} ${figures}${percent}`;
  if (short.length <= width) return [short];
  return [
    `${label.slice(0, width - barWidth - percent.length - 1).padEnd(3)} ${gauge}${percent}`,
    `    ${figures}`.slice(0, width),
  ];
}

function bar(share: number): string {
  const full = Math.min(barWidth, Math.max(allOrSome(share), 0));
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

/** Anything used shows at least one block, and only a full one shows all. */
const allOrSome = (share: number): number =>
  share >= 1 ? barWidth : share <= 0 ? 0 : Math.min(barWidth - 1, Math.max(1, Math.round(share * barWidth)));

/** A name from the panel inside a code block: one line, no backticks. */
const plain = (name: string): string => name.replace(/[^\p{L}\p{N} ._:/-]/gu, '·').slice(0, 24) || 'storage';
