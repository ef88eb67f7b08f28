import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Page as Tab } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import type { SeenMessage } from '../../../src/sandbox/discord/index.ts';
import { webhook, webhookAlert } from '../../helpers/alerts.ts';
import { isDrawing, message, picture, visitForAll } from '../../helpers/sandbox/page/browser.ts';
import { examplePolicy } from '../../helpers/world.ts';

/** A VLAN wants the approval of another lead; alerts may link to their runbooks. */
const policy = examplePolicy
  .replace('commands:\n', 'commands:\n  - { match: [vlan.set], approvals: 1 }\n')
  .replace('alerts: {', 'alerts: { link-hosts: [runbooks.example.com],');

const visit = visitForAll({ restoreMs: 1_200, policy });
beforeEach(() => visit.wipe());

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

const until = (said: string): Promise<unknown> =>
  visit.world.discord.until(() => visit.world.alice.sees().includes(said));

/** A change that stays under way. */
async function hangs(who: 'alice' | 'bob', line: string): Promise<void> {
  visit.world.panel.order({ kind: 'delay', ms: 60_000, match: { changes: true } });
  await visit.world.discord.type(who, 'ops', line);
  await until(`WORKING ${line.split(' ').slice(0, 2).join(' ')}`);
}

async function restores(server: string, reason: string): Promise<void> {
  const { alice } = visit.world;
  await alice.types(`/backup restore server:${server} disks:0 reason:"${reason}"`);
  await alice.clicks('Confirm');
  await alice.fills(server);
}

/** For as long as it takes to see `said`, it is so many ms later. */
async function later(ms: number, said: string): Promise<void> {
  visit.world.timePasses(ms);
  await until(said);
  visit.world.timePasses(-ms);
}

/** An answer with a block that has no dates. */
const oddAnswer = {
  data: {
    assigned: [{ id: 2, month: 2, traffic: 250, start: null, end: null }],
    available: {
      total: 1,
      current: { month: 1, start: '2026-11-01T00:00:00+00:00', end: '2026-11-30T23:59:59+00:00' },
      months: {},
    },
  },
};

interface Kind {
  /** Whose page it is: some cards are for one person alone. */
  as: 'alice' | 'carol';
  /** What the last of its cards says. */
  last: RegExp;
  reach(): Promise<unknown>;
}

