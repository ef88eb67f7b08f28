import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DiscordFault, SeenMessage } from '../../src/sandbox/discord/index.ts';
import { words } from '../helpers/card-text.ts';
import { changes, until } from '../helpers/messages.ts';
import { changePolicy } from '../helpers/policy/in-force.ts';
import { call } from '../helpers/sandbox/discord/raw.ts';
import { startWithTrail, typesUntil } from '../helpers/trail/conversation.ts';
import { audit, isSeamless, linesOf, posted, reaches } from '../helpers/trail/process.ts';
import { examplePolicy, openWorld, type World, worldForAll } from '../helpers/world.ts';

const faults: [string, number, (world: World) => void, string][] = [
  [
    'may not be written',
    60_000,
    ({ discord }) => discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'send' }),
    'Missing in #audit: Send Messages.',
  ],
  [
    'may not be seen',
    60_000,
    ({ discord }) => discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'view' }),
    'Missing in #audit: View Channel',
  ],
  ['was deleted', 60_000, ({ discord }) => discord.deleteChannel('audit'), 'was deleted.'],
  [
    'takes nothing for longer than it may',
    100,
    ({ discord }) =>
      discord.order({
        kind: 'status',
        status: 503,
        match: { method: 'POST', path: `/channels/${audit}/messages` },
        times: 1_000_000,
      }),
    'not reached #audit yet.',
  ],
];

it.each(faults)(
  'Where the audit channel %s, changes go on, and cards and checks say that it is behind',
  async (_title, patience, order, words) => {
    const world = await startWithTrail(undefined, patience);
    await world.alice.types('/firewall flush server:web-2');
    order(world);
    const card = await typesUntil(world.alice, '/firewall enable server:web-1', 'The audit channel is behind');
    expect(card).toContain('SUCCEEDED /firewall enable · web-1');
    expect(card).toContain(words);
    expect(card).toContain('The ledger has this.');
    const flushed = await world.alice.clicks('Confirm');
    expect(flushed).toContain('SUCCEEDED /firewall flush · web-2');
    expect(flushed).toContain('The audit channel is behind: ');
    expect(changes(world).at(-1)?.path).toContain('/servers/102/firewall');
    for (const line of ['/panel check', '/handover']) {
      const told = await world.alice.types(line);
      expect(told).toContain('The audit channel is behind.');
      expect(told).toContain('Changes continue, and the ledger has them.');
      expect(told).not.toContain('Nothing may change');
    }
    const ended = world.ledger().filter(({ kind, server }) => kind === 'outcome' && server?.id === 102);
    expect(ended).toMatchObject([{ outcome: 'succeeded' }]);
    await expect.poll(world.logged).toContain('the audit channel is behind the ledger');
  },
);

it('The first cards after a channel has caught up say nothing of it, and it has everything', async () => {
  const world = await startWithTrail();
  const closed: DiscordFault = { kind: 'forbid-channel', channel: 'audit', right: 'send' };
  world.discord.order(closed);
  await typesUntil(world.alice, '/firewall enable server:web-1', 'The audit channel is behind');
  for (let n = 0; n < 30; n += 1) await world.alice.types(`/cpu throttle server:web-2 percent:${n}`);
  await expect.poll(world.logged).toContain('the audit channel is behind the ledger');
  world.discord.clear();
  await reaches(world.discord, () => world.entries().length);
  await expect.poll(world.logged).toContain('the audit channel has caught up with the ledger');
  const card = await world.alice.types('/firewall enable server:web-3');
  expect(card).toContain('SUCCEEDED');
  expect(card).not.toContain('behind');
  expect(await world.alice.types('/panel check')).not.toContain('is behind');
  await reaches(world.discord, () => world.entries().length);
  expect(isSeamless(world.discord)).toBe(true);
  expect(linesOf(world.discord).filter((line) => line.includes('/cpu throttle'))).toHaveLength(30);
  expect(posted(world.discord).flatMap(({ files }) => files)).toHaveLength(1);
  expect(await world.alice.types('/audit verify')).toContain('the trail is as it was posted');
});

it('A policy that is read again decides from then on whether changes wait', async () => {
  const world = await startWithTrail();
  world.discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'send' });
  await typesUntil(world.alice, '/firewall enable server:web-1', 'The audit channel is behind');
  const required = examplePolicy.replace('audit-channel: wanted', 'audit-channel: required');
  expect(changePolicy(world, required)).toEqual(['policy.auditChannel']);
  const card = await world.alice.types('/firewall enable server:web-1');
  expect(card).toContain('UNAVAILABLE');
  expect(card).toContain('Missing in #audit: Send Messages.');
  expect(changePolicy(world, examplePolicy)).toEqual(['policy.auditChannel']);
  expect(await world.alice.types('/firewall enable server:web-1')).toContain('SUCCEEDED');
});

/** Changes wait for the channel. */
const policy = examplePolicy.replace('audit-channel: wanted', 'audit-channel: required');

