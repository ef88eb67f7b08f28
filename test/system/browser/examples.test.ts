import type { Page as Tab } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { changes } from '../../helpers/messages.ts';
import { focused, message, tabTo, visitForAll } from '../../helpers/sandbox/page/browser.ts';

const visit = visitForAll();
afterEach(() => visit.wipe());

const keyboard = {
  /** Chooses an example from the list that is always there. */
  async chooses(tab: Tab, title: string): Promise<void> {
    await tabTo(tab, tab.getByRole('button', { name: 'Things to try' }));
    await tab.keyboard.press('Enter');
    await tabTo(tab, tab.getByRole('dialog').getByRole('button', { name: title }));
    await tab.keyboard.press('Enter');
  },
  /** Sends what is in the composer, once it is this command. */
  async sends(tab: Tab, command: string): Promise<void> {
    await tab.locator('.composer').getByText(command, { exact: true }).waitFor();
    await tab.keyboard.press('Enter');
  },
  /** Presses a button of the newest message that says this. */
  async presses(tab: Tab, name: string, within: string): Promise<void> {
    await tabTo(tab, message(tab, within).getByRole('button', { name, exact: true }));
    await tab.keyboard.press('Enter');
  },
  /** Fills in the form that is open. */
  async fills(tab: Tab, text: string): Promise<void> {
    await tab.getByRole('dialog').waitFor();
    await tab.keyboard.type(text);
    await tab.keyboard.press('Enter');
  },
  async turns(tab: Tab, name: string): Promise<void> {
    await tabTo(tab, tab.getByRole('switch', { name }));
    await tab.keyboard.press('Space');
  },
};

it('an empty #ops offers the eight, and one of them needs only Enter to be sent', async () => {
  const tab = await visit.open('alice');
  const first = tab.getByRole('main').getByRole('list').getByRole('button');
  expect(await first.count()).toBe(8);
  await first.first().click();
  await keyboard.sends(tab, '/hypervisors resources');
  await message(tab, 'Capacity of group 1').waitFor();
});

