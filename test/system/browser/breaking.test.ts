import type { Page as Tab } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { changes } from '../../helpers/messages.ts';
import { expectClean, message, startVisit, types, type Visit } from '../../helpers/sandbox/page/browser.ts';

let visit: Visit;

beforeAll(async () => {
  visit = await startVisit({ restoreMs: 3_600_000, answerMs: 3000 });
});
afterEach(async () => {
  await visit.world.panel.clear();
  visit.wipe();
});
afterAll(() => visit.close());

/** A window with the panel open at its side. */
async function openBehind(as = 'alice'): Promise<Tab> {
  const tab = await visit.open(as);
  await tab.getByRole('button', { name: 'Behind the scenes' }).click();
  await tab.getByRole('switch', { name: 'Panel slow' }).waitFor();
  return tab;
}

async function turn(tab: Tab, name: string, on: boolean): Promise<void> {
  const lever = tab.getByRole('switch', { name });
  await lever.click();
  await expect.poll(() => lever.getAttribute('aria-checked')).toBe(String(on));
}

const enable = '/firewall enable server:web-1';
const shown = (tab: Tab, state: string, command = '/firewall enable') => message(tab, `${state} ${command}`).waitFor();

/** Until the side panel has seen the restore run. */
async function restores(tab: Tab, server: string, id: number): Promise<void> {
  await types(tab, `/backup restore server:${server} disks:0 reason:"lost update"`);
  await message(tab, 'QUESTION /backup restore')
    .getByRole('button', { name: /^Restore/ })
    .click();
  await tab.getByRole('dialog').getByRole('textbox').fill(server);
  await tab.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
  await tab.getByText(`/backup restore ${server} (${id}): running, 0 %; alice is pinged at its end`).waitFor();
}

it('says beside each switch what to watch', async () => {
  const tab = await openBehind();
  const names = [
    'Panel slow',
    'Panel down',
    'Panel silent',
    'Answers 500 after the effect',
    'Says no in a success',
    'A proxy refuses',
    'Wrong token',
    'Do it: Use up the rate limit',
    'Do it: Cut the Discord connection',
    'Do it: Kill Redis',
    'Take the on-call role from bob',
    'Do it: Turn the clock of restores',
    'Close #audit to the bot',
    'Do it: Delete the newest message of the trail as alice',
  ];
  const levers = tab.locator('.switches').getByRole('switch').or(tab.locator('.switches').getByRole('button'));
  expect(await levers.count()).toBe(names.length);
  for (const name of names) {
    const lever = tab.getByRole('switch', { name, exact: true }).or(tab.getByRole('button', { name, exact: true }));
    const watch = await lever.getAttribute('aria-describedby');
    expect(await tab.locator(`[id="${watch}"]`).textContent()).toMatch(/^[A-Z].{30,}\.$/);
  }
});

it('slow: the card works, and the request at the side waits', async () => {
  const tab = await openBehind();
  await turn(tab, 'Panel slow', true);
  await types(tab, enable);
  await shown(tab, 'WORKING');
  await tab.locator('.requests').getByText('under way').first().waitFor();
  // What waits goes on when all faults are cleared: nobody need wait for eight seconds.
  await visit.world.panel.clear();
  await shown(tab, 'SUCCEEDED');
  await expect.poll(() => tab.getByRole('switch', { name: 'Panel slow' }).getAttribute('aria-checked')).toBe('false');
});

it('down: nothing was sent, and it can be asked again', async () => {
  const tab = await openBehind();
  await turn(tab, 'Panel down', true);
  const sent = changes(visit.world).length;
  await types(tab, enable);
  await message(tab, 'NOT-SENT /firewall enable').getByRole('button', { name: 'Ask again' }).waitFor();
  expect(changes(visit.world)).toHaveLength(sent);
  await turn(tab, 'Panel down', false);
  await message(tab, 'NOT-SENT /firewall enable').getByRole('button', { name: 'Ask again' }).click();
  await shown(tab, 'SUCCEEDED');
  expect(changes(visit.world)).toHaveLength(sent + 1);
});

it('silent: the change was made, no answer came, and the card does not claim to know', async () => {
  const tab = await openBehind();
  await turn(tab, 'Panel silent', true);
  const effects = visit.world.panel.effects.length;
  await types(tab, '/power boot server:web-2');
  await shown(tab, 'UNKNOWN', '/power boot');
  expect(visit.world.panel.effects).toHaveLength(effects + 1);
  await tab.locator('.requests').getByText('no answer was sent').first().waitFor();
  await turn(tab, 'Panel silent', false);
});

it('500 after the effect: it happened, and the card does not claim to know', async () => {
  const tab = await openBehind();
  await turn(tab, 'Answers 500 after the effect', true);
  const effects = visit.world.panel.effects.length;
  await types(tab, enable);
  await shown(tab, 'UNKNOWN');
  expect(visit.world.panel.effects).toHaveLength(effects + 1);
  await tab.locator('.requests .status').first().getByText('500').waitFor();
  await turn(tab, 'Answers 500 after the effect', false);
});

