import { expect, test } from 'vitest';
import { startDiscord } from '../../../src/sandbox/discord/index.ts';
import {
  call,
  connect,
  discordForEach,
  identified,
  interaction,
  registerPing,
} from '../../helpers/sandbox/discord/raw.ts';

const GUILDS = 1;
const MEMBERS = 1 << 1;
const MESSAGES = 1 << 9;
const CONTENT = 1 << 15;

const discord = discordForEach();

const identify = (intents: number, token = discord.token) => ({ token, intents, properties: {} });

test('hello, identify, ready, the whole guild, and heartbeats', async () => {
  const bot = await connect(discord);
  expect((await bot.wait((packet) => packet.op === 10)).d).toMatchObject({ heartbeat_interval: 41_250 });
  bot.send(1, null);
  await bot.wait((packet) => packet.op === 11);
  bot.send(2, identify(GUILDS));
  const ready = await bot.event('READY');
  expect(ready.s).toBe(1);
  expect(ready.d).toMatchObject({
    v: 10,
    user: { id: '1000000000000000001', username: 'panelops', bot: true },
    guilds: [{ id: '1100000000000000001', unavailable: true }],
    application: { id: '1000000000000000001' },
    session_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    resume_gateway_url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/gateway$/),
  });
  const guild = await bot.event('GUILD_CREATE');
  expect(guild.s).toBe(2);
  expect(guild.d).toMatchObject({
    id: '1100000000000000001',
    roles: [{ name: '@everyone' }, { name: 'viewer' }, { name: 'on-call' }, { name: 'lead' }, { name: 'panelops' }],
    channels: [{ name: 'ops' }, { name: 'audit' }, { name: 'random' }],
    member_count: 5,
    // Without the presences intent, nobody but the bot itself and who is in a voice channel.
    members: [{ user: { id: '1000000000000000001' } }],
  });
});

test('during an outage of the guild only interactions arrive; the guild follows after it', async () => {
  await registerPing(discord);
  discord.order({ kind: 'guild-outage' });
  const late = await identified(discord);
  await discord.type('alice', 'ops', 'hello');
  await discord.type('alice', 'ops', '/ping');
  await late.event('INTERACTION_CREATE');
  expect(late.packets.map(({ t }) => t)).toEqual([undefined, 'READY', 'INTERACTION_CREATE']);
  discord.clear();
  expect((await late.event('GUILD_CREATE')).d).toMatchObject({ id: '1100000000000000001', unavailable: false });
  discord.order({ kind: 'guild-outage' });
  expect((await late.event('GUILD_DELETE')).d).toEqual({ id: '1100000000000000001', unavailable: true });
});

test.each([
  ['a wrong token', () => identify(GUILDS, 'wrong'), 4004],
  ['intents that do not exist', () => identify(1 << 30), 4013],
  ['a privileged intent that was not granted', () => identify(GUILDS | CONTENT), 4014],
  ['a shard beyond the count', () => ({ ...identify(GUILDS), shard: [1, 1] }), 4010],
  ['no intents at all', () => ({ token: discord.token }), 4002],
])('identify with %s closes the connection', async (_name, d, code) => {
  const bot = await connect(discord);
  bot.send(2, d());
  expect(await bot.closed).toBe(code);
});

test('an invalid packet, an unknown opcode, or one out of turn closes the connection', async () => {
  const [garbage, unknown, early, twice] = [
    await connect(discord),
    await connect(discord),
    await connect(discord),
    await identified(discord),
  ];
  garbage.ws.send('{');
  unknown.send(99, null);
  early.send(3, {});
  twice.send(2, identify(GUILDS));
  expect(await garbage.closed).toBe(4002);
  expect(await unknown.closed).toBe(4001);
  expect(await early.closed).toBe(4003);
  expect(await twice.closed).toBe(4005);
  const long = await connect(discord);
  long.send(2, { ...identify(GUILDS), properties: { os: 'x'.repeat(4096) } });
  expect(await long.closed).toBe(4002);
  const many = await connect(discord);
  for (let count = 0; count < 121; count += 1) many.send(1, null);
  expect(await many.closed).toBe(4008);
});

test('another version or encoding closes the connection', async () => {
  expect(await (await connect(discord, 'v=9&encoding=json')).closed).toBe(4012);
  expect(await (await connect(discord, 'v=10&encoding=etf')).closed).toBe(4002);
});

