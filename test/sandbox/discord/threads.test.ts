import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { type Connection, call, identified, interaction, registerPing } from '../../helpers/sandbox/discord/raw.ts';

const GUILDS_AND_MESSAGES = 1 | (1 << 9);
let discord: SandboxDiscord;
let bot: Connection;
let at: number;
let ops: string;

beforeEach(async () => {
  at = Date.parse('2026-11-19T22:00:00Z');
  discord = await startDiscord({ now: () => at, limits: { posts: false } });
  bot = await identified(discord, GUILDS_AND_MESSAGES);
  ops = `/channels/${discord.channels.ops}`;
});
afterEach(() => discord.close());

const start = (body: object, from = `${ops}/threads`) => call(discord, 'POST', from, body);
const incident = async () => (await start({ name: 'disk full', type: 11, auto_archive_duration: 1440 })).json.id;
const post = (channel: string, content: string) => call(discord, 'POST', `/channels/${channel}/messages`, { content });
const change = (thread: string, body: object) => call(discord, 'PATCH', `/channels/${thread}`, body);

test('a public thread is made, reported, and noted in its channel', async () => {
  const { status, json } = await start({ name: 'disk full', type: 11, auto_archive_duration: 1440 });
  expect(status).toBe(201);
  expect(json).toMatchObject({
    type: 11,
    name: 'disk full',
    guild_id: '1100000000000000001',
    parent_id: '1300000000000000001',
    owner_id: '1000000000000000001',
    message_count: 0,
    member_count: 1,
    thread_metadata: {
      archived: false,
      locked: false,
      auto_archive_duration: 1440,
      archive_timestamp: '2026-11-19T22:00:00.000Z',
    },
  });
  expect((await bot.event('THREAD_CREATE')).d).toMatchObject({ id: json.id, type: 11, newly_created: true });
  const note = await bot.event('MESSAGE_CREATE');
  expect(note.d).toMatchObject({
    type: 18,
    content: 'disk full',
    channel_id: '1300000000000000001',
    author: { id: '1000000000000000001' },
    message_reference: { channel_id: json.id, guild_id: '1100000000000000001' },
  });
  expect(discord.view('bob', 'ops')).toBe('→ panelops started a thread: #disk full');
  expect(discord.messages('bob', 'ops')).toMatchObject([{ system: 'thread', thread: json.id, pinged: [] }]);
  expect(discord.threads()).toEqual([
    { id: json.id, name: 'disk full', parent: 'ops', archived: false, locked: false },
  ]);
  expect((await call(discord, 'GET', `/channels/${json.id}`)).json).toMatchObject({ type: 11, name: 'disk full' });
});

test('messages in a thread are posted, read and edited as in a channel, by bot and people, by its name or id', async () => {
  const thread = await incident();
  const theirs = await discord.type('bob', '#disk full', 'looking');
  const own = (await post(thread, 'noted')).json.id;
  await call(discord, 'PATCH', `/channels/${thread}/messages/${own}`, { content: 'noted!' });
  const history = await call<{ id: string; channel_id: string }[]>(discord, 'GET', `/channels/${thread}/messages`);
  expect(history.json.map((one) => [one.id, one.channel_id])).toEqual([
    [own, thread],
    [theirs, thread],
  ]);
  expect(discord.view('carol', thread)).toBe('bob: looking\n\npanelops: noted! (edited)');
  expect(discord.messages('carol', 'ops')).toHaveLength(1);
  discord.deleteMessage('bob', theirs);
  expect((await call(discord, 'GET', `/channels/${thread}`)).json).toMatchObject({
    message_count: 1,
    total_message_sent: 2,
    last_message_id: own,
  });
});

test('a command typed in a thread says where, and is answered there', async () => {
  await registerPing(discord);
  const thread = await incident();
  await discord.type('alice', 'disk full', '/ping');
  const { d } = await bot.event('INTERACTION_CREATE');
  expect(d).toMatchObject({
    channel_id: thread,
    channel: { id: thread, type: 11, parent_id: '1300000000000000001', thread_metadata: { archived: false } },
  });
  const { id, token } = await interaction(bot);
  await call(discord, 'POST', `/interactions/${id}/${token}/callback`, { type: 4, data: { content: 'pong' } });
  expect(discord.view('bob', thread)).toBe('alice used /ping\npanelops: pong');
});

test('a thread from a message has its id, and a message has only one', async () => {
  const message = await discord.type('bob', 'ops', 'web-1 is slow');
  const from = `${ops}/messages/${message}/threads`;
  expect(await start({ name: 'web-1' }, from)).toMatchObject({ status: 201, json: { id: message, type: 11 } });
  const update = await bot.event('MESSAGE_UPDATE');
  expect(update.d).toMatchObject({ id: message, flags: 32, thread: { id: message, name: 'web-1' } });
  expect(await start({ name: 'again' }, from)).toMatchObject({
    status: 400,
    json: { code: 160004, message: 'A thread has already been created for this message' },
  });
  expect(discord.view('bob', 'ops')).toBe('bob: web-1 is slow\n  ↳ thread #web-1');
  expect(await start({ name: 'x' }, `${ops}/messages/1/threads`)).toMatchObject({ json: { code: 10008 } });
});

