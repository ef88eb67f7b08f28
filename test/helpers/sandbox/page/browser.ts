import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import chromium from '@sparticuz/chromium';
import {
  type Browser,
  type BrowserContextOptions,
  type Locator,
  chromium as launcher,
  type Page as Tab,
} from 'playwright-core';
import { expect } from 'vitest';
import { type Page, startPage } from '../../../../src/sandbox/page/index.ts';
import { intakeOf, sendTo, token } from '../../alerts.ts';
import { readRoot, root } from '../../house.ts';
import { forAll, forThis } from '../../lives.ts';
import { startWorld, type World } from '../../world.ts';

export interface Visit {
  world: World;
  /** Sends an alert to the bot, as Alertmanager would. */
  alerts: ReturnType<typeof sendTo>;
  page: Page;
  /** Opens a window as this person, until the test ends. Errors of any window are in `wrong`. */
  open(as: string, options?: BrowserContextOptions): Promise<Tab>;
  /** Empties #ops and closes forms, so that a test finds only its own messages. */
  wipe(): void;
  /** Errors in a console, and requests that left the page's own origin. */
  wrong: string[];
  /** Fails where something went wrong. */
  close(): Promise<void>;
}

/** The built page, as the program serves it. */
export const bundle = join(root, 'dist/page');

/** The real bot on a sandbox, its page as it was built, and a browser to look at it, for all tests of a file. */
export const visitForAll = (options?: VisitOptions): Visit => forAll(() => startVisit(options));

interface VisitOptions {
  /** How long a restore takes. */
  restoreMs?: number;
  /** Its text. */
  policy?: string;
}

async function startVisit({ restoreMs = 1500, policy }: VisitOptions = {}): Promise<Visit> {
  const intake = await intakeOf();
  const world = await startWorld({
    alerts: { ...intake, pause: 0 },
    redis: 'own',
    panel: { restoreMs },
    audit: true,
    policy,
    intervals: { followUps: { first: 100, most: 200 }, cards: { looks: 100 } },
  });
  const { discord, panel, app } = world;
  const bot = {
    entries: () => app.entries(),
    followUps: () => app.followUps(),
    killRedis: () => app.killRedis?.(),
    trail: true as const,
    alerts: { url: intake.url, name: 'alertmanager', token },
  };
  const page = await startPage({ port: 0, discord, panel, bot, bundle, pace: { look: 50 } });
  const browser = await theBrowser();
  const wrong: string[] = [];
  return {
    world,
    alerts: sendTo(intake.url),
    page,
    wrong,
    async open(as, options = {}) {
      const context = await forThis(browser.newContext({ viewport: { width: 1280, height: 800 }, ...options }));
      const tab = await context.newPage();
      tab.setDefaultTimeout(30_000);
      tab.on('pageerror', (error) => wrong.push(error.message));
      tab.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
      tab.on('request', (request) => request.url().startsWith(page.url) || wrong.push(request.url()));
      await tab.goto(`${page.url}/#${as}/ops`);
      // The role after the name comes from the server.
      await tab
        .getByLabel('You are')
        .locator('option', { hasText: `${as} (` })
        .waitFor({ state: 'attached' });
      return tab;
    },
    wipe() {
      for (const who of ['alice', 'bob', 'carol', 'mallory'] as const) {
        const own = discord.messages(who, 'ops').filter(({ ephemeral }) => who === 'alice' || ephemeral);
        for (const { id } of own) discord.deleteMessage(who, id);
        discord.dismiss(who);
      }
    },
    async close() {
      await page.close();
      await world.stop();
      await intake.close();
      expect(wrong).toEqual([]);
    },
  };
}

let started: Promise<Browser> | undefined;

/** One for all tests of a worker, which ends with it. Each window has a context of its own. */
export function theBrowser(): Promise<Browser> {
  started ??= launch();
  return started;
}

async function launch(): Promise<Browser> {
  const { path, env } = await unpackChromium();
  return launcher.launch({
    executablePath: path,
    // Without the package's flags: they switch off the separation of origins.
    args: ['--no-sandbox', '--disable-gpu'],
    env: { ...process.env, ...env },
  });
}

export const isDrawing = process.env['PICTURES'] === '1';

/** Written into docs with PICTURES=1; otherwise it only has to be there: an empty page has less than `least` bytes. */
export async function picture(tab: Tab, name: string, least: number): Promise<void> {
  const path = join(root, 'docs', `${name}.png`);
  const bytes = await tab.screenshot(isDrawing ? { path, animations: 'disabled' } : {});
  expect(bytes.byteLength).toBeGreaterThan(least);
}

/** The id of the focused element. */
export const focused = (tab: Tab): Promise<unknown> => tab.evaluate('document.activeElement?.id');

/** Expects no finding of axe and no sideways scrolling, in both colour schemes. */
export async function expectClean(tab: Tab): Promise<void> {
  await tab.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await found(new AxeBuilder({ page: tab })), 'dark').toEqual([]);
  await tab.emulateMedia({ colorScheme: 'light' });
  // Nothing else depends on the colours.
  expect(
    await found(new AxeBuilder({ page: tab }).withRules(['color-contrast', 'link-in-text-block'])),
    'light',
  ).toEqual([]);
  expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
}

async function found(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`);
}

/** More than the page has focusable elements. */
const mostStops = 80;

/** Tabs to an element, backwards: new messages are just before the composer. */
export async function tabTo(tab: Tab, place: Locator): Promise<void> {
  await place.waitFor();
  for (let stop = 0; stop < mostStops; stop += 1) {
    if (await place.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await tab.keyboard.press('Shift+Tab');
  }
  throw new Error(`the keyboard does not lead to ${place}`);
}

/** Types a command and sends it. */
export async function types(tab: Tab, line: string): Promise<void> {
  await tab.locator('#composer').fill(line);
  await tab.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(() => tab.locator('#composer').inputValue()).toBe('');
}

/** The newest message that says this. */
export const message = (tab: Tab, text: string | RegExp) => tab.getByRole('article').filter({ hasText: text }).last();

/** The browser's path, and the environment that it needs. */
interface Unpacked {
  path: string;
  env: Record<string, string>;
}

/** The package's browser with its own libraries and fonts. Unpacked once per version. */
async function unpackChromium(): Promise<Unpacked> {
  const { version }: { version: string } = JSON.parse(readRoot('node_modules/@sparticuz/chromium/package.json'));
  const folder = join(tmpdir(), `panelops-chromium-${version}-${process.getuid?.() ?? 0}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return {
    path: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: join(folder, 'letters.conf') },
  };
}

/** Unpacked beside it, then renamed: other tests that unpack it, too, find it whole or not at all. */
async function unpackInto(folder: string): Promise<void> {
  const beside = mkdtempSync(`${folder}-`);
  const { TMPDIR, AWS_LAMBDA_JS_RUNTIME } = process.env;
  // The package unpacks to where temporary files go, and its libraries only where it takes this for the name of its usual place.
  Object.assign(process.env, { TMPDIR: beside, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' });
  try {
    await chromium.executablePath();
  } finally {
    restore({ TMPDIR, AWS_LAMBDA_JS_RUNTIME });
  }
  writeFileSync(join(beside, 'letters.conf'), letters(folder));
  try {
    renameSync(beside, folder);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

function restore(before: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** The same fonts on every machine; missing glyphs come from the machine's own. */
const letters = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/letters</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;