/** Each state of a card, brought about as people do. */
const kinds: Readonly<Record<string, Kind>> = {
  asking: {
    as: 'alice',
    last: /QUESTION \/firewall flush/,
    async reach() {
      const { alice } = visit.world;
      await alice.types('/firewall flush server:web-3 reason:"asked by the customer"');
      await alice.clicks('Cancel');
      await alice.types('/power restart server:web-3');
      await later(130_000, 'EXPIRED');
      await alice.types('/firewall flush server:web-1 reason:"locked out by rule 7"');
    },
  },
  done: {
    as: 'alice',
    last: /WORKING \/cpu throttle/,
    async reach() {
      await does('alice', '/firewall disable server:web-2 reason:"locked out by rule 7" remind:2h');
      await does('alice', '/firewall disable server:web-3 sync:false');
      await restores('web-1', 'lost update');
      await until('FINISHED /backup restore');
      await hangs('bob', '/cpu throttle server:web-1 percent:50 reason:"noisy neighbour"');
    },
  },
  'not-done': {
    as: 'alice',
    last: /UNAVAILABLE \/power boot/,
    async reach() {
      const { panel, alice, bob, dir } = visit.world;
      await does('alice', '/power boot server:db-2', 'refused');
      panel.order({ kind: 'refuse' });
      await alice.types('/ipv4 add server:db-1 addresses:192.0.2.7');
      await panel.clear();
      await hangs('alice', '/firewall enable server:web-3');
      await bob.types('/power boot server:web-3');
      const file = join(dir, 'ledger.jsonl');
      renameSync(file, `${file}.away`);
      await bob.types('/power boot server:web-2 reason:"down since 3"');
      renameSync(`${file}.away`, file);
    },
  },
  unknown: {
    as: 'alice',
    last: /QUESTION \/firewall flush/,
    async reach() {
      const { alice } = visit.world;
      await does('alice', '/cpu throttle server:lab-1 percent:50', 'broken');
      await alice.clicks('Say what happened');
      await alice.fills('It happened: the panel shows 50 %');
      await does('alice', '/firewall enable server:lab-1', 'broken');
      await alice.clicks('Say what happened');
      await alice.fills('It did not happen: the panel shows it disabled');
      await does('alice', '/firewall enable server:cache-1 reason:"after the move"', 'broken');
      await alice.types('/firewall flush server:cache-1');
    },
  },
  answers: {
    as: 'carol',
    last: /Traffic of web-1/,
    async reach() {
      const { carol, panel } = visit.world;
      await carol.types('/firewall flush server:web-1');
      await carol.types('/firewall show server:web-1 source:192.0.2');
      await carol.types('/firewall show server:web-1 port:22');
      panel.order({ kind: 'status-before', status: 200, body: oddAnswer });
      await carol.types('/traffic show server:web-1');
    },
  },
  others: {
    as: 'alice',
    last: /QUESTION \/firewall flush/,
    async reach() {
      const { alice, bob } = visit.world;
      await alice.types('/vlan set server:web-3 vlan:8 trunk:1 reason:"move to the new switch"');
      await alice.clicks('Confirm');
      await until('· approval');
      await bob.types('/firewall flush server:web-1 reason:"locked out by rule 7"');
      await visit.world.discord.until(() =>
        visit.world.ledger().some((entry) => entry.kind === 'denied' && entry.actor.name === 'bob'),
      );
      await bob.clicks('Ask a lead');
      await until('· request');
    },
  },
  stopped: {
    as: 'alice',
    last: /SUCCEEDED \/release/,
    async reach() {
      const { alice, bob } = visit.world;
      await alice.types('/freeze tier:staging until:2h reason:"database migration"');
      await bob.types('/power boot server:web-3');
      await alice.types('/thaw tier:staging reason:"it is done"');
      await bob.types('/hold server:web-2 until:30m reason:"I look at its disks"');
      await alice.types('/power boot server:web-2');
      await bob.types('/release server:web-2');
    },
  },
  looking: {
    as: 'alice',
    last: /Server web-1/,
    async reach() {
      const { alice } = visit.world;
      await does('alice', '/firewall flush server:web-2 reason:"rules from the old image"');
      await does('alice', '/firewall flush server:web-1 reason:"locked out by rule 7"', 'broken');
      await alice.clicks('Check now');
      await alice.types('/server show server:web-1');
    },
  },
  alerts: {
    as: 'alice',
    last: /ALERT alertmanager.*\/power restart web-1/s,
    async reach() {
      const { alice, bob } = visit.world;
      const fires = (key: string, title: string, server: string, status = 'firing') =>
        visit.alerts({ key, status, title, severity: 'critical', server });
      await does('alice', '/firewall flush server:web-1 reason:"locked out by rule 7"');
      await fires('mail', 'QueueFull', 'mail-1');
      await until('QueueFull');
      await fires('mail', 'QueueFull', 'mail-1', 'resolved');
      await until('resolved');
      await fires('disk', 'DiskFull', 'web-2');
      await until('DiskFull');
      await bob.clicks('Acknowledge');
      await until('Acknowledged by');
      const down = webhookAlert({ instance: 'web-1:9100' }, { startsAt: new Date().toISOString() });
      await visit.alerts(webhook([down]), { to: 'alertmanager' });
      await until('no answer for 2 minutes');
      await alice.types('/alerts list');
    },
  },
  'look-at-this': {
    as: 'alice',
    last: /ALERT Audit trail/,
    async reach() {
      const { discord } = visit.world;
      await restores('mail-1', 'disk is full');
      await until('FAILED /backup restore');
      await does('alice', '/firewall disable server:db-2 remind:5m reason:"locked out by rule 7"');
      await later(301_000, 'REMINDER');
      const posted = discord.messages('alice', 'audit').at(-1);
      discord.deleteMessage('alice', posted?.id ?? '');
      await until('ALERT');
    },
  },
};

const widths = { phone: 390, desktop: 1280 } as const;
/** Where no pictures are kept, each kind is looked at once. */
const views = isDrawing
  ? (['phone', 'desktop'] as const).flatMap((view) => [[view, 'dark'] as const, [view, 'light'] as const])
  : ([['phone', 'dark']] as const);

/** A mark, the outcome in capitals, the command, and the servers it is about; of a read, what it shows. */
const firstLine = /^[^\w\s] \*\*(?:[A-Z][A-Z -]+ (?:\/[a-z0-9-]+(?: [a-z-]+)?|Audit trail)(?: · .+)?|[A-Z][^*]+)\*\*/;
/** In bold, and long enough to be a sentence. */
const fact = /^\*\*.{10,}\*\*$/;

/** The first two lines alone tell how it stands. */
function expectGlance({ content, embeds }: SeenMessage): void {
  expect(content).toMatch(firstLine);
  expect(embeds[0]?.description?.split('\n', 1)[0]).toMatch(fact);
}

/** How high a window is in which no message is out of view. */
const heightOfAll =
  "innerHeight - document.querySelector('#scroll').clientHeight + document.querySelector('#all').scrollHeight";

/** All messages of a kind, one below the other, as they stand on the page. */
async function drawn(tab: Tab, name: string): Promise<void> {
  const { width = 0 } = tab.viewportSize() ?? {};
  await tab.evaluate('document.fonts.ready');
  await tab.setViewportSize({ width, height: Math.ceil(Number(await tab.evaluate(heightOfAll))) });
  await picture(tab, `cards/${name}`, 20_000);
}

it.each(Object.entries(kinds))('the picture of docs/cards.md: %s', async (name, { as, last, reach }) => {
  await reach();
  for (const card of visit.world.discord.messages(as, 'ops')) expectGlance(card);
  for (const [view, colorScheme] of views) {
    // Low, so that what is in it needs all of its height.
    const tab = await visit.open(as, { colorScheme, viewport: { width: widths[view], height: 500 } });
    await message(tab, last).waitFor();
    await drawn(tab, `${name}-${view}-${colorScheme}`);
  }
  await visit.world.panel.clear();
});
