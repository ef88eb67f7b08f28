import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { botOn } from '../helpers/discord/own-bot.ts';
import { forAll } from '../helpers/lives.ts';
import { discordForAll } from '../helpers/sandbox/discord/raw.ts';

const unread = 'an event from Discord could not be read, and is left out';
const discord = discordForAll();
const bot = forAll(
  async () => {
    const started = botOn(discord, { commands, register: true });
    await started.connect();
    return started;
  },
  (it) => it.close(),
);
beforeEach(() => {
  bot.said.length = 0;
});

const unreadEvents = () => bot.said.filter(({ words }) => words === unread).map(({ facts }) => facts);

/** A command that comes later is served: so was, or was left out, all that came before. */
async function stillServes(): Promise<void> {
  const before = bot.served();
  await discord.type('bob', 'ops', '/help');
  await expect.poll(bot.served).toBe(before + 1);
}

const interaction = { id: '1400000000000000001', token: 'secret-token', type: 2, application_id: '1' };

describe('A packet that nobody can read', () => {
  it.each<[string, unknown, string]>([
    [
      'an interaction without member and user',
      { op: 0, t: 'INTERACTION_CREATE', d: { ...interaction, data: { id: '1', name: 'help', type: 1 } } },
      'INTERACTION_CREATE',
    ],
    [
      'an interaction without data',
      { op: 0, t: 'INTERACTION_CREATE', d: { ...interaction, data: null, user: { id: '1' } } },
      'INTERACTION_CREATE',
    ],
    ['an interaction that is null', { op: 0, t: 'INTERACTION_CREATE', d: null }, 'INTERACTION_CREATE'],
    ['a guild that is null', { op: 0, t: 'GUILD_CREATE', d: null }, 'GUILD_CREATE'],
    [
      'a guild without roles',
      { op: 0, t: 'GUILD_CREATE', d: { id: '1100000000000000009', roles: [null] } },
      'GUILD_CREATE',
    ],
    ['a channel of no kind', { op: 0, t: 'CHANNEL_UPDATE', d: null }, 'CHANNEL_UPDATE'],
    ['a thread that is null', { op: 0, t: 'THREAD_UPDATE', d: null }, 'THREAD_UPDATE'],
    ['a member without user', { op: 0, t: 'GUILD_MEMBER_UPDATE', d: null }, 'GUILD_MEMBER_UPDATE'],
    ['a type that is a trap', { op: 0, t: 'error', d: { token: 'secret-token' } }, 'error'],
    ['an end of the session without a word', { op: 9, d: null }, 'op 9'],
    ['no JSON', '{"op":0,"t":"INTERACTION_CREATE","d":{"token":"secret-token"', 'op undefined'],
  ])('such as %s, ends nothing and is one line in the log', async (_what, packet, event) => {
    discord.order({ kind: 'packet', packet });
    await expect.poll(unreadEvents).toEqual([expect.objectContaining({ event })]);
    await stillServes();
    expect(unreadEvents()).toHaveLength(1);
    expect(JSON.stringify(bot.said)).not.toContain('secret-token');
  });

  it.each([
    ['an event that is not known', { op: 0, t: 'FUTURE_EVENT', d: null }],
    ['an event without a type', { op: 0, d: {} }],
    ['an opcode that is not known', { op: 99, d: {} }],
    ['a number', 5],
    ['a deletion of nothing', { op: 0, t: 'MESSAGE_DELETE_BULK', d: {} }],
    [
      'an interaction of an unknown type',
      { op: 0, t: 'INTERACTION_CREATE', d: { ...interaction, type: 77, data: {}, user: { id: '1' } } },
    ],
  ])('such as %s, is nothing to talk about', async (_what, packet) => {
    discord.order({ kind: 'packet', packet });
    await stillServes();
    expect(unreadEvents()).toEqual([]);
  });
});

it('A READY that nobody can read is no session: the bot connects again, and serves', async () => {
  discord.order({ kind: 'packet', packet: { op: 0, t: 'READY', s: 1, d: { guilds: [] } } });
  await expect.poll(unreadEvents).toEqual([expect.objectContaining({ event: 'READY' })]);
  await expect.poll(bot.words).toContain('lost the connection to Discord');
  await expect.poll(() => bot.isConnected()).toBe(true);
  await stillServes();
});

it('A session that Discord forgets is at an end: the bot connects again, and serves', async () => {
  discord.order({ kind: 'forget-sessions' });
  await expect.poll(bot.words).toContain('lost the connection to Discord');
  await expect.poll(() => bot.isConnected()).toBe(true);
  await stillServes();
});
