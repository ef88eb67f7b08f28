import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { call } from '../../helpers/sandbox/discord/raw.ts';

let discord: SandboxDiscord;
let messages: string;
let at: number;

beforeEach(async () => {
  at = Date.parse('2026-11-19T22:00:00Z');
  discord = await startDiscord({ now: () => at, limits: { posts: false } });
  messages = `/channels/${discord.channels.ops}/messages`;
});
afterEach(() => discord.close());

interface Registered {
  id: string;
  version: string;
}

const post = async (content: string) => (await call(discord, 'POST', messages, { content })).json.id;

test('a wrong token is unauthorized, and the request is recorded', async () => {
  const reply = await call(discord, 'GET', '/users/@me', undefined, { authorization: 'Bot other' });
  expect(reply.status).toBe(401);
  expect(reply.json).toEqual({ message: '401: Unauthorized', code: 0 });
  expect(discord.requests).toEqual([{ at, method: 'GET', path: '/users/@me', body: undefined, status: 401 }]);
});

test('unknown routes, channels, messages and members are told apart', async () => {
  expect((await call(discord, 'GET', '/nothing')).json).toEqual({ message: '404: Not Found', code: 0 });
  const wrong = await call(discord, 'PUT', messages, {});
  expect([wrong.status, wrong.json]).toEqual([405, { message: '405: Method Not Allowed', code: 0 }]);
  const channel = await call(discord, 'GET', '/channels/1300000000000000009');
  expect([channel.status, channel.json]).toEqual([404, { message: 'Unknown Channel', code: 10003 }]);
  const message = await call(discord, 'GET', `${messages}/1300000000000000009`);
  expect([message.status, message.json]).toEqual([404, { message: 'Unknown Message', code: 10008 }]);
  const guild = `/guilds/${discord.guildId}`;
  expect((await call(discord, 'GET', `${guild}/members/1400000000000000099`)).json.code).toBe(10007);
  expect((await call(discord, 'GET', '/guilds/1100000000000000009')).json.code).toBe(10004);
});

test('the guild, its roles, channels and members can be read', async () => {
  const guild = `/guilds/${discord.guildId}`;
  expect((await call(discord, 'GET', guild)).json).toMatchObject({ id: '1100000000000000001' });
  expect((await call(discord, 'GET', `${guild}/roles`)).json).toMatchObject([
    { id: '1100000000000000001', name: '@everyone' },
    { id: '1200000000000000001', name: 'viewer' },
    { id: '1200000000000000002', name: 'on-call' },
    { id: '1200000000000000003', name: 'lead' },
    { id: '1200000000000000004', name: 'panelops', managed: true, tags: { bot_id: '1000000000000000001' } },
  ]);
  expect((await call(discord, 'GET', `${guild}/channels`)).json).toMatchObject([
    { id: '1300000000000000001', name: 'ops', type: 0 },
    { id: '1300000000000000002', name: 'audit', type: 0 },
    { id: '1300000000000000003', name: 'random', type: 0 },
  ]);
  expect((await call(discord, 'GET', `${guild}/members/${discord.people.bob.id}`)).json).toMatchObject({
    user: { id: '1400000000000000002', username: 'bob' },
    roles: ['1200000000000000002'],
  });
  expect((await call(discord, 'GET', '/gateway/bot')).json).toMatchObject({
    url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/gateway$/),
    shards: 1,
    session_start_limit: { max_concurrency: 1 },
  });
  expect((await call(discord, 'GET', '/applications/@me')).json).toMatchObject({ id: '1000000000000000001' });
});

test('a registration replaces the commands, and a name keeps its id', async () => {
  const path = `/applications/${discord.applicationId}/guilds/${discord.guildId}/commands`;
  const put = async (body: unknown) => (await call<Registered[]>(discord, 'PUT', path, body)).json;
  const [ping, pong] = await put([
    { name: 'ping', description: 'One' },
    { name: 'pong', description: 'Two' },
  ]);
  const [again] = await put([{ name: 'ping', description: 'One' }]);
  expect(again).toEqual(ping);
  const [changed] = await put([{ name: 'ping', description: 'Other' }]);
  expect(changed).toMatchObject({ id: ping?.id, description: 'Other', guild_id: '1100000000000000001' });
  expect(changed).not.toMatchObject({ version: ping?.version });
  expect((await call(discord, 'GET', path)).json).toEqual([changed]);
  expect(pong?.id).not.toBe(ping?.id);
  const refused = await call(discord, 'PUT', path, [{ name: 'Ping', description: 'x' }]);
  expect(refused.status).toBe(400);
  expect(refused.json).toMatchObject({
    code: 50035,
    errors: { 0: { name: { _errors: [{ code: 'APPLICATION_COMMAND_INVALID_NAME' }] } } },
  });
});

