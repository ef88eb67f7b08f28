import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A step of a page that is followed to the letter: a change of files, or a line to run with what it must print, if it says so. */
export type Step =
  | { kind: 'change'; path: string; hunks: readonly Hunk[] }
  | { kind: 'run'; line: string; prints?: readonly RegExp[] };

/** Lines that are replaced by others. */
interface Hunk {
  old: string;
  new: string;
}

const block = /^```(diff|sh|text)\n([\s\S]*?)^```$/gm;

/** The page's blocks of code, in order: `diff` is applied, `sh` is run, and `text` after it is what the last line prints. */
export function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  for (const [, kind, text = ''] of page.matchAll(block)) {
    const lines = text.trimEnd().split('\n');
    const last = steps.at(-1);
    if (kind === 'diff') steps.push(changeOf(lines));
    else if (kind === 'sh') steps.push(...lines.map((line) => ({ kind: 'run' as const, line })));
    else if (last?.kind === 'run') steps.splice(-1, 1, { ...last, prints: lines.map(printed) });
  }
  return steps;
}

function changeOf([, to = '', ...rest]: readonly string[]): Step {
  const hunks = rest
    .join('\n')
    .split(/^@@$\n?/m)
    .slice(1);
  const side = (hunk: string, sign: '-' | '+'): string =>
    hunk
      .trimEnd()
      .split('\n')
      .filter((line) => line.startsWith(' ') || line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  return {
    kind: 'change',
    path: to.replace('+++ b/', ''),
    hunks: hunks.map((hunk) => ({ old: side(hunk, '-'), new: side(hunk, '+') })),
  };
}

/** A line of output, in which `…` stands for anything. */
const printed = (line: string): RegExp =>
  new RegExp(
    line
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('…', '.*'),
  );

/** Replaces the lines in the file below the folder; throws where they are not there exactly once. */
export function change(folder: string, { path, hunks }: Extract<Step, { kind: 'change' }>): void {
  const file = join(folder, path);
  let text = readFileSync(file, 'utf8');
  for (const hunk of hunks) {
    const [before, ...after] = text.split(hunk.old);
    if (after.length !== 1) throw new Error(`${path} has these lines ${after.length} times, not once:\n${hunk.old}`);
    text = `${before}${hunk.new}${after[0]}`;
  }
  writeFileSync(file, text);
}
