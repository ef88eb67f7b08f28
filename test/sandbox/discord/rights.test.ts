import { expect, test } from 'vitest';
import { forEach } from '../../helpers/lives.ts';
import { call, discordForEach, identified, interaction, registerPing } from '../../helpers/sandbox/discord/raw.ts';

const GUILDS_AND_MESSAGES = 1 | (1 << 9);
const BOT = '1000000000000000001';
const discord = discordForEach({ limits: { posts: false } });
const bot = forEach(() => identified(discord, GUILDS_AND_MESSAGES));

const channel = (id: string, rest = '') => `/channels/${id}${rest}`;
const post = (id: string, content = 'x') => call(discord, 'POST', channel(id, '/messages'), { content });
const overwrites = async (id: string) => (await call(discord, 'GET', channel(id))).json['permission_overwrites'];
const startThread = (name: string) =>
  call(discord, 'POST', channel(discord.channels.ops, '/threads'), { name, type: 11 });

test('a channel closed for writing shows an overwrite, and without it again when cleared', async () => {
  discord.order({ kind: 'forbid-channel', channel: '#audit' });
  const denied = [{ id: BOT, type: 1, allow: '0', deny: '2048' }];
  expect((await bot.event('CHANNEL_UPDATE')).d).toMatchObject({
    id: '1300000000000000002',
    permission_overwrites: denied,
  });
  expect(await overwrites(discord.channels.audit)).toEqual(denied);
  expect(await overwrites(discord.channels.ops)).toEqual([]);
  discord.clear();
  const update = await bot.wait(
    ({ t, d }) => t === 'CHANNEL_UPDATE' && JSON.stringify(d['permission_overwrites']) === '[]',
  );
  expect(update.d['id']).toBe('1300000000000000002');
  expect((await post(discord.channels.audit)).status).toBe(200);
});

test('a channel closed altogether sends no events, and neither do its threads', async () => {
  const thread = (await startThread('disk full')).json.id;
  discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'view' });
  expect((await bot.event('CHANNEL_UPDATE')).d).toMatchObject({ permission_overwrites: [{ deny: '3072' }] });
  for (const id of [discord.channels.ops, thread]) {
    expect((await post(id)).json).toEqual({ message: 'Missing Access', code: 50001 });
    expect((await call(discord, 'GET', channel(id))).json.code).toBe(50001);
  }
  const unheard = [await discord.type('bob', 'ops', 'psst'), await discord.type('bob', 'disk full', 'psst')];
  const heard = await discord.type('bob', 'random', 'hello');
  await bot.wait(({ t, d }) => t === 'MESSAGE_CREATE' && d['id'] === heard);
  expect(bot.packets.filter(({ d }) => unheard.includes(String(d?.['id'])))).toEqual([]);
});

test('the right to write in a channel is not the one to write in its threads', async () => {
  const thread = (await startThread('disk full')).json.id;
  discord.order({ kind: 'forbid-channel', channel: 'ops' });
  expect((await post(thread)).status).toBe(200);
  discord.clear();
  discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'threads' });
  expect((await post(thread)).json.code).toBe(50013);
  expect((await startThread('another')).json.code).toBe(50013);
  expect((await post(discord.channels.ops)).status).toBe(200);
});

test('an interaction says what the bot may do in its channel', async () => {
  await registerPing(discord);
  discord.order({ kind: 'forbid-channel', channel: 'ops' });
  await discord.type('alice', 'ops', '/ping');
  const { d } = await bot.event('INTERACTION_CREATE');
  expect(BigInt(String(d['app_permissions'])) & (2n ** 11n + 2n ** 51n)).toBe(2n ** 51n);
});

test('a deleted channel is unknown, and everything in it with it', async () => {
  const { id } = (await post(discord.channels.audit)).json;
  discord.deleteChannel('#audit');
  expect((await bot.event('CHANNEL_DELETE')).d).toMatchObject({ id: '1300000000000000002', type: 0, name: 'audit' });
  const paths = ['', '/messages', `/messages/${id}`, '/messages/pins'];
  for (const path of paths) {
    const reply = await call(discord, 'GET', channel(discord.channels.audit, path));
    expect([reply.status, reply.json]).toEqual([404, { message: 'Unknown Channel', code: 10003 }]);
  }
  expect((await post(discord.channels.audit)).json.code).toBe(10003);
  expect(discord.messages('alice', 'audit')).toEqual([]);
  expect(discord.view('alice', discord.channels.audit)).toBe('');
  await expect(discord.type('alice', 'audit', 'x')).rejects.toThrow(
    'audit: there is no such channel. There are: #ops, #random.',
  );
  const listed = await call(discord, 'GET', `/guilds/${discord.guildId}/channels`);
  expect(listed.json).toMatchObject([{ name: 'ops' }, { name: 'random' }]);
});

test('deleting a channel deletes its threads, closes its forms, and rejects answers to its commands', async () => {
  await registerPing(discord);
  const thread = (await startThread('disk full')).json.id;
  await discord.type('alice', 'ops', '/ping');
  const { id, token } = await interaction(bot);
  discord.deleteChannel('ops');
  expect(discord.threads()).toEqual([]);
  expect((await call(discord, 'GET', channel(thread))).json.code).toBe(10003);
  const late = await call(discord, 'POST', `/interactions/${id}/${token}/callback`, {
    type: 4,
    data: { content: 'x' },
  });
  expect([late.status, late.json.code]).toEqual([404, 10003]);
});

test('a thread can be deleted by itself', async () => {
  const thread = (await startThread('disk full')).json.id;
  discord.deleteChannel('disk full');
  expect((await bot.event('THREAD_DELETE')).d).toEqual({
    id: thread,
    guild_id: '1100000000000000001',
    parent_id: '1300000000000000001',
    type: 11,
  });
  expect((await call(discord, 'GET', channel(thread))).json.code).toBe(10003);
  expect((await post(discord.channels.ops)).status).toBe(200);
});

test('nobody is given the bot’s own role', () => {
  expect(() => discord.setRoles('alice', ['panelops'])).toThrow('panelops: there is no such role.');
});

test('without Read Message History no messages are listed, and replies are refused', async () => {
  const { json } = await call(discord, 'POST', `/channels/${discord.channels.ops}/messages`, { content: 'one' });
  discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'history' });
  expect((await call(discord, 'GET', `/channels/${discord.channels.ops}/messages`)).json).toEqual([]);
  const body = { content: 'two', message_reference: { message_id: json.id } };
  const reply = await call(discord, 'POST', `/channels/${discord.channels.ops}/messages`, body);
  expect([reply.status, reply.json.code]).toEqual([403, 160002]);
  expect((await call(discord, 'POST', `/channels/${discord.channels.ops}/messages`, { content: 'two' })).status).toBe(
    200,
  );
});
