import { beforeEach, expect, test } from 'vitest';
import {
  type Connection,
  call,
  discordForEach,
  identified,
  interaction,
  registerPing,
} from '../../helpers/sandbox/discord/raw.ts';

const GUILDS_AND_MESSAGES = 1 | (1 << 9);
const discord = discordForEach({ limits: { posts: false } });
let bot: Connection;
let thread: string;

beforeEach(async () => {
  await registerPing(discord);
  bot = await identified(discord, GUILDS_AND_MESSAGES);
  thread = discord.startThread('bob', 'ops', 'quiet', { private: true });
});

const get = () => call(discord, 'GET', `/channels/${thread}`);
const post = () => call(discord, 'POST', `/channels/${thread}/messages`, { content: 'x' });

/** What the bot was told of the thread until now: it has heard of everything that is before a message in #ops. */
async function heard(): Promise<string[]> {
  const marker = await discord.type('bob', 'ops', 'marker');
  await bot.wait(({ t, d }) => t === 'MESSAGE_CREATE' && d['id'] === marker);
  return bot.packets.flatMap(({ t, d }) => (t !== undefined && [d['id'], d['channel_id']].includes(thread) ? [t] : []));
}

test('a private thread is seen by who is in it and by moderators, and by nobody else', async () => {
  await discord.type('bob', thread, 'hello');
  expect(discord.view('bob', thread)).toBe('bob: hello');
  expect(discord.view('alice', thread)).toBe('bob: hello');
  expect(discord.view('carol', thread)).toBe('');
  expect(discord.screen('carol').channels.map(({ name }) => name)).toEqual(['ops', 'audit', 'random']);
  expect(discord.screen('bob').channels.at(-1)).toMatchObject({
    id: thread,
    name: 'quiet',
    parent: discord.channels.ops,
  });
  await expect(discord.type('carol', thread, 'me too')).rejects.toThrow('carol does not see #quiet.');
  await discord.type('bob', thread, `<@${discord.people.carol.id}>`);
  await discord.type('carol', thread, 'now');
  expect(discord.view('carol', thread)).toContain('carol: now');
  discord.removeFromThread('bob', thread, 'carol');
  expect(discord.view('carol', thread)).toBe('');
});

test('the bot gets no events of one that it is not in, and REST refuses it', async () => {
  await discord.type('bob', thread, 'hello');
  expect(await heard()).toEqual([]);
  for (const answer of [await get(), await post()]) {
    expect([answer.status, answer.json]).toEqual([403, { message: 'Missing Access', code: 50001 }]);
  }
  const { d } = await (await identified(discord)).event('GUILD_CREATE');
  expect(d['threads']).toEqual([]);
  const listed = await call(discord, 'GET', `/guilds/${discord.guildId}/threads/active`);
  expect(listed.json).toMatchObject({ threads: [] });
});

test('a command typed there reaches the bot all the same, and its token answers it', async () => {
  await discord.type('bob', thread, '/ping');
  const { d } = await bot.event('INTERACTION_CREATE');
  expect(d).toMatchObject({
    channel_id: thread,
    channel: {
      id: thread,
      type: 12,
      parent_id: '1300000000000000001',
      thread_metadata: { archived: false, locked: false, invitable: true },
    },
  });
  expect(d['channel']).not.toHaveProperty('member');
  // It looks as if all was well: of who is in the thread, the bot's permissions say nothing.
  expect(BigInt(String(d['app_permissions'])) & (1n << 10n)).toBe(1n << 10n);
  const { id, token } = await interaction(bot);
  await call(discord, 'POST', `/interactions/${id}/${token}/callback`, { type: 4, data: { content: 'pong' } });
  const edited = await call(discord, 'PATCH', `/webhooks/${discord.applicationId}/${token}/messages/@original`, {
    content: 'pong!',
  });
  expect(edited.status).toBe(200);
  expect(discord.view('bob', thread)).toBe('bob used /ping\npanelops: pong! (edited)');
  const path = `/channels/${thread}/messages/${edited.json.id}`;
  expect((await call(discord, 'PATCH', path, { content: 'x' })).json.code).toBe(50001);
});

test.each([
  ['a mention', () => discord.type('bob', thread, `<@${discord.botUserId}> come in`)],
  ['its members', () => discord.addToThread('bob', thread, 'panelops')],
])('%s lets the bot in, and it is told of the whole thread; taken out, it is out', async (_how, add) => {
  await add();
  expect((await bot.event('THREAD_CREATE')).d).toMatchObject({
    id: thread,
    type: 12,
    member: { user_id: discord.botUserId },
  });
  expect((await bot.event('THREAD_MEMBERS_UPDATE')).d).toMatchObject({
    id: thread,
    guild_id: discord.guildId,
    member_count: 2,
    added_members: [{ user_id: discord.botUserId }],
  });
  expect((await get()).json).toMatchObject({ id: thread, member: { id: thread } });
  expect((await post()).status).toBe(200);
  discord.removeFromThread('alice', thread, 'panelops');
  const left = await bot.wait(({ t, d }) => t === 'THREAD_MEMBERS_UPDATE' && d['removed_member_ids'] !== undefined);
  expect(left.d).toMatchObject({ id: thread, removed_member_ids: [discord.botUserId] });
  expect((await post()).json.code).toBe(50001);
});

test('a thread that is opened again is announced with the bot as its member, if it is one', async () => {
  discord.addToThread('bob', thread, 'panelops');
  discord.closeThread('bob', thread);
  discord.openThread('bob', thread);
  expect((await bot.event('THREAD_MEMBER_UPDATE')).d).toMatchObject({ id: thread, user_id: discord.botUserId });
});
