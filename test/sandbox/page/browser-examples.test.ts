import type { Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectClean, focused, message, sendComposed, startVisit, type Visit } from './browser.ts';

let visit: Visit;

beforeAll(async () => {
  visit = await startVisit();
}, 60_000);
afterAll(() => visit.close());

/** Chooses an example from the list that is always there. */
const byMouse = async (tab: Tab, title: string): Promise<void> => {
  await tab.getByRole('button', { name: 'Things to try' }).click();
  await tab.getByRole('dialog').getByRole('button', { name: title }).click();
};
const byKeyboard = async (tab: Tab, title: string): Promise<void> => {
  await tab.getByRole('button', { name: 'Things to try' }).focus();
  await tab.keyboard.press('Enter');
  await tab.getByRole('dialog').getByRole('button', { name: title }).focus();
  await tab.keyboard.press('Enter');
};
const pressing = {
  mouse: (tab: Tab, name: string, within: string | RegExp) =>
    message(tab, within).getByRole('button', { name, exact: true }).click(),
  async keyboard(tab: Tab, name: string, within: string | RegExp) {
    await message(tab, within).getByRole('button', { name, exact: true }).focus();
    await tab.keyboard.press('Enter');
  },
};

describe.each([
  { by: 'mouse', choose: byMouse, press: pressing.mouse },
  { by: 'keyboard', choose: byKeyboard, press: pressing.keyboard },
] as const)('the five examples, by $by', ({ choose, press }) => {
  it('show the capacity', async () => {
    const tab = await visit.open('alice');
    await choose(tab, 'Look at capacity');
    await sendComposed(tab, '/hypervisors resources');
    await message(tab, 'fra-1').getByText('Only you can see this').waitFor();
    await expectClean(tab);
  });

  it('flush a firewall after a confirmation', async () => {
    const tab = await visit.open('alice');
    await choose(tab, 'Flush a firewall, and confirm');
    await sendComposed(tab, '/firewall flush');
    await press(tab, 'Confirm', /^.*QUESTION \/firewall flush/s);
    await message(tab, 'SUCCEEDED /firewall flush · web-1 (101').getByText('all rules were removed').waitFor();
    await expectClean(tab);
  });

  it('refuse carol, and tell only her', async () => {
    const tab = await visit.open('alice');
    await choose(tab, 'Try the same as carol');
    await tab.getByRole('combobox', { name: /as carol/ }).waitFor();
    await sendComposed(tab, '/firewall flush');
    await message(tab, 'DENIED /firewall flush').getByText('Only you can see this').waitFor();
    await expectClean(tab);
    const other = await visit.open('bob');
    expect(await other.getByText('DENIED').count()).toBe(0);
  });

  it('restore a backup, and show how it ends', async () => {
    const tab = await visit.open('alice');
    await choose(tab, 'Restore a backup, and watch');
    await sendComposed(tab, '/backup restore');
    await press(tab, 'Confirm', /QUESTION \/backup restore/);
    await tab.getByRole('dialog').waitFor();
    await expectClean(tab);
    await tab.keyboard.type('web-1');
    await tab.keyboard.press('Enter');
    await message(tab, 'FINISHED /backup restore').waitFor();
    await expectClean(tab);
  });

  it('break the panel, and say that nobody can know', async () => {
    const tab = await visit.open('alice');
    await choose(tab, 'Break the panel');
    const broken = tab.getByRole('switch', { name: 'Answers 500 after the effect' });
    await expect.poll(() => focused(tab)).toBe('switch-error-after-effect');
    await tab.keyboard.press('Space');
    await expect.poll(() => broken.getAttribute('aria-checked')).toBe('true');
    await sendComposed(tab, '/firewall enable');
    await message(tab, 'UNKNOWN /firewall enable').waitFor();
    await expectClean(tab);
    await tab.getByText('/servers/101/firewall/primary/enable').first().waitFor();
    await broken.click();
    await expect.poll(() => broken.getAttribute('aria-checked')).toBe('false');
  });
});

it('nothing went wrong in any window, and nothing came from elsewhere', () => {
  expect(visit.wrong).toEqual([]);
});
