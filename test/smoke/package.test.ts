import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { readRoot, root } from '../helpers/house.ts';
import { folderForAll } from '../helpers/ledger/samples.ts';
import { forThis } from '../helpers/lives.ts';
import { message, theBrowser, types } from '../helpers/sandbox/page/browser.ts';
import { type BotProcess, openStage, start } from '../helpers/stage.ts';

const manifest: { version: string; bin: { panelops: string }; dependencies: Record<string, string> } = JSON.parse(
  readRoot('package.json'),
);
const packed = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })]);

const dir = folderForAll();
let files: string[];
/** `node_modules/.bin/panelops`, as npm links it. */
let bin: string;

/** What was built, packed, and unpacked into an empty folder, beside the packages of production and no others. */
beforeAll(() => {
  const pack = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', dir], { cwd: root });
  const [{ filename, files: all }] = packed.parse(JSON.parse(String(pack.stdout)));
  files = all.map(({ path }) => path);
  const modules = join(dir, 'node_modules');
  const own = join(modules, 'panelops');
  mkdirSync(own, { recursive: true });
  spawnSync('tar', ['xzf', join(dir, filename), '--strip-components=1', '-C', own]);
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  mkdirSync(join(modules, '.bin'));
  bin = join(modules, '.bin', 'panelops');
  symlinkSync(join(own, manifest.bin.panelops), bin);
});

/** An empty folder to work in. */
function workplace(): string {
  const cwd = mkdtempSync(join(dir, 'cwd-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return cwd;
}

/** Starts the packed program; killed with the test. */
function launch(env: Record<string, string>, cwd: string, args: string[]): BotProcess {
  const bot = start(bin, env, { cwd, args });
  onTestFinished(() => void bot.child.kill('SIGKILL'));
  return bot;
}

describe('the package', () => {
  it('has what was built, what one needs to set it up, and no sources', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        ...[
          'dist/src/main.js',
          'dist/src/audit/thread.js',
          'dist/src/on-call/thread.js',
          'dist/src/redis/embedded-server.js',
        ],
        ...['dist/src/chunks/app.js', 'dist/src/chunks/licenses.md', 'dist/page/index.html', 'policy.example.yaml'],
        ...['.env.example', 'docs/install.md', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'],
      ]),
    );
    expect(
      files.filter((path) => /\.(?:ts|tsbuildinfo|map)$|^(?:test|src|commands|node_modules)\//.test(path)),
    ).toEqual([]);
  });

  it('cannot be published by accident', () => {
    expect(JSON.parse(readRoot('package.json'))).toHaveProperty('private', true);
  });

  it('says its version', async () => {
    const bot = launch({}, workplace(), ['--version']);
    expect([await bot.exit, bot.stdout()]).toEqual([{ code: 0, signal: null }, `${manifest.version}\n`]);
  });

  it('starts the sandbox in an empty folder, and alice ends what an alert began, in the browser', async () => {
    const cwd = workplace();
    const bot = launch({ HTTP_PORT: '0' }, cwd, ['start', '--quiet']);
    const { version, page = '' } = await bot.ready();
    expect(version).toBe(manifest.version);
    const context = await forThis((await theBrowser()).newContext());
    const tab = await context.newPage();
    await tab.goto(page);
    const press = (name: string) => tab.getByRole('article').getByRole('button', { name, exact: true }).last().click();
    await tab.getByRole('button', { name: 'Behind the scenes' }).click();
    const night = tab.getByRole('switch', { name: 'An alert at night' });
    await night.click();
    await press('Acknowledge');
    await message(tab, /ALERT sandbox.*Acknowledged by @alice/s).waitFor();
    await press('Start incident');
    const thread = tab.getByRole('navigation').getByRole('link', { name: 'HostDown on web-1' });
    await thread.waitFor();
    await press('/power restart web-1');
    await press('Restart web-1');
    await message(tab, /(ACCEPTED|FINISHED) \/power restart/).waitFor();
    await night.click();
    await message(tab, /ALERT sandbox.*resolved/).waitFor();
    await thread.click();
    await tab.getByRole('heading', { name: 'HostDown on web-1', level: 1 }).waitFor();
    await types(tab, '/incident end');
    await message(tab, /Acknowledged by @alice.*`?HostDown`? on web-1 \(101\) resolved/s).waitFor();
    expect(readdirSync(cwd)).toEqual(['data']);
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  it('serves a real Discord and panel without a file of the sandbox', async () => {
    const stage = await forThis(openStage());
    const cwd = workplace();
    // Beside what it counts, it has the name of every file that was loaded.
    const coverage = join(dir, 'loaded');
    const bot = launch({ ...stage.env, NODE_V8_COVERAGE: coverage }, cwd, ['--quiet']);
    await bot.ready();
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
    const loaded = readdirSync(coverage).flatMap((name) => {
      const { result }: { result: { url: string }[] } = JSON.parse(readFileSync(join(coverage, name), 'utf8'));
      return result.map(({ url }) => url);
    });
    const chunks = loaded.filter((url) => url.includes('/panelops/dist/src/'));
    const modules = chunks.flatMap((url) =>
      [...readFileSync(new URL(url), 'utf8').matchAll(/^\/\/ (\S+\.\w+)$/gm)].map(([, path = '']) => path),
    );
    expect(modules).toContain('src/shell/change.ts');
    expect(modules.filter((path) => path.endsWith('node_modules/discord.js/src/index.js'))).toHaveLength(1);
    expect(modules.filter((path) => /^src\/sandbox\/|\bnode_modules\/fastify\//.test(path))).toEqual([]);
  });
});