test('a connection without heartbeats is closed', async () => {
  const hasty = await startDiscord({ heartbeatMs: 500 });
  const bot = await identified(hasty);
  expect(await bot.closed).toBe(4009);
  await hasty.close();
});

test('a dropped connection resumes and receives what it missed', async () => {
  await registerPing(discord);
  const first = await identified(discord);
  const { s, d } = await first.event('READY');
  const { s: seq = s } = await first.event('GUILD_CREATE');
  discord.order({ kind: 'drop-gateway' });
  expect(await first.closed).toBe(4000);
  const id = await discord.type('alice', 'ops', '/ping');
  const second = await connect(discord);
  second.send(6, { token: discord.token, session_id: d['session_id'], seq });
  expect((await second.event('INTERACTION_CREATE')).d).toMatchObject({ id });
  await second.event('RESUMED');
  expect(second.packets.map((packet) => packet.t)).toEqual([undefined, 'INTERACTION_CREATE', 'RESUMED']);
  const { token } = await interaction(second);
  const answer = { type: 4, data: { content: 'still in time' } };
  expect((await call(discord, 'POST', `/interactions/${id}/${token}/callback`, answer)).status).toBe(204);
});

test('a session that is unknown, forgotten or over cannot be resumed', async () => {
  const first = await identified(discord);
  const { session_id } = (await first.event('READY')).d;
  const resume = async (d: object) => {
    const bot = await connect(discord);
    bot.send(6, { token: discord.token, session_id, seq: 2, ...d });
    return bot;
  };
  const invalid = (packet: { op: number }) => packet.op === 9;
  expect((await (await resume({ session_id: 'other' })).wait(invalid)).d).toBe(false);
  expect(await (await resume({ token: 'wrong' })).closed).toBe(4004);
  expect(await (await resume({ seq: 99 })).closed).toBe(4007);
  discord.order({ kind: 'forget-sessions' });
  expect((await (await resume({})).wait(invalid)).d).toBe(false);
});

test('the server asks for a reconnect with op 7', async () => {
  const bot = await identified(discord);
  discord.order({ kind: 'reconnect' });
  await bot.wait((packet) => packet.op === 7);
});

test('two connections with one token both receive an interaction', async () => {
  await registerPing(discord);
  const [one, two] = [await identified(discord), await identified(discord)];
  await discord.type('alice', 'ops', '/ping');
  expect(await interaction(one)).toEqual(await interaction(two));
});

test('messages reach those with the intent, without the content of others', async () => {
  const [deaf, listening] = [await identified(discord, GUILDS), await identified(discord, GUILDS | MESSAGES)];
  const id = await discord.type('bob', 'ops', 'hello');
  const created = await listening.event('MESSAGE_CREATE');
  expect(created.d).toMatchObject({ id, content: '', guild_id: '1100000000000000001', author: { username: 'bob' } });
  await discord.type('bob', 'ops', `<@${discord.botUserId}> hello`);
  await listening.wait((packet) => packet.d?.['content'] === '<@1000000000000000001> hello');
  discord.editMessage('bob', id, 'hello again');
  expect((await listening.event('MESSAGE_UPDATE')).d).toMatchObject({ id, content: '' });
  discord.deleteMessage('alice', id);
  expect((await listening.event('MESSAGE_DELETE')).d).toEqual({
    id,
    channel_id: '1300000000000000001',
    guild_id: '1100000000000000001',
  });
  const read = await call(discord, 'GET', `/channels/${discord.channels.ops}/messages`);
  expect(read.json).toMatchObject([{ content: '<@1000000000000000001> hello' }]);
  expect(deaf.packets.map((packet) => packet.t)).toEqual([undefined, 'READY', 'GUILD_CREATE']);
});

test('with the privileged intents, content and members arrive', async () => {
  const generous = await startDiscord({ privileged: ['content', 'members'] });
  const bot = await identified(generous, GUILDS | MEMBERS | MESSAGES | CONTENT);
  await generous.type('bob', 'ops', 'hello');
  expect((await bot.event('MESSAGE_CREATE')).d['content']).toBe('hello');
  generous.setRoles('bob', ['lead', '1200000000000000001']);
  expect((await bot.event('GUILD_MEMBER_UPDATE')).d).toMatchObject({
    user: { username: 'bob' },
    roles: ['1200000000000000003', '1200000000000000001'],
  });
  expect(generous.people.bob.roles).toEqual(['1200000000000000003', '1200000000000000001']);
  await generous.close();
});
