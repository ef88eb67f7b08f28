import type { BrowserContextOptions, Page as Tab } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import { call } from '../../helpers/sandbox/discord/raw.ts';
import { expectClean, message, picture, types, visitForAll } from '../../helpers/sandbox/page/browser.ts';

const visit = visitForAll();
afterEach(() => visit.wipe());

const phone = { width: 390, height: 844 };
const ops = '1300000000000000001';
const answered = (tab: Tab, text: string) => message(tab, text).waitFor();
const presses = (tab: Tab, name: string) => tab.getByRole('button', { name, exact: true }).last().click();

/** A view, and how somebody comes to it. */
const views: readonly [view: string, as: string, reach: (tab: Tab) => Promise<unknown>][] = [
  ['the first look', 'alice', (tab) => tab.getByRole('heading', { name: 'Welcome to #ops' }).waitFor()],
  [
    'the list of commands',
    'alice',
    async (tab) => {
      await tab.keyboard.type('/fire');
      await tab.getByRole('option', { name: '/firewall flush' }).waitFor();
    },
  ],
  [
    'the choices of an option, with what is wrong in it',
    'alice',
    async (tab) => {
      await tab.keyboard.type('/firewall flush ');
      await tab.getByRole('option', { name: /^web-1 · 101/ }).waitFor();
      await presses(tab, 'Send');
      await tab.getByRole('alert').getByText('This option is required. Specify a value.').waitFor();
    },
  ],
  [
    'a question, a card and one that it replies to',
    'alice',
    async (tab) => {
      await types(tab, '/firewall enable server:web-1 reason:"two words"');
      await answered(tab, 'SUCCEEDED /firewall enable');
      await types(tab, '/firewall flush server:web-1');
      await answered(tab, 'QUESTION /firewall flush');
      await presses(tab, 'Flush web-1');
      await answered(tab, 'SUCCEEDED /firewall flush');
    },
  ],
  [
    'what only one person sees, with a picture',
    'carol',
    async (tab) => {
      await types(tab, '/firewall flush server:web-1');
      await answered(tab, 'DENIED /firewall flush');
      await types(tab, '/hypervisors resources group:1');
      await message(tab, 'Capacity of group 1').locator('a.picture img').waitFor();
    },
  ],
  [
    'a form',
    'alice',
    async (tab) => {
      await types(tab, '/backup restore server:web-1 disks:0 reason:"lost update"');
      await answered(tab, 'QUESTION /backup restore');
      await presses(tab, 'Restore disk 0 of web-1');
      await tab.getByRole('dialog').getByRole('textbox').waitFor();
    },
  ],
  [
    'a form to choose in',
    'alice',
    async (tab) => {
      await types(tab, '/freeze reason:migration');
      await tab.getByRole('dialog').getByRole('radio', { name: 'staging' }).check();
      await presses(tab, 'Submit');
      await answered(tab, 'SUCCEEDED /freeze');
      await types(tab, '/thaw tier:staging');
      await answered(tab, 'SUCCEEDED /thaw');
      await types(tab, '/freeze reason:migration');
      await tab.getByRole('dialog').getByRole('radio', { name: 'All servers' }).waitFor();
    },
  ],
  ['the things to try', 'alice', (tab) => presses(tab, 'Things to try')],
  [
    'behind the scenes',
    'alice',
    async (tab) => {
      await presses(tab, 'Behind the scenes');
      await types(tab, '/firewall enable server:web-1');
      await tab.getByText('/firewall enable web-1 (101): succeeded').first().waitFor();
    },
  ],
];

it.each(views)('%s: is clean in both colours', async (_view, as, reach) => {
  const tab = await visit.open(as);
  await reach(tab);
  await expectClean(tab);
});

