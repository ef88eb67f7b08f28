import { execFile } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRoot, root } from '../../helpers/house.ts';
import { folderForAll } from '../../helpers/ledger/samples.ts';

/** A step of a page that is followed to the letter: a change of files, or a line to run with what it must print, if it says so. */
type Step =
  | { kind: 'change'; path: string; hunks: readonly Hunk[] }
  | { kind: 'run'; line: string; prints?: readonly RegExp[] };

/** Lines that are replaced by others. */
interface Hunk {
  old: string;
  new: string;
}

const block = /^```(diff|sh|text)\n([\s\S]*?)^```$/gm;

/** The page's blocks of code, in order: `diff` is applied, `sh` is run, and `text` after it is what the last line prints. */
function stepsOf(page: string): Step[] {
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
function change(folder: string, { path, hunks }: Extract<Step, { kind: 'change' }>): void {
  const file = join(folder, path);
  let text = readFileSync(file, 'utf8');
  for (const hunk of hunks) {
    const [before, ...after] = text.split(hunk.old);
    if (after.length !== 1) throw new Error(`${path} has these lines ${after.length} times, not once:\n${hunk.old}`);
    text = `${before}${hunk.new}${after[0]}`;
  }
  writeFileSync(file, text);
}

const steps = stepsOf(readRoot('docs/adding-a-command.md'));
const run = promisify(execFile);

const copy = folderForAll();
beforeAll(() => {
  const left = ['.git', 'node_modules', 'data'];
  for (const name of readdirSync(root).filter((each) => !left.includes(each)))
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});

/** Runs a line in the copy: its exit code and all that it printed. */
async function outputOf(line: string): Promise<{ code: number; text: string }> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV');
  // A handful of tests each time: to load the whole bot in several workers takes longer than they do.
  const env = { ...Object.fromEntries(own), NO_COLOR: '1', VITEST_MAX_WORKERS: '1' };
  const [program = '', ...words] = line.split(' ');
  const told = (stdout: string, stderr: string): string => stripVTControlCharacters(`${stdout}\n${stderr}`);
  try {
    const { stdout, stderr } = await run(program, words, { cwd: copy, env, maxBuffer: 1e8 });
    return { code: 0, text: told(stdout, stderr) };
  } catch (error) {
    // With what was printed, where it is the program that failed.
    const {
      code = 1,
      stdout = '',
      stderr = String(error),
    } = error as { code?: number; stdout?: string; stderr?: string };
    return { code, text: told(stdout, stderr) };
  }
}

async function follow(step: Step): Promise<void> {
  if (step.kind === 'change') return change(copy, step);
  const { code, text } = await outputOf(step.line);
  for (const line of step.prints ?? []) expect(text).toMatch(line);
  if (step.prints === undefined) expect(code === 0 ? 'succeeded' : text).toBe('succeeded');
}

const named = (step: Step): string => (step.kind === 'change' ? `changes ${step.path}` : step.line);

describe('docs/adding-a-command.md', () => {
  it('has what is to be followed', () => {
    expect(steps.filter(({ kind }) => kind === 'change')).toHaveLength(5);
    expect(steps.filter(({ kind }) => kind === 'run').length).toBeGreaterThan(4);
  });

  /** What comes after a step that failed says nothing more. */
  let isSound = true;

  it.each(steps.map((step) => ({ name: named(step), step })))('$name', { timeout: 180_000 }, async ({ step }) => {
    expect(isSound, 'a step before it failed').toBe(true);
    isSound = false;
    await follow(step);
    isSound = true;
  });
});