/** What people find behind each example, once it is chosen. */
const examples: readonly [title: string, happens: (tab: Tab) => Promise<unknown>][] = [
  [
    'Look at capacity',
    async (tab) => {
      await keyboard.sends(tab, '/hypervisors resources');
      const card = message(tab, 'Capacity of group 1');
      await card.getByText('Only you can see this').waitFor();
      const picture = card.locator('a.picture img');
      await expect.poll(() => picture.evaluate((image) => image.naturalWidth)).toBeGreaterThan(500);
      expect(await picture.getAttribute('alt')).toContain('fra-1');
      const other = await visit.open('bob');
      await other.getByRole('heading', { name: 'Welcome to #ops' }).waitFor();
      expect(await other.getByRole('article').count()).toBe(0);
    },
  ],
  [
    'Flush a firewall, and confirm',
    async (tab) => {
      const sent = changes(visit.world).length;
      await keyboard.sends(tab, '/firewall flush');
      await message(tab, 'QUESTION /firewall flush').waitFor();
      expect(changes(visit.world)).toHaveLength(sent);
      await keyboard.presses(tab, 'Flush web-1', 'QUESTION /firewall flush');
      await message(tab, 'SUCCEEDED /firewall flush · web-1 (101').getByText('all rules were removed').waitFor();
    },
  ],
  [
    'Try the same as carol',
    async (tab) => {
      await tab.getByRole('combobox', { name: /as carol/ }).waitFor();
      await keyboard.sends(tab, '/firewall flush');
      await message(tab, 'DENIED /firewall flush').getByText('Only you can see this').waitFor();
    },
  ],
  [
    'Restore a backup, and watch',
    async (tab) => {
      await keyboard.sends(tab, '/backup restore');
      await keyboard.presses(tab, 'Restore disk 0 of web-1', 'QUESTION /backup restore');
      await keyboard.fills(tab, 'web-1');
      await message(tab, 'ACCEPTED /backup restore').or(message(tab, 'FINISHED /backup restore')).first().waitFor();
      const end = tab.locator('.row.pinged').filter({ hasText: 'FINISHED /backup restore' });
      await expect.poll(() => end.count()).toBe(1);
    },
  ],
  [
    'Restart all of staging',
    async (tab) => {
      const sent = changes(visit.world).length;
      await tab.getByRole('combobox', { name: /as bob/ }).waitFor();
      await keyboard.sends(tab, '/power restart');
      await message(tab, 'QUESTION /power restart').getByText('web-3 (103) and cache-1 (131)').waitFor();
      await keyboard.presses(tab, 'Restart 2 servers', 'QUESTION /power restart');
      await message(tab, '2 of 2 finished').or(message(tab, '2 accepted')).first().waitFor();
      expect(changes(visit.world)).toHaveLength(sent + 2);
    },
  ],
  [
    'Alone at night',
    async (tab) => {
      const entries = visit.world.ledger().length;
      await tab.getByRole('combobox', { name: /as bob/ }).waitFor();
      await keyboard.sends(tab, '/backup restore');
      await keyboard.presses(tab, 'Break glass', 'DENIED /backup restore');
      await keyboard.fills(tab, 'nobody answers');
      await keyboard.presses(tab, 'Restore disk 0 of db-1', 'QUESTION /backup restore');
      await keyboard.fills(tab, 'db-1');
      await message(
        tab,
        'overwrite disk 0 of db-1 from its backups, without approval; the panel accepted it',
      ).waitFor();
      // Somebody else has to review it. What ends after this test is no news in the next one.
      const since = () => visit.world.ledger().slice(entries);
      await expect.poll(() => since().some(({ kind }) => kind === 'called')).toBe(true);
      await expect.poll(() => since().some(({ step }) => step === 'announced')).toBe(true);
    },
  ],
  [
    'An alert at night',
    async (tab) => {
      await expect.poll(() => focused(tab)).toBe('switch-alert-at-night');
      await keyboard.turns(tab, 'An alert at night');
      await tab.locator('.row.pinged').filter({ hasText: 'ALERT alertmanager' }).waitFor();
      await keyboard.sends(tab, '/alerts list');
      await message(tab, '1 alert, 1 of them not acknowledged').waitFor();
      await keyboard.presses(tab, 'Acknowledge', 'ALERT alertmanager');
      await message(tab, /ALERT alertmanager.*Acknowledged by @bob/s).waitFor();
      await keyboard.turns(tab, 'An alert at night');
      await message(tab, /ALERT alertmanager.*resolved/).waitFor();
    },
  ],
  [
    'Break the panel',
    async (tab) => {
      const effects = visit.world.panel.effects.length;
      const broken = tab.getByRole('switch', { name: 'Answers 500 after the effect' });
      await expect.poll(() => focused(tab)).toBe('switch-error-after-effect');
      await keyboard.turns(tab, 'Answers 500 after the effect');
      await expect.poll(() => broken.getAttribute('aria-checked')).toBe('true');
      await keyboard.sends(tab, '/firewall enable');
      await message(tab, 'UNKNOWN /firewall enable').waitFor();
      expect(visit.world.panel.effects).toHaveLength(effects + 1);
      const behind = tab.getByRole('complementary', { name: 'Behind the scenes' });
      await behind.getByText('/servers/101/firewall/primary/enable').first().waitFor();
      await behind.getByText('/firewall enable web-1 (101): unknown').first().waitFor();
      await keyboard.turns(tab, 'Answers 500 after the effect');
      await expect.poll(() => broken.getAttribute('aria-checked')).toBe('false');
    },
  ],
];

describe('the eight examples, by keyboard alone', () => {
  it.each(examples)('%s', async (title, happens) => {
    const tab = await visit.open('alice');
    await keyboard.chooses(tab, title);
    await happens(tab);
  });
});
