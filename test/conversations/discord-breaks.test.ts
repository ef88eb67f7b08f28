import { describe, expect, it } from 'vitest';
import type { DiscordFault } from '../../src/sandbox/discord/index.ts';
import { words } from '../helpers/card-text.ts';
import { worldForAll } from '../helpers/world.ts';

const world = worldForAll({ still: true, audit: true });

const posts = { method: 'POST', path: '/webhooks/*' };
const bugs = () => world.logged().match(/because of a bug[^"]*/g);

describe('Confirm is pressed twice at once, and Discord', () => {
  it.each<[how: string, fault: DiscordFault]>([
    ['breaks the connection', { kind: 'lose-request', by: 'close', match: posts }],
    ['resets it', { kind: 'lose-request', by: 'reset', match: posts }],
    [
      'refuses the note',
      { kind: 'status', status: 403, body: { code: 50_013, message: 'Missing Permissions' }, match: posts },
    ],
    [
      'has lost the webhook for a moment',
      { kind: 'status', status: 404, body: { code: 10_015, message: 'Unknown Webhook' }, match: posts },
    ],
    ['meets an error of its own', { kind: 'status', status: 502, match: posts, times: 4 }],
    ['answers without a message', { kind: 'status', status: 200, body: {}, match: posts }],
  ])('%s: the change is done once, and the second press is told what it would have been told', async (_how, fault) => {
    await world.alice.types('/firewall flush server:web-1');
    const question = world.discord.messages('alice', 'ops').findLast(({ buttons }) => buttons.length > 1);
    const confirm = question?.buttons.find(({ label }) => label.startsWith('Flush'));
    if (question === undefined || confirm === undefined) throw new Error('no question');
    world.discord.order(fault);
    const press = () => world.discord.click('alice', question.id, confirm.customId);
    await Promise.all([press(), press()]);
    const notes = await world.discord.until(() => {
      const all = world.discord.messages('alice', 'ops', question.id).filter(({ ephemeral }) => ephemeral);
      const card = world.discord.messages('alice', 'ops').find(({ id }) => id === question.id);
      return card !== undefined && words(card.content).startsWith('SUCCEEDED') && all.length > 0 && all;
    });
    for (const each of notes) expect(world.discord.viewMessage('alice', each)).toContain('Your click changed nothing.');
    expect(
      world.ledger().filter(({ kind, run }) => kind === 'intent' && run === world.ledger().at(-1)?.run),
    ).toHaveLength(1);
    expect(bugs()).toBeNull();
    world.discord.clear();
  });
});

it('A refusal whose answer was lost says the same again', async () => {
  world.discord.order({ kind: 'status', status: 403, body: { code: 50_001 }, match: { path: '/interactions/*' } });
  expect(await world.mallory.types('/power boot server:web-1')).toContain('DENIED /power boot');
  expect(bugs()).toBeNull();
});

it('A click whose answer arrived, and whose message Discord then does not name, is no bug', async () => {
  await world.alice.types('/firewall show server:web-1');
  world.discord.order({ kind: 'lose-request', by: 'reset', match: { path: '/interactions/*/callback' } });
  world.discord.order({ kind: 'lose-request', by: 'close', match: { method: 'GET', path: '/webhooks/*' } });
  expect(await world.alice.clicks('Share')).not.toContain('bug');
  await world.alice.types('/power boot server:web-1');
  expect(bugs()).toBeNull();
  world.discord.clear();
});

it('/audit verify says that Discord did not give the messages', async () => {
  const path = `/channels/${world.discord.channels.audit}/messages`;
  world.discord.order({ kind: 'status', status: 500, match: { method: 'GET', path }, times: 50 });
  const told = await world.alice.types('/audit verify');
  world.discord.clear();
  expect(told).toContain('UNAVAILABLE /audit verify');
  expect(told).toContain('Discord did not give the bot the messages of the audit channel');
  expect(bugs()).toBeNull();
});