test('a message without anything in it, or with too much, is refused', async () => {
  const empty = await call(discord, 'POST', messages, { content: '  ' });
  expect([empty.status, empty.json]).toEqual([400, { message: 'Cannot send an empty message', code: 50006 }]);
  expect((await call(discord, 'POST', messages, { content: 'x'.repeat(2001) })).json).toMatchObject({
    code: 50035,
    errors: { content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH' }] } },
  });
  const broken = await fetch(`${discord.apiUrl}/v10${messages}`, {
    method: 'POST',
    headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
    body: '{',
  });
  expect([broken.status, await broken.json()]).toMatchObject([400, { code: 50109 }]);
  expect(discord.messages('bob', 'ops')).toEqual([]);
});

test('the bot edits and deletes its own messages only', async () => {
  const theirs = await discord.type('bob', 'ops', 'hello');
  const edit = await call(discord, 'PATCH', `${messages}/${theirs}`, { content: 'x' });
  expect(edit.status).toBe(403);
  expect(edit.json).toEqual({ message: 'Cannot edit a message authored by another user', code: 50005 });
  expect((await call(discord, 'DELETE', `${messages}/${theirs}`)).json.code).toBe(50013);
  const own = await post('mine');
  expect((await call(discord, 'PATCH', `${messages}/${own}`, { content: 'mine!' })).json).toMatchObject({
    content: 'mine!',
    edited_timestamp: '2026-11-19T22:00:00.000Z',
  });
  expect((await call(discord, 'DELETE', `${messages}/${own}`)).status).toBe(204);
  expect((await call(discord, 'GET', `${messages}/${own}`)).json.code).toBe(10008);
});

test('the history is read newest first, by limit, before, after and around', async () => {
  const ids = [await post('1'), await post('2'), await post('3'), await post('4'), await post('5')];
  const texts = async (query: string) => {
    const { json } = await call<{ content: string }[]>(discord, 'GET', `${messages}?${query}`);
    return json.map((one) => one.content);
  };
  expect(await texts('limit=2')).toEqual(['5', '4']);
  expect(await texts(`before=${ids[2]}`)).toEqual(['2', '1']);
  expect(await texts(`limit=2&after=${ids[1]}`)).toEqual(['4', '3']);
  expect(await texts(`limit=3&around=${ids[2]}`)).toEqual(['4', '3', '2']);
  expect((await call(discord, 'GET', `${messages}?limit=101`)).json).toMatchObject({
    code: 50035,
    errors: { limit: { _errors: [{ code: 'NUMBER_TYPE_MAX' }] } },
  });
});

test('the same nonce within minutes gives the stored message, and later a new one', async () => {
  const body = { content: 'once', nonce: 'n1', enforce_nonce: true };
  const first = await call(discord, 'POST', messages, body);
  const second = await call(discord, 'POST', messages, { ...body, content: 'twice' });
  expect(second.json).toMatchObject({ id: first.json.id, content: 'once', nonce: 'n1' });
  expect((await call(discord, 'POST', messages, { content: 'not enforced', nonce: 'n1' })).json.id).not.toBe(
    first.json.id,
  );
  at += 5 * 60_000;
  expect((await call(discord, 'POST', messages, body)).json.id).not.toBe(first.json.id);
});

test('a message older than an hour takes three edits an hour', async () => {
  const path = `${messages}/${await post('old')}`;
  at += 3_600_001;
  for (const content of ['1', '2', '3']) {
    expect((await call(discord, 'PATCH', path, { content })).status).toBe(200);
  }
  const fourth = await call(discord, 'PATCH', path, { content: '4' });
  expect(fourth.status).toBe(429);
  expect(fourth.json).toMatchObject({
    code: 30046,
    message: 'Maximum number of edits to messages older than 1 hour reached. Try again later.',
  });
  at += 3_600_000;
  expect((await call(discord, 'PATCH', path, { content: '4' })).status).toBe(200);
});

test('files arrive as multipart, are kept, and can be fetched where the message says', async () => {
  const form = new FormData();
  const described = { id: '0', filename: 'log.txt', description: 'what it said' };
  form.set('payload_json', JSON.stringify({ content: 'see', attachments: [described] }));
  form.set('files[0]', new Blob(['line one'], { type: 'text/plain' }), 'x.txt');
  const { json } = await call<{ id: string; attachments: { url: string }[] }>(discord, 'POST', messages, form);
  expect(json.attachments).toMatchObject([{ filename: 'log.txt', description: 'what it said', size: 8 }]);
  const [file] = json.attachments;
  const fetched = await fetch(file?.url ?? '');
  expect(await fetched.text()).toBe('line one');
  expect(discord.messages('bob', 'ops')[0]?.files[0]?.bytes).toEqual(new TextEncoder().encode('line one'));
  expect(discord.view('bob', 'ops')).toBe('panelops: see\n  📎 log.txt (8 bytes)');
  await call(discord, 'PATCH', `${messages}/${json.id}`, { attachments: [] });
  expect(discord.messages('bob', 'ops')[0]?.files).toEqual([]);
});

test('a reply needs its message, unless told not to fail', async () => {
  const reference = { message_id: '1300000000000000009' };
  expect((await call(discord, 'POST', messages, { content: 'x', message_reference: reference })).json).toMatchObject({
    code: 50035,
    errors: { message_reference: { _errors: [{ code: 'REPLIES_UNKNOWN_MESSAGE' }] } },
  });
  const lenient = { content: 'x', message_reference: { ...reference, fail_if_not_exists: false } };
  expect((await call(discord, 'POST', messages, lenient)).status).toBe(200);
});