it('Discord cut: the bot is away and comes back, and answers what was typed meanwhile', async () => {
  const tab = await openBehind();
  const away = tab.getByText('panelops is not connected to Discord').waitFor();
  await tab.getByRole('button', { name: 'Do it: Cut the Discord connection' }).click();
  await away;
  await types(tab, '/help');
  await tab.getByText('panelops is not connected to Discord').waitFor({ state: 'hidden' });
  await message(tab, 'What you may run').waitFor();
});

it('Redis killed: a change is done at once, and the restore that was running goes on', async () => {
  const tab = await openBehind();
  await restores(tab, 'web-2', 102);
  await tab.getByRole('button', { name: 'Do it: Kill Redis' }).click();
  await types(tab, enable);
  await shown(tab, 'SUCCEEDED');
  await tab.getByRole('button', { name: 'Do it: Turn the clock of restores' }).click();
  await tab.locator('.row.pinged').filter({ hasText: 'FINISHED /backup restore · web-2' }).waitFor();
});

it("bob's role: he is denied what he may do with it", async () => {
  const [tab, bob] = [await openBehind(), await visit.open('bob')];
  await turn(tab, 'Take the on-call role from bob', true);
  await bob.getByLabel('You are').locator('option', { hasText: 'bob (no role)' }).waitFor({ state: 'attached' });
  await types(bob, '/power boot server:web-1');
  await shown(bob, 'DENIED', '/power boot');
  await turn(tab, 'Take the on-call role from bob', false);
  await types(bob, '/power boot server:web-1');
  await message(bob, /(ACCEPTED|FINISHED|SUCCEEDED) \/power boot/).waitFor();
});

it('the clock of restores: one that is running is over, and alice is told', async () => {
  const tab = await openBehind();
  await restores(tab, 'web-1', 101);
  await expectClean(tab);
  await tab.getByRole('button', { name: 'Do it: Turn the clock of restores' }).click();
  await tab.locator('.row.pinged').filter({ hasText: 'FINISHED /backup restore' }).waitFor();
});

it('#audit closed: changes go on and say so, and nothing says so any more once it is open', async () => {
  const tab = await openBehind();
  await turn(tab, 'Close #audit to the bot', true);
  const sent = changes(visit.world).length;
  await types(tab, enable);
  await message(tab, 'SUCCEEDED /firewall enable').getByText('The audit channel is behind: ').waitFor();
  expect(changes(visit.world)).toHaveLength(sent + 1);
  await turn(tab, 'Close #audit to the bot', false);
  await expect
    .poll(
      async () => {
        await types(tab, enable);
        return message(tab, 'SUCCEEDED /firewall enable').textContent();
      },
      { timeout: 10_000, interval: 500 },
    )
    .not.toContain('behind');
});

it('a message of #audit deleted: the trail says so, and so does the ledger', async () => {
  const tab = await openBehind();
  await types(tab, enable);
  await shown(tab, 'SUCCEEDED');
  await tab.getByRole('navigation').getByRole('link', { name: 'audit' }).click();
  const run = visit.world.ledger().findLast(({ outcome }) => outcome === 'succeeded')?.run ?? '';
  const line = new RegExp(`SUCCEEDED /firewall enable.*${run}`);
  await message(tab, line).waitFor();
  await tab.getByRole('button', { name: 'Do it: Delete the newest message of the trail as alice' }).click();
  await message(tab, /TRAIL CHANGED deleted #/)
    .filter({ hasText: line })
    .waitFor();
  await tab
    .locator('.entries')
    .getByText(/^the trail in #audit: deleted #/)
    .first()
    .waitFor();
  expect(visit.world.entries().findLast(({ kind }) => kind === 'tampered')).toMatchObject({
    finding: 'deleted',
    unsaid: true,
  });
});

it('the rate limit: the panel says no, and the card says why', async () => {
  const tab = await openBehind();
  await tab.getByRole('button', { name: 'Do it: Use up the rate limit' }).click();
  await types(tab, enable);
  await message(tab, 'REJECTED /firewall enable')
    .getByText('takes no more requests of the bot this minute (429)')
    .waitFor();
  visit.world.minutePasses();
  await types(tab, enable);
  await shown(tab, 'SUCCEEDED');
});

it('a wrong token: refused once, and then nothing is sent', async () => {
  const tab = await openBehind();
  await turn(tab, 'Wrong token', true);
  await types(tab, enable);
  await message(tab, 'REJECTED /firewall enable').getByText('(401)').waitFor();
  const sent = visit.world.panel.requests.length;
  await types(tab, '/firewall show server:web-1');
  await shown(tab, 'NOT-SENT', '/firewall show');
  expect(visit.world.panel.requests).toHaveLength(sent);
  await turn(tab, 'Wrong token', false);
  visit.world.minutePasses();
  await types(tab, enable);
  await shown(tab, 'SUCCEEDED');
});

it('nothing went wrong in any window, and nothing came from elsewhere', () => {
  expect(visit.wrong).toEqual([]);
});
