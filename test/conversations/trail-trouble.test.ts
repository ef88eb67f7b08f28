import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { words } from '../helpers/card-text.ts';
import { changes } from '../helpers/messages.ts';
import { startWithTrail, typesUntil } from '../helpers/trail/conversation.ts';
import { isSeamless, linesOf, posted, reaches } from '../helpers/trail/process.ts';
import { examplePolicy, startWorld, type World } from '../helpers/world.ts';

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
    const reasons = world
      .ledger()
      .flatMap((each) => (each.kind === 'outcome' && each.outcome === 'unavailable' ? [each.reason] : []));
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
  const world = await startWorld({
    audit: true,
    still: true,
    policy,
    token: 'wrong',
    intervals: { trail: { look: 50 } },
  });
  onTestFinished(() => world.stop());
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

it('A finding that nobody has acknowledged stands at the top of /handover', async () => {
  const world = await open();
  world.discord.deleteMessage('alice', posted(world.discord)[0]?.id ?? '');
  await world.discord.until(() => linesOf(world.discord).some((line) => line.includes('TRAIL CHANGED')));
  const handover = await world.bob.types('/handover');
  expect(handover).toContain('1 finding in the audit trail is not acknowledged. /audit verify shows it.');
  expect(handover).not.toMatch(/Nothing/);
});

it('Where Discord breaks off the first answer to a change, people read that, and not of a fault of the bot', async () => {
  const world = await open();
  world.discord.order({ kind: 'lose-request', by: 'close', match: { path: '/interactions/*' } });
  const told = await world.alice.types('/power boot server:web-1');
  expect(told).toContain('NOT-SENT');
  expect(told).toContain("The connection to Discord broke at the bot's first answer, or");
  expect(/│ .*[Aa]sk again/.test(told)).toBe(told.includes('[Ask again]'));
  expect(changes(world)).toEqual([]);
});
