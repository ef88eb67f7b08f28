import type { Page as Tab } from 'playwright-core';
import { expect, it } from 'vitest';
import { focused, message, tabTo, types, visitForAll } from '../../helpers/sandbox/page/browser.ts';

const visit = visitForAll();

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
  visit.wipe();
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
