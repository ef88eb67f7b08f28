import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, readRoot, root, sources } from '../helpers/house.ts';

/** The rows of all tables of a document, as trimmed cells. */
const rows = (document = 'README.md'): string[][] =>
  readRoot(document)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

interface Package {
  engines: Record<string, string>;
  allowScripts: Record<string, unknown>;
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

describe('package.json', () => {
  const manifest: Package = JSON.parse(readRoot('package.json'));
  const imported = (folders: readonly string[]): Set<string> =>
    new Set(folders.flatMap(sources).flatMap((source) => importsOf(source).map(({ target }) => target)));

  it('runs on Node from 20.19', () => {
    expect(manifest.engines).toEqual({ node: '>=20.19' });
  });

  it('lets no package run a script when it is installed', () => {
    expect(manifest.allowScripts).toEqual({});
    // `prepack` runs where the package is made.
    expect(
      Object.keys(manifest.scripts).filter((name) => /install|prepare|^pre(?!start|pack)|^post/.test(name)),
    ).toEqual([]);
  });

  it('has no dependency that nothing imports', () => {
    const used = imported(['src', 'commands']);
    expect(Object.keys(manifest.dependencies).filter((name) => !used.has(name))).toEqual([]);
  });

  it('has no tool that nothing uses', () => {
    // Run by name, or read by the compiler.
    const tools = [
      '@biomejs/biome',
      '@types/node',
      '@types/proxy-from-env',
      '@types/ws',
      'concurrently',
      'knip',
      'kubernetes-types',
      'typescript',
    ];
    const used = imported(['src', 'commands', 'test']);
    expect(Object.keys(manifest.devDependencies).filter((name) => !used.has(name))).toEqual(tools);
  });

  it('has every package that is imported, and for the program itself among the dependencies', () => {
    const isPackage = (name: string): boolean => name !== 'node' && !/^(src|commands|test|bench|dist)\//.test(name);
    // What runs in a browser is bundled when it is built, and what builds runs before.
    const running = [...sources('src'), ...sources('commands')].filter(
      ({ path }) => !path.includes('/page/client/') && path !== 'src/bundle.config.ts',
    );
    const own = running
      .flatMap(importsOf)
      .filter(({ target, values }) => values && isPackage(target))
      .map(({ target }) => target);
    expect(own.filter((name) => !(name in manifest.dependencies))).toEqual([]);
    const all = { ...manifest.dependencies, ...manifest.devDependencies };
    expect([...imported(['test'])].filter(isPackage).filter((name) => !(name in all))).toEqual([]);
  });

  it('is explained package by package in docs/dependencies.md', () => {
    const table = rows('docs/dependencies.md');
    expect(table[0]).toEqual(['package', 'why']);
    const explained = table.slice(2).flatMap(([names = '']) => names.replaceAll('`', '').split(', '));
    const all = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
    expect(explained.sort()).toEqual(all.sort());
  });
});

describe('the top of the repository', () => {
  const expected = [
    '.ci',
    '.dockerignore',
    '.env.example',
    '.gitignore',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'bench',
    'biome.json',
    'commands',
    'deploy',
    'docs',
    'package-lock.json',
    'package.json',
    'policy.example.yaml',
    'src',
    'test',
    'tsconfig.json',
    'vitest.config.ts',
  ];

  it('has everything that belongs there', () => {
    expect(expected.filter((name) => !existsSync(join(root, name)))).toEqual([]);
  });

  // Without git, or in an unpacked archive, nobody can say what is in the repository.
  const listed = tracked();
  it.runIf(listed !== undefined)('has nothing else', () => {
    expect(listed?.filter((name) => !expected.includes(name))).toEqual([]);
  });

  function tracked(): string[] | undefined {
    if (!existsSync(join(root, '.git'))) return undefined;
    try {
      const list = ['-c', 'safe.directory=*', 'ls-files'];
      const names = execFileSync('git', list, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim().split('\n');
      return [...new Set(names.map((name) => name.replace(/\/.*/, '')))];
    } catch {
      return undefined;
    }
  }
});

describe('the link in docs/install.md that invites the bot', () => {
  // Discord's table of permissions.
  const bits = {
    'View Channels': 10n,
    'Send Messages': 11n,
    'Send Messages in Threads': 38n,
    'Embed Links': 14n,
    'Read Message History': 16n,
    'Create Public Threads': 35n,
    'Attach Files': 15n,
    'Mention @everyone, @here, and All Roles': 17n,
  };
  const sum = Object.values(bits).reduce((all, bit) => all | (1n << bit), 0n);

  it('asks for what incidents and the trail need, and names it', () => {
    const text = readRoot('docs/install.md');
    expect(text).toContain(`scope=bot+applications.commands&permissions=${sum}\``);
    for (const name of Object.keys(bits)) expect(text.slice(text.indexOf(`${sum} is`)).slice(0, 1_500)).toContain(name);
    expect(text).toContain(`Pin Messages comes on top: \`${sum | (1n << 51n)}\``);
  });
});
