import { cpus, release, totalmem } from 'node:os';
import { type Figure, told } from './numbers.ts';

/** One row of the results. `what` and `goal` are the same on every Node. */
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

/** What one group measured. */
interface Measured {
  date: string;
  minutes: number;
  /** Load average of the minute before the start. */
  load: number;
  rows: readonly Row[];
}

/** What was measured on one Node, by group. */
interface OnNode {
  machine: string;
  versions: Readonly<Record<string, string>>;
  groups: Record<string, Measured>;
}

/** By Node, as `Node 20`. */
export type Results = Record<string, OnNode>;

/** The machine, as text. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`;

const lineOf = (cells: readonly string[]): string =>
  `| ${cells.map((text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;

function cellOf(row: Row | undefined): string {
  if (row === undefined) return '';
  const ratio = row.ratio === undefined ? [] : [`× ${told(row.ratio)}`];
  const figures = [...ratio, row.ours, row.baseline, ...(row.note === undefined ? [] : [row.note])].join('; ');
  return `${row.isMet ? 'met' : '**missed**'}: ${figures}`;
}

function aboutRun(node: string, { machine: where, versions, groups }: OnNode): string {
  const all = Object.values(groups);
  const tools = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const minutes = all.reduce((sum, each) => sum + each.minutes, 0).toFixed(1);
  const load = Math.max(...all.map((each) => each.load)).toFixed(2);
  const date = all
    .map((each) => each.date)
    .sort()
    .at(-1);
  return `- ${node}: ${date}, ${where}; ${tools.join(', ')}; it took ${minutes} minutes; load average before: ${load}`;
}

/** bench/RESULTS.md, with the groups in this order. */
export function results(all: Results, order: readonly string[]): string {
  const nodes = Object.keys(all).sort();
  const rowsOf = (node: string) =>
    order.flatMap((group) => (all[node]?.groups[group]?.rows ?? []).map((row) => ({ ...row, group })));
  const found = nodes.flatMap((node) => rowsOf(node).map((row) => ({ ...row, node })));
  // Each once, by its first place.
  const rows = [...new Map(found.map((row) => [row.what, row])).values()].sort(
    (a, b) => order.indexOf(a.group) - order.indexOf(b.group),
  );
  const missed = found.filter(({ isMet }) => !isMet);
  const whys = [...new Set(missed.flatMap(({ why }) => why ?? []))];
  return [
    '# Results of the bench',
    '',
    '`npm run bench` and `npm run bench:node26` write this file. Ratios are the result: each figure stands beside its',
    'baseline, which ran on the same machine in the same minutes, in short alternating slices. Absolute times are for',
    'orientation. A figure is the median of its runs, with the least and the most in brackets; a ratio is that of the ratios',
    'run by run.',
    '',
    // Each is a key of it.
    ...nodes.flatMap((node) => (all[node] === undefined ? [] : [aboutRun(node, all[node])])),
    '',
    lineOf(['what', 'goal', ...nodes]),
    lineOf(['---', '---', ...nodes.map(() => '---')]),
    ...rows.map(({ what, goal }) =>
      lineOf([what, goal, ...nodes.map((node) => cellOf(rowsOf(node).find((row) => row.what === what)))]),
    ),
    '',
    '## What the missed rows would take',
    '',
    ...whys.map((why) => {
      const those = missed.filter((row) => row.why === why);
      const names = [...new Set(those.map(({ what }) => what))].join('; ');
      return `- **${names}** (${[...new Set(those.map(({ node }) => node))].join(', ')}): ${why}. Profile: \`npm run bench -- --profile ${those[0]?.group}\``;
    }),
    '',
  ].join('\n');
}
