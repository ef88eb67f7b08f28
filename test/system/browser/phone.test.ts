import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startVisit, type Visit } from '../../helpers/sandbox/page/browser.ts';

let visit: Visit;

beforeAll(async () => {
  visit = await startVisit();
});
afterAll(() => visit.close());

const phone = { width: 390, height: 844 };
const line = '/firewall flush server:web-1 reason:"locked out by rule 7"';

async function boxOf(place: Locator) {
  const box = await place.boundingBox();
  if (box === null) throw new Error(`${place} is not on the page`);
  return box;
}

it('keeps the buttons of the composer beside a command of several lines', async () => {
  const tab = await visit.open('alice', { viewport: phone });
  await tab.locator('#composer').fill(line);
  const [reason, discard, send] = await Promise.all([
    boxOf(tab.getByRole('combobox', { name: 'reason' })),
    boxOf(tab.getByRole('button', { name: 'Discard the command' })),
    boxOf(tab.getByRole('button', { name: 'Send', exact: true })),
  ]);
  expect(send.y).toBe(discard.y);
  expect(discard.x).toBeGreaterThanOrEqual(reason.x + reason.width);
  expect(send.x + send.width).toBeLessThanOrEqual(phone.width);
});

it('has room for another option beside the last one, not below it', async () => {
  const tab = await visit.open('alice', { viewport: phone });
  for (const reason of ['locked out by rule 7', 'x'.repeat(150)]) {
    await tab.locator('#composer').fill(`/firewall flush server:web-1 reason:"${reason}"`);
    const last = await boxOf(tab.getByRole('combobox', { name: 'reason' }));
    const another = await boxOf(tab.getByRole('combobox', { name: 'Another option' }));
    expect(another.x).toBeGreaterThanOrEqual(last.x + last.width);
    expect(Math.abs(another.y + another.height / 2 - (last.y + last.height / 2))).toBeLessThan(4);
    await tab.getByRole('button', { name: 'Discard the command' }).click();
  }
});

it('leaves "You are" as it is beside a command of several lines', async () => {
  const tab = await visit.open('alice', { viewport: { width: 760, height: 844 } });
  const you = tab.getByRole('region', { name: 'Person' });
  const before = await boxOf(you);
  const composer = tab.getByRole('form', { name: 'Write here' });
  const { height } = await boxOf(composer);
  await tab.locator('#composer').fill(line);
  await expect.poll(async () => (await boxOf(composer)).height).toBeGreaterThan(height);
  expect(await boxOf(you)).toEqual(before);
});

it('has Close in view below the things to try', async () => {
  const tab = await visit.open('alice', { viewport: phone });
  await tab.getByRole('button', { name: 'Things to try' }).click();
  const close = await boxOf(tab.getByRole('dialog').getByRole('button', { name: 'Close' }));
  expect(close.y + close.height).toBeLessThanOrEqual(phone.height);
});

it('nothing went wrong in any window', () => {
  expect(visit.wrong).toEqual([]);
});
