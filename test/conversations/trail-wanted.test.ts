import { expect, it } from 'vitest';
import type { DiscordFault } from '../../src/sandbox/discord/index.ts';
import { changes } from '../helpers/messages.ts';
import { changePolicy } from '../helpers/policy/in-force.ts';
import { startWithTrail, typesUntil } from '../helpers/trail/conversation.ts';
import { audit, isSeamless, linesOf, posted, reaches } from '../helpers/trail/process.ts';
import { examplePolicy, type World } from '../helpers/world.ts';

const path = `/channels/${audit}/messages`;
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
    ({ discord }) => discord.order({ kind: 'status', status: 503, match: { method: 'POST', path }, times: 1_000_000 }),
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

it('A channel that contradicts the ledger stops changes all the same', async () => {
  const world = await startWithTrail();
  // What only the bot could have posted, of entries that the ledger does not have.
  await fetch(`${world.discord.apiUrl}/v10${path}`, {
    method: 'POST',
    headers: { authorization: `Bot ${world.discord.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: `STOPPED panelops\n#40–#41 · ${'ab'.repeat(18)}` }),
  });
  const card = await typesUntil(world.alice, '/firewall enable server:web-1', 'UNAVAILABLE');
  expect(card).toContain('The audit channel has entries that the ledger does not have, so changes are refused.');
  expect(await world.alice.types('/panel check')).toContain('**Nothing may change.** #audit has entries');
});
