import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { type Connection, call, identified } from '../../helpers/sandbox/discord/raw.ts';

const MODERATION = 1 << 2;
const MESSAGES = 1 << 9;
const CONTENT = 1 << 15;
const LEAD = '1400000000000000001';
const BOT = '1000000000000000001';
let discord: SandboxDiscord;
let bot: Connection;
let at: number;
let messages: string;

beforeEach(async () => {
  at = Date.parse('2026-11-19T22:00:00Z');
  discord = await startDiscord({ now: () => at, limits: { posts: false }, privileged: ['content'] });
  bot = await identified(discord, 1 | MODERATION | MESSAGES);
  messages = `/channels/${discord.channels.audit}/messages`;
});
afterEach(() => discord.close());

interface Log {
  audit_log_entries: { id: string; options: { count: string } }[];
  users: { id: string }[];
  code?: number;
}

const post = async (content: string) => (await call(discord, 'POST', messages, { content })).json.id;
const log = async (query = '') =>
  (await call<Log>(discord, 'GET', `/guilds/${discord.guildId}/audit-logs${query}`)).json;
const events = (t: string, from = bot) => from.packets.filter((packet) => packet.t === t);

/** An event that comes after everything before it. */
async function caughtUp(from = bot): Promise<void> {
  const id = await discord.type('carol', 'random', 'mark');
  await from.wait(({ t, d }) => t === 'MESSAGE_CREATE' && d['id'] === id);
}

test('deleting another person’s message is logged, with its author and channel', async () => {
  discord.deleteMessage('alice', await post('a line of the trail'));
  const { d } = await bot.event('GUILD_AUDIT_LOG_ENTRY_CREATE');
  const entry = {
    user_id: LEAD,
    target_id: BOT,
    action_type: 72,
    options: { channel_id: '1300000000000000002', count: '1' },
  };
  expect(d).toEqual({ id: expect.stringMatching(/^\d{17,20}$/), guild_id: '1100000000000000001', ...entry });
  const told = await log();
  expect(told).toMatchObject({ audit_log_entries: [{ id: d['id'], ...entry }], webhooks: [], threads: [] });
  expect(told.users.map((user) => user.id)).toEqual([LEAD, BOT]);
});

test('the same deletion within five minutes raises the count without an event; later it is a new entry', async () => {
  for (const wait of [0, 299_999, 1]) {
    at += wait;
    discord.deleteMessage('alice', await post('x'));
  }
  discord.deleteMessage('alice', await discord.type('bob', 'audit', 'of somebody else'));
  await caughtUp();
  expect(events('GUILD_AUDIT_LOG_ENTRY_CREATE')).toHaveLength(3);
  const counts = (await log()).audit_log_entries.map((one) => one.options.count);
  expect(counts).toEqual(['1', '1', '2']);
});

test('deletions of one’s own messages are not logged, nor those of the bot', async () => {
  discord.deleteMessage('bob', await discord.type('bob', 'audit', 'mine'));
  await call(discord, 'DELETE', `${messages}/${await post('x')}`);
  expect((await log()).audit_log_entries).toEqual([]);
});

test('the log is read by action, person, limit, before and after', async () => {
  discord.setRoles('bob', ['lead']);
  discord.deleteMessage('alice', await post('1'));
  discord.deleteMessage('bob', await post('2'));
  discord.deleteMessages('alice', [await post('3'), await post('4')]);
  const entries = (await log()).audit_log_entries.map((one) => one.id);
  const [third, second, first] = entries;
  const ids = async (query: string) => (await log(query)).audit_log_entries.map((one) => one.id);
  expect(await ids('?action_type=72')).toEqual([second, first]);
  expect(await ids('?action_type=73')).toEqual([third]);
  expect(await ids(`?user_id=${LEAD}`)).toEqual([third, first]);
  expect(await ids('?limit=1')).toEqual([third]);
  expect(await ids(`?before=${third}&limit=1`)).toEqual([second]);
  expect(await ids(`?after=${first}`)).toEqual([second, third]);
  expect((await log('?limit=101')).code).toBe(50035);
});

test('several at once are one event and one entry; a single one is an ordinary deletion', async () => {
  const ids = [await post('1'), await post('2'), await post('3')];
  discord.deleteMessages('alice', ids.slice(0, 2));
  expect((await bot.event('MESSAGE_DELETE_BULK')).d).toEqual({
    ids: ids.slice(0, 2),
    channel_id: '1300000000000000002',
    guild_id: '1100000000000000001',
  });
  expect(await log()).toMatchObject({
    audit_log_entries: [{ user_id: LEAD, target_id: '1300000000000000002', action_type: 73, options: { count: '2' } }],
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

test('without the permission, the log cannot be read and sends no events', async () => {
  discord.order({ kind: 'forbid-audit-log' });
  const update = await bot.event('GUILD_ROLE_UPDATE');
  expect(update.d['role']).toMatchObject({ name: 'panelops', permissions: (2n ** 51n + 2n ** 17n).toString() });
  discord.deleteMessage('alice', await post('x'));
  const refused = await call(discord, 'GET', `/guilds/${discord.guildId}/audit-logs`);
  expect([refused.status, refused.json]).toEqual([403, { message: 'Missing Permissions', code: 50013 }]);
  discord.clear();
  expect((await log()).audit_log_entries).toHaveLength(1);
  await caughtUp();
  expect(events('GUILD_AUDIT_LOG_ENTRY_CREATE')).toEqual([]);
});

test('entries need the intent for moderation, messages the one for messages', async () => {
  const moderation = await identified(discord, 1 | MODERATION);
  const plain = await identified(discord, 1 | MESSAGES);
  const id = await post('x');
  await call(discord, 'PATCH', `${messages}/${id}`, { content: 'y' });
  discord.deleteMessage('alice', id);
  await caughtUp(plain);
  await moderation.event('GUILD_AUDIT_LOG_ENTRY_CREATE');
  expect(events('GUILD_AUDIT_LOG_ENTRY_CREATE', plain)).toEqual([]);
  expect(events('MESSAGE_UPDATE', plain)).toHaveLength(1);
  expect(events('MESSAGE_DELETE', plain)).toHaveLength(1);
  expect(moderation.packets.filter((packet) => packet.t?.startsWith('MESSAGE_'))).toEqual([]);
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
