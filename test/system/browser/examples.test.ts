import type { Page as Tab } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { changes } from '../../helpers/messages.ts';
import { focused, message, tabTo, visitForAll } from '../../helpers/sandbox/page/browser.ts';

const visit = visitForAll();
afterEach(() => visit.wipe());

/** A person at the page, with one of the two. */
interface Input {
  /** Chooses an example from the list that is always there. */
  chooses(tab: Tab, title: string): Promise<void>;
  /** Sends what is in the composer, once it is this command. */
  sends(tab: Tab, command: string): Promise<void>;
  /** Presses a button of the newest message that says this. */
  presses(tab: Tab, name: string, within: string): Promise<void>;
  /** Fills in the form that is open. */
  fills(tab: Tab, text: string): Promise<void>;
  turns(tab: Tab, name: string): Promise<void>;
}

const composed = (tab: Tab, command: string) => tab.locator('.composer').getByText(command, { exact: true }).waitFor();

const mouse: Input = {
  async chooses(tab, title) {
    await tab.getByRole('button', { name: 'Things to try' }).click();
    await tab.getByRole('dialog').getByRole('button', { name: title }).click();
  },
  async sends(tab, command) {
    await composed(tab, command);
    await tab.getByRole('button', { name: 'Send', exact: true }).click();
  },
  presses: (tab, name, within) => message(tab, within).getByRole('button', { name, exact: true }).click(),
  async fills(tab, text) {
    await tab.getByRole('dialog').getByRole('textbox').fill(text);
    await tab.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
  },
  turns: (tab, name) => tab.getByRole('switch', { name }).click(),
};

const keyboard: Input = {
  async chooses(tab, title) {
    await tabTo(tab, tab.getByRole('button', { name: 'Things to try' }));
    await tab.keyboard.press('Enter');
    await tabTo(tab, tab.getByRole('dialog').getByRole('button', { name: title }));
    await tab.keyboard.press('Enter');
  },
  async sends(tab, command) {
    await composed(tab, command);
    await tab.keyboard.press('Enter');
  },
  async presses(tab, name, within) {
    await tabTo(tab, message(tab, within).getByRole('button', { name, exact: true }));
    await tab.keyboard.press('Enter');
  },
  async fills(tab, text) {
    await tab.getByRole('dialog').waitFor();
    await tab.keyboard.type(text);
    await tab.keyboard.press('Enter');
  },
  async turns(tab, name) {
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
const examples: readonly [title: string, happens: (tab: Tab, input: Input) => Promise<unknown>][] = [
  [
    'Look at capacity',
    async (tab, input) => {
      await input.sends(tab, '/hypervisors resources');
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
    async (tab, input) => {
      const sent = changes(visit.world).length;
      await input.sends(tab, '/firewall flush');
      await message(tab, 'QUESTION /firewall flush').waitFor();
      expect(changes(visit.world)).toHaveLength(sent);
      await input.presses(tab, 'Flush web-1', 'QUESTION /firewall flush');
      await message(tab, 'SUCCEEDED /firewall flush · web-1 (101').getByText('all rules were removed').waitFor();
    },
  ],
  [
    'Try the same as carol',
    async (tab, input) => {
      await tab.getByRole('combobox', { name: /as carol/ }).waitFor();
      await input.sends(tab, '/firewall flush');
      await message(tab, 'DENIED /firewall flush').getByText('Only you can see this').waitFor();
    },
  ],
  [
    'Restore a backup, and watch',
    async (tab, input) => {
      await input.sends(tab, '/backup restore');
      await input.presses(tab, 'Restore disk 0 of web-1', 'QUESTION /backup restore');
      await input.fills(tab, 'web-1');
      await message(tab, 'ACCEPTED /backup restore').or(message(tab, 'FINISHED /backup restore')).first().waitFor();
      const end = tab.locator('.row.pinged').filter({ hasText: 'FINISHED /backup restore' });
      await expect.poll(() => end.count()).toBe(1);
    },
  ],
  [
    'Restart all of staging',
    async (tab, input) => {
      const sent = changes(visit.world).length;
      await tab.getByRole('combobox', { name: /as bob/ }).waitFor();
      await input.sends(tab, '/power restart');
      await message(tab, 'QUESTION /power restart').getByText('web-3 (103) and cache-1 (131)').waitFor();
      await input.presses(tab, 'Restart 2 servers', 'QUESTION /power restart');
      await message(tab, '2 of 2 finished').or(message(tab, '2 accepted')).first().waitFor();
      expect(changes(visit.world)).toHaveLength(sent + 2);
    },
  ],
  [
    'Alone at night',
    async (tab, input) => {
      const entries = visit.world.ledger().length;
      await tab.getByRole('combobox', { name: /as bob/ }).waitFor();
      await input.sends(tab, '/backup restore');
      await input.presses(tab, 'Break glass', 'DENIED /backup restore');
      await input.fills(tab, 'nobody answers');
      await input.presses(tab, 'Restore disk 0 of db-1', 'QUESTION /backup restore');
      await input.fills(tab, 'db-1');
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
    async (tab, input) => {
      await expect.poll(() => focused(tab)).toBe('switch-alert-at-night');
      await input.turns(tab, 'An alert at night');
      await tab.locator('.row.pinged').filter({ hasText: 'ALERT alertmanager' }).waitFor();
      await input.sends(tab, '/alerts list');
      await message(tab, '1 alert, 1 of them not acknowledged').waitFor();
      await input.presses(tab, 'Acknowledge', 'ALERT alertmanager');
      await message(tab, /ALERT alertmanager.*Acknowledged by @bob/s).waitFor();
      await input.turns(tab, 'An alert at night');
      await message(tab, /ALERT alertmanager.*resolved/).waitFor();
    },
  ],
  [
    'Break the panel',
    async (tab, input) => {
      const effects = visit.world.panel.effects.length;
      const broken = tab.getByRole('switch', { name: 'Answers 500 after the effect' });
      await expect.poll(() => focused(tab)).toBe('switch-error-after-effect');
      await input.turns(tab, 'Answers 500 after the effect');
      await expect.poll(() => broken.getAttribute('aria-checked')).toBe('true');
      await input.sends(tab, '/firewall enable');
      await message(tab, 'UNKNOWN /firewall enable').waitFor();
      expect(visit.world.panel.effects).toHaveLength(effects + 1);
      const behind = tab.getByRole('complementary', { name: 'Behind the scenes' });
      await behind.getByText('/servers/101/firewall/primary/enable').first().waitFor();
      await behind.getByText('/firewall enable web-1 (101): unknown').first().waitFor();
      await input.turns(tab, 'Answers 500 after the effect');
      await expect.poll(() => broken.getAttribute('aria-checked')).toBe('false');
    },
  ],
];

describe.each([
  { by: 'mouse', input: mouse },
  { by: 'keyboard', input: keyboard },
])('the eight examples, by $by alone', ({ input }) => {
  it.each(examples)('%s', async (title, happens) => {
    const tab = await visit.open('alice');
    await input.chooses(tab, title);
    await happens(tab, input);
  });
});