const open = (patience?: number): Promise<World> => startWithTrail(policy, patience);

const closed =
  'UNAVAILABLE /firewall flush · web-1 (101, production) (edited)\n  │ The audit channel cannot be written, so changes are refused.\n  │ Nothing was sent.';

it.each([
  [
    'may not be written',
    { kind: 'forbid-channel', channel: 'audit', right: 'send' },
    /Missing in .*: Send Messages\.$/m,
  ],
  ['may not even be seen', { kind: 'forbid-channel', channel: 'audit', right: 'view' }, /Missing in .*: View Channel/m],
] as const)(
  'Where the audit channel %s nothing may change and reads go on, until it is open again',
  async (_title, fault, lacks) => {
    const world = await open();
    const question = await world.alice.types('/firewall flush server:web-2');
    expect(question).toContain('QUESTION');
    world.discord.order(fault);
    const card = await typesUntil(world.alice, '/firewall flush server:web-1', 'UNAVAILABLE');
    expect(card).toContain(closed);
    expect(card).toMatch(lacks);
    expect(card).toContain('the bot resumes within seconds. Another channel, in AUDIT_CHANNEL_ID, needs a restart.');
    const check = await world.alice.types('/panel check');
    expect(check).toMatch(/\*\*Nothing may change\.\*\* Missing in /);
    expect(check).toMatch(new RegExp(lacks.source.replace('$', '')));
    expect(await world.alice.types('/firewall enable server:web-3')).toContain('UNAVAILABLE');
    expect(await world.alice.clicks('Confirm')).toContain('UNAVAILABLE /firewall flush · web-2');
    expect(await world.alice.types('/firewall show server:web-1')).toContain('panelops: Firewall of web-1');
    expect(changes(world)).toEqual([]);
    world.discord.clear();
    await typesUntil(world.alice, '/firewall enable server:web-1', 'SUCCEEDED');
    await reaches(world.discord, () => world.entries().length);
    const reasons = world.ledger().flatMap(({ outcome, reason }) => (outcome === 'unavailable' ? [reason] : []));
    expect(new Set(reasons)).toEqual(new Set(['trail-closed']));
    expect(isSeamless(world.discord)).toBe(true);
    expect(linesOf(world.discord).filter((line) => line.includes('UNAVAILABLE'))).toHaveLength(reasons.length);
  },
);

it('Lines that have waited too long stop all changes; when they are posted everything goes on', async () => {
  const world = await open(300);
  const path = '/channels/1300000000000000002/messages';
  world.discord.order({ kind: 'status', status: 503, match: { method: 'POST', path }, times: 1_000_000 });
  const text = await typesUntil(world.alice, '/firewall enable server:web-1', 'UNAVAILABLE');
  expect(text).toContain('The audit channel does not have all entries of the ledger, or may not.');
  expect(text).toMatch(/The last (entry has|\d+ entries have) not reached .* yet\.$/m);
  expect(text).toContain('The bot keeps posting');
  const sent = changes(world).length;
  expect(await world.alice.types('/firewall flush server:web-1')).toContain('UNAVAILABLE');
  expect(await world.alice.types('/firewall show server:web-1')).toContain('panelops: Firewall of web-1');
  expect(changes(world)).toHaveLength(sent);
  world.discord.clear();
  await typesUntil(world.alice, '/firewall enable server:web-1', 'SUCCEEDED');
  await reaches(world.discord, () => world.entries().length);
  expect(isSeamless(world.discord)).toBe(true);
});

it('The first seconds are not held up: a bot that has just started may change things', async () => {
  const world = await open(1_000);
  await world.restart();
  expect(await world.alice.types('/firewall enable server:web-1')).toContain('SUCCEEDED');
  expect(posted(world.discord).length).toBeGreaterThan(0);
});

it('What was deleted while the bot could not see the channel is told before anything changes again', async () => {
  const world = await open();
  for (const server of ['web-1', 'web-2', 'web-3']) {
    await world.alice.types(`/firewall enable server:${server}`);
    await reaches(world.discord, () => world.entries().length);
  }
  const sent = changes(world).length;
  const victim = posted(world.discord).at(-2);
  world.discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'view' });
  world.discord.deleteMessage('alice', victim?.id ?? '');
  world.discord.clear();
  await typesUntil(world.alice, '/firewall enable server:db-1', 'SUCCEEDED');
  const kinds = world
    .entries()
    .map((entry) => ('server' in entry ? `${entry.kind} ${entry.server?.name}` : entry.kind));
  expect(kinds).toContain('tampered');
  expect(kinds.indexOf('tampered')).toBeLessThan(kinds.indexOf('intent db-1'));
  expect(changes(world)).toHaveLength(sent + 1);
  const alert = await world.discord.until(() =>
    world.discord.messages('alice', 'ops').find(({ content }) => words(content).startsWith('ALERT')),
  );
  expect(alert.pinged).toEqual(['alice']);
});

