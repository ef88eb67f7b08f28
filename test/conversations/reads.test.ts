import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { idOf, whisperAfter } from '../helpers/messages.ts';
import { openWorld, worldForAll } from '../helpers/world.ts';

const world = worldForAll({ still: true });

/** Whether a record of it lies beside the ledger, or in it. */
const isKept = (): boolean => existsSync(join(world.dir, 'cards.jsonl')) || world.ledger().length > 0;
const hangs = () => world.panel.order({ kind: 'hang-before', match: { path: '/firewall/' } });
const asksAfter = async (line: string): Promise<string> => {
  const before = world.panel.requests.length;
  const id = await world.discord.type('carol', 'ops', line);
  await world.panel.until(() => world.panel.requests.length > before);
  return id;
};
const answerOf = (id: string) => world.discord.messages('carol', 'ops').find(({ answers }) => answers === id);

it('A read is "thinking…" for its reader alone until the panel has answered, and nothing of it is kept', async () => {
  hangs();
  const id = await asksAfter('/firewall show server:web-1');
  expect(answerOf(id)).toMatchObject({ state: 'thinking', ephemeral: true });
  expect(isKept()).toBe(false);
  await world.panel.clear();
  await world.discord.until(() => answerOf(id)?.content.includes('Firewall of web-1'));
  expect(isKept()).toBe(false);
});

it('A turned page leaves nothing, either, and replaces the page before', async () => {
  await world.carol.types('/firewall show server:web-3');
  const shown = world.discord.messages('carol', 'ops').length;
  expect(await world.carol.clicks('Next')).toContain('Showing 11–20 of 200 rules.');
  expect([world.discord.messages('carol', 'ops').length, isKept()]).toEqual([shown, false]);
});

it.each(['reset', 'close'] as const)('The answer comes though that to its first answer was lost (%s)', async (by) => {
  world.discord.order({ kind: 'lose-request', by, match: { path: '/interactions/*' } });
  expect(await world.carol.types('/firewall show server:web-1')).toContain('Firewall of web-1');
});

it('A fault of the bot is said where the answer was to come', async () => {
  const body = { code: 50_035, message: 'Invalid Form Body' };
  world.discord.order({ kind: 'status', status: 400, body, match: { method: 'PATCH', path: '/webhooks/*' } });
  const said = await world.carol.types('/firewall show server:web-1');
  expect(said).toContain('UNKNOWN /firewall show');
  expect(said).toContain('A read changes nothing: type it again; the log has why.');
});

it('A bot that stops answers what is pending, and says that it was restarted', async () => {
  const stopping = await openWorld({ still: true, intervals: { drain: 500 } });
  stopping.panel.order({ kind: 'hang-before', match: { path: '/firewall/' } });
  await stopping.discord.type('carol', 'ops', '/firewall show server:web-1');
  await stopping.panel.until(() => stopping.panel.requests.length > 0);
  await stopping.app.stop();
  const said = stopping.carol.sees();
  expect(said).toContain('UNKNOWN /firewall show');
  expect(said).toContain('The bot was restarted before it could answer.');
});

it('The rules of a firewall are private until they are shared, which is once, also over a restart', async () => {
  const shows = 'The firewall of web-1 (101), primary interface, is enabled with 4 rules.';
  const [title, first] = ['Firewall of web-1 · primary', '1 accept in tcp 22'];
  expect(await world.alice.types('/firewall show server:web-1')).toShow(
    ...[title, shows, first, 'from 192.0.2.0/24 id=101001', '4 accept in icmp', 'from 0.0.0.0/0 id=101004'],
    ...['[Share]', '(only alice sees this)'],
  );
  expect(world.bob.sees()).not.toContain(title);
  await world.alice.clicks('Share');
  expect(world.bob.sees()).toShow(title, 'Shared by @alice.', shows, first, '4 accept in icmp');
  const card = world.discord.messages('alice', 'ops').find(({ ephemeral }) => ephemeral) ?? expect.fail('no card');
  const posted = () => world.discord.messages('bob', 'ops').length;
  const before = posted();
  for (const happens of [() => Promise.resolve(), () => world.restart()]) {
    await happens();
    const press = () => world.discord.click('alice', card.id, idOf(card, 'Share'));
    expect(await whisperAfter(world, card, 'alice', press)).toContain(
      'This card was shared already, and a card is shared once.',
    );
  }
  expect(posted()).toBe(before);
});