it('pins, threads and the menu of a message are drawn, lead to where they say, and do what they say', async () => {
  const { discord } = visit.world;
  await discord.type('bob', 'ops', '/incident start title:"web-1 is slow"');
  await discord.until(() => discord.threads().some(({ name }) => name === 'web-1 is slow'));
  const said = await discord.type('bob', 'ops', 'the disk filled up at 21:40');
  const { id } = (await call(discord, 'POST', `/channels/${ops}/messages`, { content: '3 loose ends' })).json;
  await call(discord, 'PUT', `/channels/${ops}/messages/pins/${id}`);
  await call(discord, 'POST', `/channels/${ops}/messages/${id}/threads`, { name: 'incident 1' });
  await call(discord, 'POST', `/channels/${ops}/threads`, { name: 'alone', type: 11 });
  const tab = await visit.open('alice');
  await message(tab, 'pinned a message to this channel').waitFor();
  await tab.locator(`#m-${id}`).getByRole('img', { name: 'Pinned' }).waitFor();

  const more = tab.locator(`#m-${said}`).getByRole('button', { name: 'More for this message' });
  await more.focus();
  await tab.keyboard.press('Enter');
  await tab.getByRole('menuitem', { name: 'Add to incident timeline' }).waitFor();
  await expectClean(tab);
  await tab.keyboard.press('Enter');
  const kept = message(tab, 'SUCCEEDED Add to incident timeline');
  await kept.getByText('Only you can see this').waitFor();
  expect(visit.world.entries().at(-1)).toMatchObject({
    kind: 'incident',
    step: 'noted',
    actor: { name: 'alice' },
    note: { message: said, author: { name: 'bob' }, text: 'the disk filled up at 21:40' },
  });

  await tab.getByRole('navigation').getByRole('link', { name: 'audit' }).click();
  await message(tab, 'INCIDENT OPENED web-1 is slow').getByRole('link', { name: 'thread' }).click();
  await tab.getByRole('heading', { name: 'web-1 is slow', level: 1 }).waitFor();
  await tab.getByRole('navigation').getByRole('link', { name: 'ops' }).click();
  await message(tab, 'started a thread').getByRole('link', { name: 'alone' }).click();
  await tab.getByRole('heading', { name: 'Welcome to #alone' }).waitFor();
  await tab.getByRole('navigation').getByRole('link', { name: 'ops' }).click();
  await tab.locator(`#m-${id}`).getByRole('link', { name: 'incident 1' }).click();
  await tab.getByRole('heading', { name: 'incident 1', level: 1 }).waitFor();
  await tab.keyboard.type('looking at it');
  await tab.keyboard.press('Enter');
  await answered(tab, 'looking at it');
  await types(tab, '/firewall enable server:web-1');
  await answered(tab, 'SUCCEEDED /firewall enable');
  expect(discord.messages('bob', 'incident 1')).toHaveLength(2);
  await expectClean(tab);

  const alices = await visit.open('alice', { viewport: phone });
  await alices.goto(`${visit.page.url}/#alice/${id}`);
  const fromMenu = async (item: string): Promise<void> => {
    await presses(alices, 'More for this thread');
    await presses(alices, item);
  };
  await fromMenu('Lock thread');
  await tab.getByRole('banner').getByText('Locked').waitFor();
  await fromMenu('Open thread');
  await fromMenu('Close thread');
  await tab.getByRole('banner').getByText('Closed').waitFor();
  await expectClean(alices);
  await expectClean(tab);
  await tab.getByRole('navigation').getByRole('link', { name: 'ops' }).click();
  await tab.getByRole('navigation').getByRole('link', { name: 'incident 1' }).waitFor({ state: 'detached' });
  await tab.locator(`#m-${id}`).getByText('archived').waitFor();
  discord.deleteChannel('incident 1');
  discord.deleteChannel('alone');
});

it('a phone is clean, also with a drawer over the page', async () => {
  const tab = await visit.open('bob', { viewport: phone });
  await expectClean(tab);
  for (const name of ['Channels', 'Members', 'Behind the scenes']) {
    await presses(tab, name);
    await tab.getByRole('button', { name: 'Close', exact: true }).waitFor();
    if (name === 'Behind the scenes') await tab.getByRole('switch', { name: 'Panel slow' }).waitFor();
    await expectClean(tab);
    await tab.keyboard.press('Escape');
    await tab.getByRole('button', { name: 'Close', exact: true }).waitFor({ state: 'detached' });
  }
});

const dark = { colorScheme: 'dark', viewport: { width: 1280, height: 800 } } as const;

it.each<[string, string, BrowserContextOptions, (tab: Tab) => Promise<unknown>]>([
  [
    'a flush, and behind it what was sent and written down: dark',
    'alice',
    dark,
    async (tab) => {
      await presses(tab, 'Behind the scenes');
      await types(tab, '/firewall flush server:web-1 reason:"locked out by rule 7"');
      await answered(tab, 'QUESTION /firewall flush');
      await presses(tab, 'Flush web-1');
      await answered(tab, 'SUCCEEDED /firewall flush');
      await types(tab, '/backup restore server:web-1 disks:0 reason:"lost update"');
      await answered(tab, 'QUESTION /backup restore');
      await tab.getByText('/firewall flush web-1 (101): succeeded').first().waitFor();
    },
  ],
  [
    'carol what she may not do: light',
    'carol',
    { ...dark, colorScheme: 'light' },
    async (tab) => {
      await visit.world.discord.type('bob', 'ops', '/power boot server:web-3 reason:"after the move"');
      await message(tab, /(FINISHED|SUCCEEDED) \/power boot/).waitFor();
      await types(tab, '/firewall flush server:web-1 reason:"locked out by rule 7"');
      await answered(tab, 'DENIED /firewall flush');
    },
  ],
  [
    'the capacity on a phone: phone',
    'alice',
    { ...dark, viewport: phone },
    async (tab) => {
      await types(tab, '/hypervisors resources group:1');
      const shown = message(tab, 'Capacity of group 1').locator('a.picture img');
      await expect.poll(() => shown.evaluate((image) => image.naturalWidth)).toBeGreaterThan(500);
      await shown.evaluate((image) => image.scrollIntoView({ block: 'end' }));
    },
  ],
])('a picture in the README shows %s', async (what, as, options, reach) => {
  const tab = await visit.open(as, options);
  await reach(tab);
  await picture(tab, what.split(': ')[1] ?? '', 40_000);
});
