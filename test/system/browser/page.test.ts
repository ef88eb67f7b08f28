import type { Locator, Page as Tab } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { startPage } from '../../../src/sandbox/page/index.ts';
import { bundle, focused, message, tabTo, types, visitForAll } from '../../helpers/sandbox/page/browser.ts';
import { noBot } from '../../helpers/sandbox/page/visit.ts';

const visit = visitForAll();
beforeEach(() => visit.wipe());

const phone = { width: 390, height: 844 };

async function boxOf(place: Locator) {
  const box = await place.boundingBox();
  if (box === null) throw new Error(`${place} is not on the page`);
  return box;
}

it('the composer leads through a command by keyboard alone', async () => {
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

const evil = 'see <img src=x onerror="document.title=1"> \u202e\u2066evil\u200b **bold**';

it('a text from outside, as a reason, and in what the panel says, is code on a line of its own', async () => {
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

it('has the servers of the panel, which people create, rename, suspend and delete there, on a phone, too', async () => {
  for (const viewport of [{ width: 1280, height: 800 }, phone]) {
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

it('turns a switch on by its text, too; an example names the place where it is on a phone', async () => {
  const tab = await visit.open('alice', { viewport: phone });
  await tab.getByRole('button', { name: 'Things to try' }).click();
  const example = tab.getByRole('dialog').getByRole('button', { name: 'Break the panel' });
  await example
    .getByText('Open the wrench at the top and turn on “Answers 500 after the effect”, which is marked.')
    .waitFor();
  await example.click();
  const lever = tab.getByRole('switch', { name: 'Answers 500 after the effect' });
  await lever.waitFor();
  expect(await lever.getAttribute('aria-checked')).toBe('false');
  const text = tab.getByText('Answers 500 after the effect', { exact: true });
  for (const place of [text, lever])
    for (const on of ['true', 'false']) {
      await place.click();
      await expect.poll(() => lever.getAttribute('aria-checked')).toBe(on);
    }
  const once = tab.getByRole('button', { name: 'Do it: Kill Redis' });
  await tab.getByText('Kill Redis', { exact: true }).click();
  expect(await once.isEnabled()).toBe(true);
});

it.each(['alice', 'bob', 'mallory'] as const)('shows /help on one screen: %s', async (who) => {
  await visit.world[who].types('/help');
  const tab = await visit.open(who, { viewport: phone });
  const card = message(tab, /What you may run/);
  await card.waitFor();
  const [shown, head, composer] = await Promise.all([
    boxOf(card),
    boxOf(tab.locator('.head')),
    boxOf(tab.getByRole('form', { name: 'Write here' })),
  ]);
  expect(shown.y).toBeGreaterThanOrEqual(head.y + head.height);
  expect(shown.y + shown.height).toBeLessThanOrEqual(composer.y);
});

it('has targets for a thumb, who you are in the one row of the header, and a thread in one row with the way back', async () => {
  const tab = await visit.open('alice', { viewport: phone });
  await tab.locator('#composer').fill('/incident start title:"web-1 does not answer any more since noon"');
  await tab.getByRole('button', { name: 'Send', exact: true }).click();
  for (const name of ['Channels', 'Things to try', 'Behind the scenes', 'Send']) {
    const { width, height } = await boxOf(tab.getByRole('button', { name, exact: true }));
    expect([name, Math.min(width, height) >= 44]).toEqual([name, true]);
  }
  const [row, you] = [await boxOf(tab.getByRole('banner')), await boxOf(tab.getByLabel('You are'))];
  expect(Math.min(you.width, you.height)).toBeGreaterThanOrEqual(44);
  expect([row.y, you.y]).toEqual([0, 0]);
  expect(you.height).toBeLessThanOrEqual(row.height);
  const thread = tab.locator('.threads a').first();
  await thread.waitFor({ state: 'attached' });
  await tab.getByRole('button', { name: 'Channels', exact: true }).click();
  await thread.click();
  const title = await boxOf(tab.getByRole('heading', { level: 1 }));
  const back = await boxOf(tab.locator('.back'));
  expect(Math.abs(title.y + title.height / 2 - (back.y + back.height / 2))).toBeLessThan(4);
  expect(await tab.locator('#composer').getAttribute('placeholder')).toBe('Message, or type / for commands');
});

it('whoever confirms by keyboard stays at the message', async () => {
  const tab = await visit.open('alice');
  await types(tab, '/firewall flush server:web-1 reason:"locked out"');
  const card = message(tab, 'QUESTION /firewall flush');
  await tabTo(tab, card.getByRole('button', { name: /web-1$/ }));
  await tab.keyboard.press('Enter');
  await message(tab, 'SUCCEEDED /firewall flush').waitFor();
  await expect.poll(() => focused(tab)).toMatch(/^m-\d+$/);
});

it('a typo in the name of an option or a command is asked back, and Enter takes what is meant', async () => {
  const tab = await visit.open('alice');
  await tab.locator('#composer').fill('/firewall show ');
  await tab.getByRole('combobox', { name: 'server' }).fill('servr:web-2');
  await tab.getByText('There is no option servr. Did you mean server?').waitFor();
  await tab.keyboard.press('Enter');
  await expect.poll(() => tab.getByRole('combobox', { name: 'server' }).inputValue()).toBe('web-2');
  await tab.keyboard.press('Enter');
  await message(tab, 'Firewall of web-2').waitFor();

  await tab.locator('#composer').fill('/firewall flush server:web-1 resaon:x');
  await tab.getByRole('button', { name: 'Send' }).click();
  await tab.getByText('/firewall flush has no option resaon:x. Did you mean reason?').waitFor();
  await tab.getByRole('button', { name: 'Discard the command' }).click();

  await tab.locator('#composer').fill('/hnadover');
  await tab.getByText('No command matches. Did you mean one of these?').waitFor();
  await tab.getByRole('option', { name: /^\/handover/ }).waitFor();
  await tab.locator('#composer').fill('/shift');
  await tab.getByRole('option', { name: /^\/handover/ }).waitFor();
});

it('an answer to a private card shows that card to its reader, and nobody that it was deleted', async () => {
  await visit.world.bob.types('/firewall flush server:web-1 reason:"locked out"');
  await visit.world.bob.clicks('Ask a lead');
  const asked = (tab: Tab) =>
    tab.locator('article').filter({ has: tab.getByRole('link', { name: 'the message that pinged' }) });
  const bobs = await visit.open('bob');
  await asked(bobs).getByRole('link', { name: 'DENIED /firewall flush' }).waitFor();
  const alices = await visit.open('alice');
  await asked(alices).waitFor();
  for (const tab of [bobs, alices]) expect(await tab.getByText('Original message was deleted').count()).toBe(0);
});