test.each([
  [{ name: '', type: 11 }, 'name', 'BASE_TYPE_REQUIRED'],
  [{ name: 'x'.repeat(101), type: 11 }, 'name', 'BASE_TYPE_BAD_LENGTH'],
  [{ name: 'x', type: 13 }, 'type', 'BASE_TYPE_CHOICES'],
  [{ name: 'x', type: 11, auto_archive_duration: 30 }, 'auto_archive_duration', 'BASE_TYPE_CHOICES'],
])('a thread like %j is refused at %s', async (body, field, code) => {
  const { status, json } = await start(body);
  expect([status, json.code]).toEqual([400, 50035]);
  expect(json['errors']).toMatchObject({ [field]: { _errors: [{ code }] } });
});

test('a private thread needs a right that the bot does not have, and threads have no threads', async () => {
  expect((await start({ name: 'x' })).json).toEqual({ message: 'Missing Permissions', code: 50013 });
  expect((await start({ name: 'x', type: 12 })).json.code).toBe(50013);
  const thread = await incident();
  expect((await start({ name: 'x', type: 11 }, `/channels/${thread}/threads`)).json).toEqual({
    message: 'Cannot execute action on this channel type',
    code: 50024,
  });
  expect((await change(discord.channels.ops, { name: 'x' })).json.code).toBe(50013);
});

test('a thread is renamed and archived, and the bots hear of it', async () => {
  const thread = await incident();
  at += 60_000;
  expect((await change(thread, { name: 'disk full (over)', archived: true })).json).toMatchObject({
    name: 'disk full (over)',
    thread_metadata: { archived: true, locked: false, archive_timestamp: '2026-11-19T22:01:00.000Z' },
  });
  expect((await bot.event('THREAD_UPDATE')).d).toMatchObject({ id: thread, name: 'disk full (over)' });
  const renamed = await change(thread, { name: 'x' });
  expect([renamed.status, renamed.json]).toEqual([400, { message: 'Thread is archived', code: 50083 }]);
  expect((await change(thread, { archived: 'no' })).json.code).toBe(50035);
  expect((await change(thread, { archived: false })).status).toBe(200);
  await discord.type('bob', thread, 'still here');
});

test('an archived thread takes no edit and no pin, and a message opens it again', async () => {
  const thread = await incident();
  const { id } = (await post(thread, 'card')).json;
  const theirs = await discord.type('bob', thread, 'mine');
  await change(thread, { archived: true });
  const path = `/channels/${thread}/messages`;
  expect((await call(discord, 'PATCH', `${path}/${id}`, { content: 'x' })).json.code).toBe(50083);
  expect((await call(discord, 'PUT', `${path}/pins/${id}`)).json.code).toBe(50083);
  expect(() => discord.editMessage('bob', theirs, 'x')).toThrow('#disk full: this thread is archived.');
  expect(discord.threads()).toMatchObject([{ archived: true }]);
  await discord.type('bob', thread, 'one more thing');
  expect(discord.threads()).toMatchObject([{ archived: false }]);
  const opened = await bot.wait(
    ({ t, d }) => t === 'THREAD_UPDATE' && JSON.stringify(d['thread_metadata']).includes('"archived":false'),
  );
  expect(opened.d['id']).toBe(thread);
  expect((await call(discord, 'PATCH', `${path}/${id}`, { content: 'x' })).status).toBe(200);
});

test('a fresh connection gets the active threads, and they can be listed', async () => {
  const open = await incident();
  const closed = (await start({ name: 'old', type: 11 })).json.id;
  await change(closed, { archived: true });
  const { d } = await (await identified(discord)).event('GUILD_CREATE');
  expect(d['threads']).toMatchObject([{ id: open, type: 11, member: { user_id: '1000000000000000001' } }]);
  const listed = await call(discord, 'GET', `/guilds/${discord.guildId}/threads/active`);
  expect(listed.json).toMatchObject({ threads: [{ id: open }], members: [{ id: open }] });
});

test('a thread is closed and opened by a moderator, locked by nobody else, and takes nothing of a bot', async () => {
  const thread = await incident();
  expect(() => discord.closeThread('bob', thread)).toThrow('bob may not close, lock or open #disk full.');
  discord.closeThread('alice', thread, { lock: true });
  expect(discord.threads()).toMatchObject([{ archived: true, locked: true }]);
  await expect(discord.type('bob', thread, 'hello')).rejects.toThrow('#disk full: this thread is locked.');
  const refused = await call(discord, 'POST', `/channels/${thread}/messages`, { content: 'x' });
  expect([refused.status, refused.json]).toEqual([400, { message: 'Thread is locked', code: 160005 }]);
  expect((await change(thread, { archived: false, locked: false })).json.code).toBe(50013);
  discord.openThread('alice', thread);
  expect(discord.threads()).toMatchObject([{ archived: false, locked: false }]);
  expect((await call(discord, 'POST', `/channels/${thread}/messages`, { content: 'x' })).status).toBe(200);
});
