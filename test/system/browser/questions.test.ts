import type { Page as Tab } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { changings } from '../../helpers/every-command/lines.ts';
import { message, visitForAll } from '../../helpers/sandbox/page/browser.ts';

const visit = visitForAll();
beforeEach(() => visit.wipe());

const phone = { width: 390, height: 844 };
const longReason = 'locked out by rule 7, says the customer, who called twice about it; '.repeat(3).slice(0, 200);

/** How many lines each line of the newest card takes on the screen. */
const countLines = `(() => {
  const text = [...document.querySelectorAll('discord-embed-description .text')].at(-1);
  const range = document.createRange();
  range.selectNodeContents(text);
  const ends = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => bottom).sort((a, b) => a - b);
  return ends.filter((end, at) => at === 0 || end - ends[at - 1] > 9).length;
})()`;

/** Between the page's header and its composer. */
async function inView(tab: Tab): Promise<void> {
  const card = await message(tab, /QUESTION/).boundingBox();
  const cancel = await tab.getByRole('button', { name: 'Cancel', exact: true }).last().boundingBox();
  const header = await tab.locator('.head').boundingBox();
  const composer = await tab.getByRole('form', { name: 'Write here' }).boundingBox();
  if (card === null || cancel === null || header === null || composer === null) throw new Error('not on the page');
  expect(card.y).toBeGreaterThanOrEqual(header.y + header.height);
  expect(cancel.y + cancel.height).toBeLessThanOrEqual(composer.y);
  expect(composer.y + composer.height).toBeLessThanOrEqual(phone.height);
}

describe('a question on a phone', () => {
  const asking = changings.filter(([, { asks }]) => asks !== 'no');

  it.each(asking)('%s fits the screen with its buttons, in the order of docs/cards.md', async (_id, { line }) => {
    await visit.world.alice.types(line);
    const { content = '', embeds = [] } = visit.world.discord.messages('alice', 'ops').at(-1) ?? {};
    expect(content).toMatch(/^\? \*\*QUESTION \/[a-z0-9]+ [a-z]+ · web-1 \(101, production\)\*\*$/);
    const lines = embeds[0]?.description?.split('\n') ?? [];
    const next = lines.findIndex((each) => each.startsWith('→ '));
    const small = lines.findIndex((each) => each.startsWith('-# '));
    expect(lines[0]).toMatch(/^\*\*[^*]+\*\*$/);
    expect(next - 1).toBeLessThanOrEqual(3);
    expect(small).toBe(next + 1);
    for (const each of lines.slice(1, next)) expect(each.length).toBeLessThanOrEqual(100);
    for (const each of lines.slice(small)) expect(each).toMatch(/^-# (?:Reason: `|By <@\d+> · run )/);

    const tab = await visit.open('alice', { viewport: phone });
    await message(tab, /QUESTION/).waitFor();
    expect(await tab.evaluate(countLines)).toBeLessThanOrEqual(13);
    await inView(tab);
  });

  it('fits with a reason of 200 characters, and with ten servers', async () => {
    for (const line of [
      `/firewall flush server:web-1 reason:"${longReason}"`,
      '/power poweroff server:web-1,web-2,web-3,db-1,db-2,mail-1,cache-1,lab-1,lab-2,141 reason:"the rack goes dark"',
      // Ten firewalls, of which each is shown as it is set now.
      '/firewall flush server:group:1,group:2 reason:"the rack goes dark"',
    ]) {
      visit.wipe();
      await visit.world.alice.types(line);
      const tab = await visit.open('alice', { viewport: phone });
      await message(tab, /QUESTION/).waitFor();
      await inView(tab);
    }
  });
});