describe('what the panel has', () => {
  const world = worldForAll({ panel: { now: () => new Date('2026-11-20T03:00:00Z') } });
  const pictures = () => world.discord.messages('alice', 'ops').at(-1)?.files ?? [];

  it('hypervisor groups are paged through, beyond one page of the panel', async () => {
    expect(await world.carol.types('/hypervisors groups')).toShow(
      ...[
        'Hypervisor groups',
        '24 hypervisor groups.',
        '**1** `Frankfurt`: enabled, default',
        '**10** `Site 10`: enabled',
      ],
      ...['Showing 1–10 of 24 groups.', '[Next] [Share]', '(only carol sees this)'],
    );
    expect(await world.carol.clicks('Next')).toContain('Showing 11–20 of 24 groups.');
    expect(await world.carol.clicks('Next')).toShow(
      ...['Hypervisor groups', '**24** `Site 24`: **disabled**', 'Showing 21–24 of 24 groups.'],
      ...['[Previous] [Share]', '(only carol sees this)'],
    );
    expect(await world.carol.clicks('Previous')).toContain('Showing 11–20 of 24 groups.');
  });

  it('capacity begins with what is over-committed, and is a picture of the same hypervisors, with words in its place', async () => {
    const card = await world.alice.types('/hypervisors resources group:1');
    expect(card).toMatch(/Capacity of group 1\n {2}│ ⚠ memory over by 32 GB on `fra-3`\.\n {2}│ IPv4: 40 addresses/);
    expect(card).toContain('**3** `fra-3` · used: **⚠ memory 160 of 128 GB, over-committed**, cores 24 of 64,');
    expect(card).toContain('Showing 1–5 of 7 hypervisors.');
    const words = (): string =>
      JSON.stringify(world.discord.requests.findLast(({ method }) => method === 'PATCH')?.body);
    const [first] = pictures();
    expect(Buffer.from(first?.bytes.subarray(0, 8) ?? []).toString('hex')).toBe('89504e470d0a1a0a');
    expect(words()).toContain('Group 1: memory, cores, storage, 1–5 of 7 hypervisors, as bars. 1 fra-1: Servers 24%;');
    expect(words()).toContain('3 fra-3: Servers 24%; Memory 125%, over-committed; Cores 38%; Local 40%.');
    expect(await world.alice.clicks('Next')).toContain('⊘ takes no new servers: not commissioned');
    expect(pictures()).toHaveLength(1);
    expect(pictures()[0]?.bytes).not.toEqual(first?.bytes);
    expect(words()).toContain('nvme-pool 98%; archive 25%.');
    world.panel.order({ kind: 'status-before', status: 404, body: { errors: [] } });
    expect(await world.alice.clicks('Previous')).toContain('REJECTED');
    expect(pictures()).toEqual([]);
    // Where nothing is over-committed, with the addresses.
    expect(await world.carol.types('/hypervisors resources group:3')).toMatch(/Capacity of group 3\n {2}│ IPv4: /);
  });

  it('traffic is shown by billing period; one that the panel does not list is warned about, and refused', async () => {
    expect(await world.carol.types('/traffic show server:web-1')).toShow(
      ...[
        'Traffic of web-1',
        'Current billing period: 1, `2026-11-01` to `2026-11-30`.',
        'There are no traffic blocks.',
      ],
      "How much was used, and how much is allowed, is not in the panel's interface: look in the panel.",
      ...['[Share]', '(only carol sees this)'],
    );
    const periods = await world.alice.chooses('/traffic add server:web-1', 'month');
    expect(periods).toHaveLength(25);
    expect(periods[2]).toEqual({ name: 'period 3: 2027-01-01 to 2027-01-31', value: 3 });
    expect(await world.alice.chooses('/traffic add server:web-1 month:25', 'month')).toEqual([
      { name: 'period 25: 2028-11-01 to 2028-11-30', value: 25 },
    ]);
    expect(await world.alice.types('/traffic add server:web-1 month:26 amount:1')).toContain(
      'The panel lists no period 26 for this server: it will probably refuse.',
    );
    expect(await world.alice.clicks('Confirm')).toContain('The panel says: `month: Month 26 is not available.`');
  });

  it('more IPv4 addresses than are free are said before it is asked; where that cannot be read, it is asked all the same', async () => {
    expect(await world.alice.types('/ipv4 assign server:lab-1 quantity:4')).toContain(
      'The largest free IPv4 pool of group 3 has 3 addresses. Those are too few: the panel will probably refuse.',
    );
    expect(await world.alice.clicks('Confirm')).toContain(
      'The panel says: `quantity: Only 3 IPv4 addresses are free in this group.`',
    );
    world.panel.order({ kind: 'status-before', status: 403, body: { errors: [] }, match: { path: '/resources' } });
    expect(await world.alice.types('/ipv4 assign server:web-2 quantity:1')).toShow(
      'QUESTION /ipv4 assign · web-2 (102, production)',
      'How many addresses are free could not be read.',
      '[Assign 1 address to web-2] [Cancel]',
    );
    await world.alice.clicks('Cancel');
  });

  it('what has not the form that the bot knows is shown as it came, beside the rest; nothing is changed by it', async () => {
    const answers = (body: unknown): void => world.panel.order({ kind: 'status-before', status: 200, body });
    const period = { month: 1, start: '2026-11-01T00:00:00+00:00', end: '2026-11-30T23:59:59+00:00' };
    const block = { id: 1, current: true, traffic: 500, added: '2026-11-20T03:00:00+00:00', ...period };
    const odd = { id: 2, month: 2, traffic: 250, start: null, end: null };
    const available = { total: 1, current: period, months: { 1: period } };
    answers({ data: { assigned: [block, odd], available } });
    const card = await world.carol.types('/traffic show server:web-1');
    for (const words of [
      '**500 GB** in period 1, `2026-11-01` to `2026-11-30`',
      '⚠ **Not in the form that the bot knows**: 1 traffic block. As it came:',
      'start=null end=null',
      'The file has all of it, without what looks like a secret.',
    ])
      expect(card).toContain(words);
    const [file] = world.discord.messages('carol', 'ops').at(-1)?.files ?? [];
    expect([file?.name, JSON.parse(Buffer.from(file?.bytes ?? []).toString())]).toEqual([
      'answer.json',
      [{ what: 'traffic block', value: odd }],
    ]);
    answers([]);
    expect(await world.carol.types('/hypervisors groups')).toShow(
      'UNKNOWN /hypervisors groups',
      'The panel answered in a format that the bot does not recognize.',
      ...['[Ask again]', '(only carol sees this)'],
    );
    answers({ data: { status: 'on', rules: [] } });
    const before = world.panel.effects.length;
    expect(await world.alice.types('/firewall flush server:web-1')).toContain(
      'Nothing was sent, because what is set now could not be read.',
    );
    expect(world.panel.effects).toHaveLength(before);
  });
});
