import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trusted } from '../../../src/card.ts';
import { alertCard } from '../../../src/cards/render/index.ts';
import { render } from '../../../src/discord/render.ts';
import type { FindingState } from '../../../src/runs/findings.ts';
import { changings } from '../../helpers/every-command/lines.ts';
import { root } from '../../helpers/house.ts';
import { call } from '../../helpers/sandbox/discord/raw.ts';
import { message, startVisit, type Visit } from '../../helpers/sandbox/page/browser.ts';

let visit: Visit;

beforeAll(async () => {
  visit = await startVisit({ restoreMs: 1_200 });
});
beforeEach(() => visit.wipe());
afterAll(() => visit.close());

const phone = { width: 390, height: 844 };
const ops = '1300000000000000001';
const folder = join(root, 'docs/cards');

/** Somebody edited a message of the trail. */
const finding: FindingState['found'] = {
  ...{ kind: 'tampered', actor: { id: '1400000000000000004', name: 'mallory', roles: [] }, finding: 'edited' },
  ...{ channel: '1300000000000000002', message: '1574279577553862656', from: 4, to: 6 },
  ...{ seq: 12, time: '2026-11-22T21:40:00.000Z', prev: '', hash: '' },
};

/** As the page has it: in bold, after its mark. */
const shows = (tab: Tab, words: string | RegExp): Promise<void> => message(tab, words).waitFor();

const faults = {
  refused: { kind: 'status-before', status: 423, body: { errors: ['Tasks are pending.'] } },
  broken: { kind: 'status-after', status: 500 },
} as const;
type Fault = keyof typeof faults;

/** Types a line as somebody and confirms it where it asks; `fault` meets the change. */
async function does(who: 'alice' | 'bob', line: string, fault?: Fault): Promise<string> {
  const { world } = visit;
  if (fault !== undefined) world.panel.order({ ...faults[fault], match: { changes: true } });
  const card = await world[who].types(line);
  return card.includes('QUESTION') ? world[who].clicks('Confirm') : card;
}

/** A kind of card: the messages that are brought about, and what of them is waited for. */
const kinds: readonly [kind: string, reach: () => Promise<unknown>, last: RegExp][] = [
  [
    'done',
    async () => {
      const { alice, bob } = visit.world;
      await does('alice', '/firewall disable server:web-2 reason:"locked out by rule 7" remind:5m');
      await does('alice', '/firewall disable server:web-3 sync:false');
      await alice.types('/backup restore server:web-1 disks:0 reason:"lost update"');
      await alice.clicks('Confirm');
      await alice.fills('web-1');
      await visit.world.discord.until(() => alice.sees().includes('FINISHED /backup restore'));
      visit.world.panel.order({ kind: 'delay', ms: 60_000, match: { changes: true } });
      await visit.world.discord.type('bob', 'ops', '/cpu throttle server:web-1 percent:50 reason:"noisy neighbour"');
      await visit.world.discord.until(() => bob.sees().includes('WORKING /cpu throttle'));
    },
    /WORKING \/cpu throttle/,
  ],
  [
    'not-done',
    async () => {
      const { panel, alice, bob } = visit.world;
      await does('alice', '/power boot server:db-2', 'refused');
      panel.order({ kind: 'refuse' });
      await alice.types('/ipv4 add server:db-1 addresses:192.0.2.7');
      await panel.clear();
      panel.order({ kind: 'delay', ms: 60_000, match: { changes: true } });
      await visit.world.discord.type('alice', 'ops', '/firewall enable server:web-3');
      await visit.world.discord.until(() => alice.sees().includes('WORKING /firewall enable'));
      await bob.types('/power boot server:web-3');
      const post = (card: Parameters<typeof render>[0]) =>
        call(visit.world.discord, 'POST', `/channels/${ops}/messages`, render(card));
      await post({
        ...{ state: 'unavailable', command: '/power boot', subject: trusted('web-1 (101, production)') },
        fact: trusted('The ledger cannot be written, so nothing may change.'),
        body: [trusted('Nothing was sent.')],
        next: [trusted("Free space on, or repair, the disk of the bot's DATA_DIR. Reads go on.")],
        small: [trusted('By <@1400000000000000002>')],
        run: '9kq3v1x7m2a',
        buttons: [{ label: 'Ask again', id: 'again:9kq3v1x7m2a' }],
      });
      await post(alertCard([{ found: finding }], '1100000000000000001'));
    },
    /ALERT/,
  ],
  [
    'unknown',
    async () => {
      const { alice } = visit.world;
      await does('alice', '/cpu throttle server:lab-1 percent:50', 'broken');
      await alice.clicks('It happened');
      await alice.fills('the panel shows 50 %');
      await does('alice', '/firewall enable server:lab-1', 'broken');
      await alice.clicks('It did not');
      await alice.fills('the panel shows it disabled');
      await does('alice', '/firewall enable server:cache-1 reason:"after the move"', 'broken');
      await alice.types('/firewall flush server:cache-1');
    },
    /QUESTION \/firewall flush/,
  ],
  [
    'asking',
    async () => {
      const { alice, carol } = visit.world;
      await alice.types('/firewall flush server:web-3 reason:"asked by the customer"');
      await alice.clicks('Cancel');
      await alice.types('/power restart server:web-3');
      visit.world.timePasses(130_000);
      await visit.world.discord.until(() => alice.sees().includes('EXPIRED'));
      await carol.types('/firewall flush server:web-1');
      await alice.types('/firewall flush server:web-1 reason:"locked out by rule 7"');
    },
    /QUESTION \/firewall flush/,
  ],
];

