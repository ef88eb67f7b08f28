import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { type Connection, call, identified } from '../../helpers/sandbox/discord/raw.ts';

const MESSAGES = 1 << 9;
const CONTENT = 1 << 15;
let discord: SandboxDiscord;
let bot: Connection;
let at: number;
let messages: string;

beforeEach(async () => {
  at = Date.parse('2026-11-19T22:00:00Z');
  discord = await startDiscord({ now: () => at, limits: { posts: false }, privileged: ['content'] });
  bot = await identified(discord, 1 | MESSAGES);
  messages = `/channels/${discord.channels.audit}/messages`;
});
afterEach(() => discord.close());

const post = async (content: string) => (await call(discord, 'POST', messages, { content })).json.id;

test('several at once are one event; a single one is an ordinary deletion', async () => {
  const ids = [await post('1'), await post('2'), await post('3')];
  discord.deleteMessages('alice', ids.slice(0, 2));
  expect((await bot.event('MESSAGE_DELETE_BULK')).d).toEqual({
    ids: ids.slice(0, 2),
    channel_id: '1300000000000000002',
    guild_id: '1100000000000000001',
  });
  discord.deleteMessages('alice', ids.slice(2));
  expect((await bot.event('MESSAGE_DELETE')).d['id']).toBe(ids[2]);
  expect(discord.messages('bob', 'audit')).toEqual([]);
});

test('only moderators delete several at once', async () => {
  const ids = [await discord.type('bob', 'ops', '1'), await discord.type('bob', 'ops', '2')];
  expect(() => discord.deleteMessages('bob', ids)).toThrow('bob may not delete several messages at once.');
  expect(discord.messages('bob', 'ops')).toHaveLength(2);
});

test('edits and deletions need the intent for messages', async () => {
  const deaf = await identified(discord, 1);
  const id = await post('x');
  await call(discord, 'PATCH', `${messages}/${id}`, { content: 'y' });
  discord.deleteMessage('alice', id);
  discord.deleteChannel('random');
  for (const each of [bot, deaf]) await each.event('CHANNEL_DELETE');
  const heard = ({ packets }: Connection) => packets.flatMap(({ t }) => (t?.startsWith('MESSAGE_') ? [t] : []));
  expect(heard(bot)).toEqual(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE']);
  expect(heard(deaf)).toEqual([]);
});

test('an edit with the bot’s token arrives with its content; a person’s needs the intent', async () => {
  const reader = await identified(discord, 1 | MESSAGES | CONTENT);
  const id = await post('SEQ 1');
  at += 1000;
  await call(discord, 'PATCH', `${messages}/${id}`, { content: 'SEQ 2' });
  const own = await bot.event('MESSAGE_UPDATE');
  expect(own.d).toMatchObject({ id, content: 'SEQ 2', edited_timestamp: '2026-11-19T22:00:01.000Z' });
  const theirs = await discord.type('bob', 'audit', 'before');
  discord.editMessage('bob', theirs, 'after');
  const isTheirs = ({ t, d }: { t?: string; d: Record<string, unknown> }) =>
    t === 'MESSAGE_UPDATE' && d['id'] === theirs;
  expect((await bot.wait(isTheirs)).d['content']).toBe('');
  expect((await reader.wait(isTheirs)).d['content']).toBe('after');
});
