import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../helpers/house.ts';

let folder: string;
const path = (name: string): string => join(folder, name);
const dated = (name: string, minute: number): void => utimesSync(path(name), minute * 60, minute * 60);

/** Asked as `npm start` asks. */
async function isBuilt(): Promise<boolean> {
  const { isBuilt: ask }: { isBuilt(): boolean } = await import(path('src/is-built.mjs'));
  return ask();
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'panelops-built-'));
  for (const name of ['src/shell', 'commands', 'dist/page']) mkdirSync(path(name), { recursive: true });
  const files = ['src/shell/a.ts', 'commands/b.ts', 'package-lock.json', 'tsconfig.json'];
  for (const name of [...files, 'dist/page/index.html']) writeFileSync(path(name), '');
  cpSync(join(root, 'src/is-built.mjs'), path('src/is-built.mjs'));
  for (const name of [...files, 'src/is-built.mjs', 'src/shell', 'src', 'commands']) dated(name, 1);
  dated('dist/page/index.html', 2);
  return () => rmSync(folder, { recursive: true });
});

describe('npm start', () => {
  it('builds nothing when nothing changed since', async () => {
    expect(await isBuilt()).toBe(true);
  });

  it.each<[string, () => void]>([
    ['nothing was built', () => rmSync(path('dist'), { recursive: true })],
    ['a source changed', () => dated('src/shell/a.ts', 3)],
    ['a command changed', () => dated('commands/b.ts', 3)],
    ['a package changed', () => dated('package-lock.json', 3)],
    ['a source was removed', () => rmSync(path('src/shell/a.ts'))],
  ])('builds when %s', async (_what, happens) => {
    happens();
    expect(await isBuilt()).toBe(false);
  });
});