const views = [
  ['phone', phone.width, 1_640],
  ['desktop', 1280, 1_040],
] as const;

/** The newest messages of a kind, one below the other, as they stand on the page. */
async function picture(tab: Tab, name: string, height: number): Promise<void> {
  const { width = 0 } = tab.viewportSize() ?? {};
  await tab.setViewportSize({ width, height });
  await tab.evaluate('document.fonts.ready');
  const bytes = await tab.screenshot(
    process.env['PICTURES'] === '1' ? { path: join(folder, `${name}.png`), animations: 'disabled' } : {},
  );
  expect(bytes.byteLength).toBeGreaterThan(20_000);
}

describe('the pictures of docs/cards.md', () => {
  mkdirSync(folder, { recursive: true });

  it.each(kinds)('%s', async (kind, reach, last) => {
    await reach();
    for (const [view, width, height] of views) {
      for (const colorScheme of ['dark', 'light'] as const) {
        const tab = await visit.open('alice', { colorScheme, viewport: { width, height: phone.height } });
        await shows(tab, last);
        await picture(tab, `${kind}-${view}-${colorScheme}`, height);
      }
    }
    await visit.world.panel.clear();
  });
});

/** How many lines the text of a card takes, headline and buttons left out. */
const countLines = `(() => {
  const text = [...document.querySelectorAll('discord-embed-description .text')].at(-1);
  const range = document.createRange();
  range.selectNodeContents(text);
  const ends = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => bottom).sort((a, b) => a - b);
  return ends.filter((end, at) => at === 0 || end - ends[at - 1] > 9).length;
})()`;

describe('a question on a phone', () => {
  const asking = changings.filter(([, { asks }]) => asks !== 'no');

  it.each(asking)('%s fits the screen with its buttons, on few lines', async (_id, { line }) => {
    await visit.world.alice.types(line);
    const tab = await visit.open('alice', { viewport: phone });
    await shows(tab, /QUESTION/);
    expect(await tab.evaluate(countLines)).toBeLessThanOrEqual(14);
    const card = await message(tab, /QUESTION/).boundingBox();
    const buttons = await tab.getByRole('button', { name: 'Cancel', exact: true }).last().boundingBox();
    expect(card?.height).toBeLessThanOrEqual(560);
    expect((buttons?.y ?? 0) + (buttons?.height ?? 0)).toBeLessThanOrEqual(phone.height);
    expect(card?.y).toBeGreaterThanOrEqual(0);
  });
});

it('nothing went wrong in any window, and nothing came from elsewhere', () => {
  expect(visit.wrong).toEqual([]);
});
