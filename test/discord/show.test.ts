import { REST } from 'discord.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Card, trusted } from '../../src/card.ts';
import { type Answering, answers } from '../../src/discord/answers.ts';
import type { DiscordFault } from '../../src/sandbox/discord/index.ts';
import { forEach } from '../helpers/lives.ts';
import { discordForEach, identified, interaction, registerPing } from '../helpers/sandbox/discord/raw.ts';

const card = (words: string): Card => ({ state: 'succeeded', command: '/firewall show', body: [trusted(words)] });

let ahead = 0;
let typed = 0;
let answered = 0;
const discord = discordForEach({ now: () => Date.now() + ahead, deadlines: { answerMs: 20_000 } });
const gateway = forEach(
  () => identified(discord),
  ({ ws }) => Promise.resolve(ws.close()),
);
beforeEach(async () => {
  [ahead, typed, answered] = [0, 0, 0];
  await registerPing(discord);
});

/** What alice is told of a command that she types. */
async function asked() {
  await discord.type('alice', 'ops', '/ping');
  const known: Answering = await interaction(gateway, typed);
  typed += 1;
  known.answered = () => {
    answered += 1;
  };
  const { applicationId: application } = discord;
  const interactions = new REST({ api: discord.apiUrl, retries: 0 });
  const channels = { application, user: application, interactions, bot: interactions, note: '' };
  return answers(channels, known, () => Date.now() + ahead);
}

const seen = () => discord.view('alice', 'ops');
const patches = () => discord.requests.filter(({ method }) => method === 'PATCH').length;
const patching = { match: { method: 'PATCH' } };

describe('The answer to a read', () => {
  it('is shown where Discord says "thinking…", to one person or to all', async () => {
    const reply = await asked();
    expect(await reply.think('private')).toBe(true);
    expect(seen()).toBe('alice used /ping\npanelops is thinking…\n  (only alice sees this)');
    expect(await reply.show(card('10 rules'))).toBe('shown');
    expect(seen()).toContain('  │ 10 rules\n  (only alice sees this)');
    const open = await asked();
    expect(await open.think('public')).toBe(true);
    expect(await open.show(card('for all'))).toBe('shown');
    expect(discord.view('bob', 'ops')).toContain('for all');
    // Discord's reply to the first try may have been lost.
    expect(await open.think('public')).toBe(true);
  });

  it.each<[how: string, fault: DiscordFault]>([
    ['meets errors of its own', { kind: 'status', status: 503, ...patching, times: 3 }],
    ['closes the connection', { kind: 'lose-request', by: 'close', ...patching, times: 2 }],
    ['has lost the message for a moment', { kind: 'status', status: 404, body: { code: 10_008 }, ...patching }],
    ['refuses it without a reason', { kind: 'status', status: 403, body: { code: 0 }, ...patching }],
  ])('is tried again when Discord %s', async (_how, fault) => {
    const reply = await asked();
    await reply.think('private');
    discord.order(fault);
    expect(await reply.show(card('10 rules'))).toBe('shown');
    expect(seen()).toContain('10 rules');
  });

  it('loses its files for good once Discord refuses them', async () => {
    const reply = await asked();
    await reply.think('private');
    const body = { message: 'Request entity too large', code: 40_005 };
    discord.order({ kind: 'status', status: 413, body, ...patching });
    discord.order({ kind: 'status', status: 401, ...patching });
    const files = [{ name: 'a.txt', type: 'text/plain', bytes: new Uint8Array([1]) }];
    expect(await reply.show({ ...card('10 rules'), files })).toBe('shown');
    expect(seen()).toContain('Its file is missing, because Discord did not take it');
    expect(discord.messages('alice', 'ops').at(-1)?.files).toEqual([]);
  });

  it('is given up after 14 minutes', async () => {
    const reply = await asked();
    await reply.think('private');
    discord.order({ kind: 'status', status: 503, ...patching, times: 2 });
    ahead = 14 * 60_000;
    await expect(reply.show(card('10 rules'))).rejects.toThrow('Discord');
    expect([patches(), seen()]).toEqual([1, 'alice used /ping\npanelops is thinking…\n  (only alice sees this)']);
  });

  it('is given up where Discord has no answer to change: there was none, it was deleted, or its token is over', async () => {
    const never = await asked();
    expect(await never.show(card('10 rules'))).toBe('gone');
    const deleted = await asked();
    await deleted.think('public');
    discord.deleteMessage('alice', discord.messages('alice', 'ops').at(-1)?.id ?? '');
    expect(await deleted.show(card('10 rules'))).toBe('gone');
    const late = await asked();
    await late.think('public');
    ahead = 16 * 60_000;
    expect(await late.show(card('10 rules'))).toBe('gone');
    expect(seen()).toContain('panelops: The application did not respond');
  });

  it('that Discord cannot read is a fault of the bot, and not sent again', async () => {
    const reply = await asked();
    await reply.think('private');
    discord.order({ kind: 'status', status: 400, body: { code: 50_035, message: 'Invalid Form Body' }, ...patching });
    await expect(reply.show(card('10 rules'))).rejects.toThrow('Invalid Form Body');
    expect(patches()).toBe(1);
  });
});

it('A first answer is counted, one that came too late, too; not one that Discord could not be reached for', async () => {
  await (await asked()).think('private');
  const late = await asked();
  ahead = 21_000;
  expect(await late.think('private')).toBe(false);
  expect(answered).toBe(2);
  const broken = await asked();
  discord.order({ kind: 'status', status: 503, match: { method: 'POST' } });
  await expect(broken.think('private')).rejects.toThrow('Discord');
  expect(answered).toBe(2);
});
