import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { message, visitForAll } from '../../helpers/sandbox/page/browser.ts';

const visit = visitForAll();

const phone = { width: 390, height: 844 };

async function boxOf(place: Locator) {
  const box = await place.boundingBox();
  if (box === null) throw new Error(`${place} is not on the page`);
  return box;
}

it('says how many options are left, and lists them at a tap', async () => {
  const tab = await visit.open('alice', { viewport: phone });
  await tab.locator('#composer').fill('/freeze reason:"bad rollout"');
  await tab.getByPlaceholder('+2 more').click();
  await tab.getByRole('option', { name: 'tier' }).click();
  await tab.getByRole('combobox', { name: 'tier' }).waitFor();
  await tab.getByPlaceholder('+1 more').waitFor();
  await tab.getByRole('button', { name: 'Discard the command' }).click();
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
  for (const on of ['true', 'false']) {
    await tab.getByText('Answers 500 after the effect', { exact: true }).click();
    await expect.poll(() => lever.getAttribute('aria-checked')).toBe(on);
  }
  const once = tab.getByRole('button', { name: 'Do it: Kill Redis' });
  await tab.getByText('Kill Redis', { exact: true }).click();
  expect(await once.isEnabled()).toBe(true);
});

/** Whether a message's menu lies over any of its text: of the newest, and of all above it. */
const covered = `[...document.querySelectorAll('.row')].flatMap((row) => {
  const more = row.querySelector('.more')?.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(row.querySelector('discord-message'));
  return [...range.getClientRects()].filter((text) => more !== undefined && text.width > 0 && text.width < 300 &&
    text.left < more.right && text.right > more.left && text.top < more.bottom && text.bottom > more.top);
}).length`;

it('has the menu of a message beside its text, not over it', async () => {
  visit.wipe();
  await visit.world.alice.types('/incident start title:"web-1 does not answer at all, and nobody knows why"');
  await visit.world.alice.types('/hypervisors resources group:1');
  const long = 'a message of several words that goes on to the very end of the line, and further';
  for (const text of [long, long]) await visit.world.discord.type('carol', 'ops', text);
  const tab = await visit.open('alice', { viewport: phone });
  await message(tab, /and further/)
    .last()
    .waitFor();
  expect(await tab.locator('.more').count()).toBeGreaterThan(3);
  expect(await tab.evaluate(covered)).toBe(0);
});

it('has the whole title of a thread in view, the way back to its channel, and a menu that closes it', async () => {
  visit.wipe();
  await visit.world.alice.types('/incident start title:"db-1 is slow for all customers since the deploy of noon"');
  const tab = await visit.open('alice', { viewport: phone });
  await tab.getByRole('button', { name: 'Channels' }).click();
  await tab
    .locator('#channels')
    .getByRole('link', { name: /db-1 is slow/ })
    .click();
  const title = tab
    .getByRole('heading', { name: 'db-1 is slow for all customers since the deploy of noon' })
    .locator('bdi');
  await title.waitFor();
  const cut = await title.evaluate((name) => name.scrollWidth - name.clientWidth);
  expect(cut).toBe(0);
  const lock = tab.getByRole('button', { name: 'Lock thread' });
  expect(await lock.isVisible()).toBe(false);
  await tab.getByRole('button', { name: 'More for this thread' }).click();
  const { x, width } = await boxOf(lock);
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(phone.width);
  await tab.keyboard.press('Escape');
  await lock.waitFor({ state: 'hidden' });
  await tab.getByRole('banner').getByRole('link', { name: '#ops' }).click();
  await tab.getByRole('heading', { name: 'ops', level: 1 }).waitFor();
});

it('has a title and Close in view on what is behind the scenes, and on the members', async () => {
  const tab = await visit.open('alice', { viewport: phone });
  for (const side of ['Behind the scenes', 'Members']) {
    await tab.getByRole('button', { name: side, exact: true }).click();
    const drawer = tab.getByRole('complementary', { name: side });
    await drawer.getByRole('heading', { name: side }).waitFor();
    const close = drawer.getByRole('button', { name: `Close ${side}` });
    await expect.poll(async () => (await boxOf(close)).x).toBeLessThan(phone.width - 32);
    const box = await boxOf(close);
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.y + box.height).toBeLessThanOrEqual(100);
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(32);
    await close.click();
    await drawer.waitFor({ state: 'hidden' });
  }
});

it.each(['alice', 'bob', 'mallory'] as const)('shows /help on one screen: %s', async (who) => {
  visit.wipe();
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