it('What holds changes back is named by /panel check, whatever the panel says, and at the top of /handover', async () => {
  const intervals = { trail: { look: 50 } };
  const world = await openWorld({ audit: true, still: true, policy, token: 'wrong', intervals });
  await reaches(world.discord, () => world.entries().length);
  expect(await world.alice.types('/handover')).toContain('Nothing is open.');
  world.discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'send' });
  // Nothing else may be recorded from here on, either.
  appendFileSync(join(world.dir, 'ledger.jsonl'), ' ');
  const check = await typesUntil(world.alice, '/panel check', 'Send Messages');
  expect(check).toContain('REJECTED /panel check');
  expect(check).toContain("The panel did not accept the bot's token (401)");
  expect(check).toMatch(/\*\*Nothing may change\.\*\* Missing in .*: Send Messages\./);
  expect(check).toContain('**Nothing may change.** The ledger cannot be written.');
  const handover = await world.alice.types('/handover');
  expect(handover).toContain('Nothing may change. The ledger cannot be written.');
  expect(handover).toContain('**Nothing may change.** Missing in ');
  expect(handover).not.toContain('Nothing is open');
});

describe('In the audit channel', () => {
  const intervals = { trail: { between: 10, retry: 50, look: 50 } };
  const world = worldForAll({ audit: true, intervals, discord: { limits: { posts: false, global: false } } });
  const settled = (): Promise<true> => reaches(world.discord, () => world.entries().length);
  /** The last lines that report tampering, from the mention on. */
  const reports = (): string[] =>
    linesOf(world.discord)
      .filter((line) => line.includes('TRAIL CHANGED'))
      .map((line) => line.replace(/^\S+ /, '').replaceAll(/#\d+(–#\d+)?/g, '#N'));
  /** A message of the trail, of one line. */
  async function denial(): Promise<SeenMessage> {
    const before = world.entries().length;
    await world.carol.types('/power boot server:web-1');
    await until(() => world.entries().length > before, 'the denial in the ledger');
    await settled();
    return posted(world.discord).at(-1) ?? expect.fail('no message');
  }

  it('what a person deletes is said, with which entries, at the top of /handover, and what was newest is posted again', async () => {
    await settled();
    const victim = await denial();
    await denial();
    world.discord.deleteMessage('alice', victim.id);
    await world.discord.until(() => reports().length === 1);
    expect(reports()).toEqual(['TRAIL CHANGED deleted #N · Discord does not say by whom']);
    const entry = world.entries().findLast((each) => each.kind === 'tampered');
    const [, from, to = from] = /\n#(\d+)(?:–#(\d+))? · /.exec(victim.content) ?? [];
    const of = { message: victim.id, channel: audit, unsaid: true, from: Number(from), to: Number(to) };
    expect(entry).toMatchObject({ finding: 'deleted', ...of });
    const handover = await world.bob.types('/handover');
    expect(handover).toContain('1 finding in the audit trail is not acknowledged. /audit verify shows it.');
    await settled();
    world.discord.deleteMessage('alice', posted(world.discord).at(-1)?.id ?? '');
    await world.discord.until(() => reports().length === 2);
    expect(world.logged()).toContain('somebody changed the trail in the audit channel');
  });

  it('what is edited with the token of the bot is reported, which itself edits and deletes nothing there, and pings nobody', async () => {
    const before = reports().length;
    const { id, content } = await denial();
    const path = `/channels/${audit}/messages`;
    const edit = { content: content.replace('DENIED', 'ALLOWED') };
    expect((await call(world.discord, 'PATCH', `${path}/${id}`, edit)).status).toBe(200);
    await world.discord.until(() => reports().length > before);
    expect(reports().slice(before)).toEqual(['TRAIL CHANGED edited #N · Discord does not say by whom']);
    const own = world.discord.requests.filter((each) => each.path.startsWith(path));
    // The one is the test's own.
    expect(own.filter(({ method }) => ['DELETE', 'PATCH'].includes(method)).map(({ method }) => method)).toEqual([
      'PATCH',
    ]);
    expect(posted(world.discord).flatMap(({ pinged }) => pinged)).toEqual([]);
  });
});

it('A bot says in the ledger that it is up and down, and what has changed, with or without an audit channel', async () => {
  const world = await openWorld({ still: true });
  const [started] = world.entries();
  expect(started).toMatchObject({ kind: 'started', seq: 1, actor: { id: expect.stringMatching(/^\d+$/) } });
  const facts = started?.kind === 'started' ? started.facts : {};
  expect(Object.keys(facts)).toEqual(expect.arrayContaining(['panel', 'policy.roles', 'policy.servers']));
  expect(Object.values(facts).filter((fact) => !/^[0-9a-f]{12}$/.test(fact))).toEqual([]);
  await world.restart();
  expect(world.entries().map(({ kind }) => kind)).toEqual(['started', 'stopped', 'started']);
  expect(posted(world.discord)).toEqual([]);
});
