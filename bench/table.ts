import { cpus, release, totalmem } from 'node:os';
import { type Figure, told } from './numbers.ts';

/** One row of the results. */
export interface Row {
  what: string;
  /** What it is measured against, with its figure. */
  baseline: string;
  /** The figure itself. */
  ours: string;
  /** Ours to theirs; left out where the goal is not a ratio. */
  ratio?: Figure;
  goal: string;
  isMet: boolean;
  /** Why the goal is missed, and what it would take: shown only where it is. */
  why?: string;
  /** What else one has to know. */
  note?: string;
}

/** The circumstances of a run. */
export interface Setting {
  date: string;
  minutes: number;
  versions: Readonly<Record<string, string>>;
  /** Load average of the minute before the start. */
  load: number;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const columns = ['what', 'against', 'panelops', 'ratio', 'goal', 'met', 'note'];

function lineOf({ what, baseline, ours, ratio, goal, isMet, why, note }: Row): string {
  const notes = [isMet ? undefined : why, note].filter((text) => text !== undefined).join('; ');
  const cells = [
    what,
    baseline,
    ours,
    ratio === undefined ? '' : `× ${told(ratio)}`,
    goal,
    isMet ? 'yes' : 'no',
    notes,
  ];
  return `| ${cells.map(cell).join(' | ')} |`;
}

/** The machine, as text. */
const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`;

/** bench/RESULTS.md. */
export function results(rows: readonly Row[], { date, minutes, versions, load }: Setting): string {
  const tools = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    '# Results of the bench',
    '',
    '`npm run bench` writes this file. Ratios are the result: each figure stands beside its baseline, which ran on the same',
    'machine in the same minutes, in short alternating slices. Absolute times are for orientation. A figure is the median of',
    'its runs, with the least and the most in brackets; a ratio is that of the ratios run by run.',
    '',
    `- Machine: ${machine()}`,
    `- Versions: ${tools.join(', ')}`,
    `- Date: ${date}; it took ${minutes} minutes; load average before: ${load.toFixed(2)}`,
    '',
    `| ${columns.join(' | ')} |`,
    `| ${columns.map(() => '---').join(' | ')} |`,
    ...rows.map(lineOf),
    '',
  ].join('\n');
}
