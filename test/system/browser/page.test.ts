import { describe, expect, it } from 'vitest';
import { startPage } from '../../../src/sandbox/page/index.ts';
import { bundle, focused, message, types, visitForAll } from '../../helpers/sandbox/page/browser.ts';
import { noBot } from '../../helpers/sandbox/page/visit.ts';

const visit = visitForAll();

describe('the composer', () => {
  it('leads through a command by keyboard alone', async () => {
    const tab = await visit.open('alice');
    const list = tab.getByRole('listbox').getByRole('option');
    await tab.keyboard.type('/flush');
    expect(await list.allInnerTexts()).toEqual([expect.stringContaining('/firewall flush')]);
    await tab.keyboard.press('Tab');
    await expect.poll(() => focused(tab)).toBe('option-0');
    await tab.keyboard.type('web');
    // Three servers, and all of them at once.
    await expect.poll(() => list.count()).toBe(4);
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    await expect.poll(() => tab.getByRole('combobox', { name: 'server' }).inputValue()).toContain('web-2');
    await tab.keyboard.type('sync');
    await tab.keyboard.press('Enter');
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    await expect.poll(() => tab.getByRole('combobox', { name: 'sync' }).inputValue()).toBe('False');
    await tab.keyboard.press('Enter');
    await message(tab, 'QUESTION /firewall flush · web-2').getByText('Only stored').waitFor();
  });
});

describe('a text from outside', () => {
  const evil = 'see <img src=x onerror="document.title=1"> \u202e\u2066evil\u200b **bold**';

  it('as a reason, and in what the panel says, is code on a line of its own', async () => {
    const tab = await visit.open('alice');
    visit.world.panel.order({ kind: 'status-before', status: 422, body: { errors: [evil] }, match: { changes: true } });
    await types(tab, `/firewall enable server:web-1 reason:"${evil.replaceAll('"', "'")}"`);
    const card = message(tab, 'REJECTED /firewall enable');
    await card.waitFor();
    const codes = await card.locator('.text code').allTextContents();
    // What turns the writing round, or cannot be seen, was replaced by the bot.
    expect(codes).toEqual([
      'see <img src=x onerror="document.title=1">  evil  **bold**',
      "see <img src=x onerror='document.title=1'>  evil  **bold**",
    ]);
    expect(await card.locator('.text img').count()).toBe(0);
    expect(await card.locator('.text strong').getByText('bold', { exact: true }).count()).toBe(0);
    expect(await tab.title()).toContain('panelops');
  });
});

it('has the servers of the panel, which people create, rename, suspend and delete there, on a phone, too', async () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const tab = await visit.open('alice', { viewport });
    const server = () => visit.world.panel.state.servers.find(({ id }) => id > 300);
    await tab.getByRole('button', { name: 'Behind the scenes' }).click();
    const side = tab.getByRole('complementary', { name: 'Behind the scenes' });
    await side.getByText('Servers of the panel').click();
    await side.getByLabel('Name of a new server').fill('<b>web</b>-9');
    await tab.keyboard.press('Enter');
    await side.getByText('12', { exact: true }).waitFor({ state: 'detached' });
    const name = side.getByLabel(`Name of server ${server()?.id}`);
    expect(await name.inputValue()).toBe('<b>web</b>-9');
    await name.fill('web-9');
    await side.getByRole('button', { name: 'Rename <b>web</b>-9' }).click();
    await side.getByRole('button', { name: 'Suspend web-9' }).click();
    await side.getByText(`${server()?.id} · suspended`).waitFor();
    expect(server()).toMatchObject({ name: 'web-9', suspended: true });
    const last = await side.getByRole('button', { name: 'Delete web-9' }).boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
    if (process.env['PICTURES']) await tab.screenshot({ path: `dist/servers-${viewport.width}.png` });
    await side.getByRole('button', { name: 'Delete web-9' }).click();
    await name.waitFor({ state: 'detached' });
    expect(server()).toBeUndefined();
  }
});

it('says that the connection is lost, and comes back by itself', async () => {
  const { discord } = visit.world;
  const first = await startPage({ port: 0, discord, bundle, bot: noBot });
  const port = Number(new URL(first.url).port);
  const tab = await visit.open('alice');
  await tab.goto(`${first.url}/#alice/random`);
  await tab.getByRole('heading', { name: 'Welcome to #random' }).waitFor();
  await first.close();
  await tab.getByText('Connection lost, trying again…').waitFor();
  await tab.locator('#composer').fill('said to nobody');
  await tab.keyboard.press('Enter');
  await tab.getByText('The sandbox cannot be reached. Is it still running?').waitFor();
  await discord.type('bob', 'random', 'written meanwhile');
  const second = await startPage({ port, discord, bundle, bot: noBot });
  await message(tab, 'written meanwhile').waitFor();
  await tab.getByText('Connection lost').waitFor({ state: 'hidden' });
  await tab.getByText('The sandbox cannot be reached').waitFor({ state: 'hidden' });
  await second.close();
  // The browser says so, too.
  visit.wrong.length = 0;
});
