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
