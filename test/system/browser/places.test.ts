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

it('what is written behind a whole command is not dropped: the page says that it is no option', async () => {
  const tab = await visit.open('alice');
  const before = visit.world.discord.messages('alice', 'ops').length;
  await tab.locator('#composer').fill('/handover');
  await tab.keyboard.press('Enter');
  await tab.getByPlaceholder('Enter sends').fill('everything');
  await tab.keyboard.press('Enter');
  await tab.getByText('/handover has no option everything. Remove it, or pick an option.').waitFor();
  expect(visit.world.discord.messages('alice', 'ops')).toHaveLength(before);
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

it('whoever writes while further up is brought to the end', async () => {
  const { discord } = visit.world;
  for (let i = 0; i < 40; i += 1) await discord.type('bob', 'random', `line ${i}`);
  const tab = await visit.open('alice');
  await tab.getByRole('navigation').getByRole('link', { name: 'random' }).click();
  await message(tab, 'line 39').waitFor();
  await expect.poll(() => tab.evaluate('document.getElementById("scroll").scrollTop')).toBeGreaterThan(0);
  await tab.locator('#scroll').hover();
  await tab.mouse.wheel(0, -9000);
  await expect.poll(() => tab.evaluate('document.getElementById("scroll").scrollTop')).toBe(0);
  await types(tab, 'my own');
  await message(tab, 'my own').waitFor();
  const left =
    '(({ scrollHeight, scrollTop, clientHeight }) => Math.round(scrollHeight - scrollTop - clientHeight))(document.getElementById("scroll"))';
  await expect.poll(() => tab.evaluate(left)).toBeLessThan(5);
});

/** The elements around the list of messages that are scrolled, too. */
const scrolledAround = `(() => {
  const around = [];
  for (let part = document.getElementById('scroll').parentElement; part !== null; part = part.parentElement)
    if (part.scrollTop !== 0) around.push(part.tagName);
  return around;
})()`;

it('a link to a message scrolls the list to it, and nothing around the list', async () => {
  const { discord } = visit.world;
  for (let i = 0; i < 40; i += 1) await discord.type('bob', 'ops', `before the question ${i}`);
  await visit.world.bob.types('/firewall flush server:web-1 reason:"locked out"');
  await visit.world.bob.clicks('Ask a lead');
  const tab = await visit.open('alice', { viewport: { width: 390, height: 844 }, isMobile: true });
  const card = tab.locator('article').filter({ has: tab.getByRole('button', { name: 'Approve' }) });
  await tab.getByRole('link', { name: 'the message that pinged' }).click();
  await expect.poll(() => focused(tab)).toBe(await card.getAttribute('id'));
  expect(await tab.evaluate(scrolledAround)).toEqual([]);
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

it('whoever presses a button far above is told that the answer is below', async () => {
  visit.wipe();
  await visit.world.bob.types('/firewall flush server:web-1 reason:"locked out"');
  await visit.world.bob.clicks('Ask a lead');
  await visit.world.discord.until(() =>
    visit.world.discord.messages('bob', 'ops').some(({ pinged, buttons }) => pinged.length > 0 && buttons.length > 0),
  );
  for (let i = 0; i < 40; i += 1) await visit.world.discord.type('alice', 'ops', `after the question ${i}`);
  const tab = await visit.open('bob');
  const approve = tab.getByRole('button', { name: 'Approve' });
  await approve.scrollIntoViewIfNeeded();
  await approve.click();
  await tab.getByRole('button', { name: 'Answered below' }).click();
  await tab.getByText('Only you can see this').last().waitFor();
  await tab.getByRole('button', { name: 'Answered below' }).waitFor({ state: 'detached' });
});

it('what is broken is counted on the wrench while the panel at the side is closed', async () => {
  const tab = await visit.open('alice');
  const wrench = tab.getByRole('button', { name: 'Behind the scenes' });
  await wrench.click();
  const slow = tab.getByRole('switch', { name: 'Panel slow' });
  await slow.click();
  await expect.poll(() => slow.getAttribute('aria-checked')).toBe('true');
  await wrench.click();
  await tab.getByRole('button', { name: 'Behind the scenes, 1 broken' }).click();
  await slow.click();
  await expect.poll(() => wrench.getAttribute('aria-label')).toBe('Behind the scenes');
});
