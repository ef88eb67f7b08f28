import { expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { changes, ended, idOf, labelsOf, stateOf, textOf } from '../helpers/messages.ts';
import { deedsIn } from '../helpers/run/deeds.ts';
import { startWithTrail, typesUntil } from '../helpers/trail/conversation.ts';
import { audit, linesOf, reaches } from '../helpers/trail/process.ts';
import { examplePolicy, type World } from '../helpers/world.ts';

/** Changes wait for the channel, and bob need not wait to enable a firewall. */
const policy = examplePolicy
  .replace('audit-channel: wanted', 'audit-channel: required')
  .replace('allow-in-emergency: [backup.restore]', 'allow-in-emergency: [firewall.enable]');
const enable = '/firewall enable server:web-1';

const withButton = ({ discord }: World, label: string): Promise<SeenMessage> =>
  discord.until(() => discord.messages('bob', 'ops').findLast((one) => labelsOf(one).includes(label)));

it('Where changes wait for a closed audit channel, bob goes on with break-glass, and the channel has it later', async () => {
  const world = await startWithTrail(policy);
  world.discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'send' });
  await typesUntil(world.bob, enable, 'UNAVAILABLE');
  expect(changes(world)).toEqual([]);
  expect(await world.bob.types('/cpu throttle server:web-1 percent:50')).not.toContain('Break glass');
  await world.bob.types(enable);
  await deedsIn(() => world).submit(
    'bob',
    await withButton(world, 'Break glass'),
    'Break glass',
    'nobody can open the channel',
  );
  const question = await withButton(world, 'Enable firewall of web-1');
  await world.discord.click('bob', question.id, idOf(question, 'Enable firewall of web-1'));
  const done = await ended(world, question);
  expect(stateOf(done)).toBe('SUCCEEDED');
  expect(textOf(done)).toContain('The audit channel is behind: Missing in');
  expect(changes(world)).toHaveLength(1);
  expect(await world.bob.types('/handover')).toContain('1 break-glass review open');
  world.discord.clear();
  await reaches(world.discord, () => world.entries().length);
  expect(linesOf(world.discord).some((line) => line.includes('BREAK-GLASS QUESTION'))).toBe(true);
});

it('A channel that contradicts the ledger stops break-glass as it stops everything', async () => {
  const world = await startWithTrail(policy);
  world.discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'send' });
  await typesUntil(world.bob, enable, 'UNAVAILABLE');
  await deedsIn(() => world).submit(
    'bob',
    await withButton(world, 'Break glass'),
    'Break glass',
    'nobody can open the channel',
  );
  const question = await withButton(world, 'Enable firewall of web-1');
  world.discord.clear();
  await reaches(world.discord, () => world.entries().length);
  // What only the bot could have posted, of entries that the ledger does not have.
  await fetch(`${world.discord.apiUrl}/v10/channels/${audit}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${world.discord.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: `STOPPED panelops\n#140–#141 · ${'ab'.repeat(18)}` }),
  });
  await typesUntil(world.bob, '/handover', 'has entries');
  await world.discord.click('bob', question.id, idOf(question, 'Enable firewall of web-1'));
  const card = await ended(world, question);
  expect(stateOf(card)).toBe('UNAVAILABLE');
  expect(labelsOf(card)).not.toContain('Break glass');
  expect(changes(world)).toEqual([]);
});
