import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContextOptions, chromium as launcher, type Page as Tab } from 'playwright-core';
import { expect } from 'vitest';
import { type Page, startPage } from '../../../src/sandbox/page/index.ts';
import { root } from '../../house.ts';
import { startWorld, type World } from '../../world.ts';

export interface Visit {
  world: World;
  page: Page;
  /** Opens a window as somebody; whatever goes wrong in any of them is in `wrong`. */
  open(as: string, options?: BrowserContextOptions): Promise<Tab>;
  /** Errors in a console, and requests that left the page's own origin. */
  wrong: string[];
  close(): Promise<void>;
}

/** The real bot on a sandbox, its page as it was built, and a browser to look at it. */
export async function startVisit(): Promise<Visit> {
  const world = await startWorld({
    panel: { restoreMs: 1500 },
    intervals: { followUps: { first: 100, most: 200, edit: 100 } },
  });
  const { discord, panel, app } = world;
  const bot = { entries: () => app.entries(), followUps: () => app.followUps() };
  const page = await startPage({ port: 0, discord, panel, bot, bundle: join(root, 'dist/page'), pace: { look: 50 } });
  // Not with the arguments that come with it: they switch off what a browser keeps between origins.
  const path = await chromium.executablePath();
  const browser: Browser = await launcher.launch({ executablePath: path, args: ['--no-sandbox', '--disable-gpu'] });
  const wrong: string[] = [];
  return {
    world,
    page,
    wrong,
    async open(as, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      const tab = await context.newPage();
      tab.on('pageerror', (error) => wrong.push(error.message));
      tab.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
      tab.on('request', (request) => request.url().startsWith(page.url) || wrong.push(request.url()));
      await tab.goto(`${page.url}/#${as}/ops`);
      // With a role behind the name: only the server knows that.
      await tab
        .getByLabel('You are')
        .locator('option', { hasText: `${as} (` })
        .waitFor({ state: 'attached' });
      return tab;
    },
    async close() {
      await browser.close();
      await page.close();
      await world.stop();
    },
  };
}

/** The id of what has the focus. */
export const focused = (tab: Tab): Promise<unknown> => tab.evaluate('document.activeElement?.id');

/** Nothing that axe finds, whatever its weight, and nothing that scrolls sideways. */
export async function expectClean(tab: Tab): Promise<void> {
  const { violations } = await new AxeBuilder({ page: tab }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)).toEqual([]);
  expect(await tab.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
}

/** Has the composer send what is in it, once it is there. */
export async function sendComposed(tab: Tab, command: string): Promise<void> {
  await tab.locator('.composer').getByText(command, { exact: true }).waitFor();
  await tab.keyboard.press('Enter');
}

/** The newest message that says this. */
export const message = (tab: Tab, text: string | RegExp) => tab.getByRole('article').filter({ hasText: text }).last();
