import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readRoot } from '../helpers/house.ts';

const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(readRoot('package.json')));

/** What npm finds on every platform: node, itself, and the programs of packages. */
const programs = ['node', 'npm', 'tsc', 'vite', 'vitest', 'biome', 'knip', 'concurrently'];

/** What cmd.exe, sh and others take for different things, or some of them for nothing at all. */
function foreignIn(script: string): string[] {
  const unquoted = script.replaceAll(/"[^"$`\\%!]*"/g, '');
  const first = unquoted.split('&&').map((command) => command.trim().split(' ')[0] ?? '');
  return [
    ...first.filter((word) => !programs.includes(word)),
    ...(unquoted.match(/[^\w\s&./:=,-]|(?<!&)&(?!&)/g) ?? []),
  ];
}

describe('a script of package.json', () => {
  it.each([
    ['exec node dist/src/main.js', ['exec']],
    ['PICTURES=1 vitest run', ['PICTURES=1']],
    ['rm -rf dist && npm run build', ['rm']],
    ['(node a.mjs || npm run build >&2) && node b.mjs', ['(node', '(', '|', '|', '>', '&', ')']],
    ["knip --files 'a b'", ["'", "'"]],
    ['node "$HOME/a.mjs"', ['"', '$', '"']],
    ['node -e "fs.rmSync(\'dist\')" && npm run --silent build', []],
  ])('is known for a line that not every shell understands: %s', (script, foreign) => {
    expect(foreignIn(script)).toEqual(foreign);
  });

  it.each(Object.entries(scripts))('runs in cmd.exe as in every other shell: %s', (_, script) => {
    expect(foreignIn(script)).toEqual([]);
  });
});

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

const lock: { packages: Record<string, Locked> } = JSON.parse(readRoot('package-lock.json'));
const locked = Object.entries(lock.packages)
  .filter(([path, { link }]) => path !== '' && link !== true)
  .map(([path, entry]) => ({ ...entry, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length) }));

describe('package-lock.json', () => {
  // If npm leaves one out, as for a build for another platform: npm view NAME@VERSION dist.integrity
  it('locks what each package contains, and not only its version', () => {
    const whole = /^sha512-[A-Za-z0-9+/]{86}==$/;
    expect(locked.length).toBeGreaterThan(200);
    expect(locked.filter(({ integrity = '' }) => !whole.test(integrity)).map(({ name }) => name)).toEqual([]);
  });

  it('takes packages from the public registry and from nowhere else', () => {
    const elsewhere = ({ resolved = 'https://registry.npmjs.org/' }: Locked): boolean =>
      !resolved.startsWith('https://registry.npmjs.org/');
    expect(locked.filter(elsewhere).map(({ name }) => name)).toEqual([]);
  });
});
