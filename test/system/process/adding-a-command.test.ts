import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { change, type Step, stepsOf } from '../../helpers/docs/walk.ts';
import { readRoot, root } from '../../helpers/house.ts';

const steps = stepsOf(readRoot('docs/adding-a-command.md'));
const run = promisify(execFile);

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'panelops-'));
  const left = ['.git', 'node_modules', 'data'];
  for (const name of readdirSync(root).filter((each) => !left.includes(each)))
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

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
