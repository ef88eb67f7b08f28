import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { type Connection, call, identified, interaction, registerPing } from '../../helpers/sandbox/discord/raw.ts';

let discord: SandboxDiscord;
let bot: Connection;
let at: number;

beforeEach(async () => {
  at = Date.parse('2026-11-19T22:00:00Z');
  discord = await startDiscord({ now: () => at });
  await registerPing(discord);
  bot = await identified(discord);
});
afterEach(() => discord.close());

/** alice types /ping; the paths of its answer. */
async function asked(index = 0) {
  await discord.type('alice', 'ops', '/ping');
  const { id, token } = await interaction(bot, index);
  const hook = `/webhooks/${discord.applicationId}/${token}`;
  return { id, callback: `/interactions/${id}/${token}/callback`, hook, original: `${hook}/messages/@original` };
}

const answer = (path: string, type: number, data?: unknown) => call(discord, 'POST', path, { type, data });

test('an interaction carries everything that discord.js insists on', async () => {
  await discord.type('alice', 'ops', '/ping');
  const { d } = await bot.event('INTERACTION_CREATE');
  expect(d).toMatchObject({
    application_id: '1000000000000000001',
    type: 2,
    version: 1,
    data: { name: 'ping', type: 1, guild_id: '1100000000000000001' },
    guild_id: '1100000000000000001',
    channel_id: '1300000000000000001',
    channel: { id: '1300000000000000001', type: 0, name: 'ops' },
    member: { user: { id: '1400000000000000001', username: 'alice' }, roles: ['1200000000000000003'] },
    entitlements: [],
    authorizing_integration_owners: { 0: '1100000000000000001' },
    context: 0,
    locale: 'en-US',
    guild_locale: 'en-US',
  });
  expect(d['id']).toMatch(/^\d{17,19}$/);
  expect(Object.keys(d)).toEqual(expect.arrayContaining(['token', 'app_permissions', 'guild']));
  expect(d['member']).toMatchObject({ permissions: expect.stringMatching(/^\d+$/), joined_at: expect.any(String) });
});

test('an answer after three seconds meets an unknown interaction', async () => {
  const { callback } = await asked();
  at += 3001;
  const reply = await answer(callback, 4, { content: 'late' });
  expect(reply.status).toBe(404);
  expect(reply.json).toEqual({ message: 'Unknown interaction', code: 10062 });
  expect(discord.messages('alice', 'ops')).toMatchObject([{ state: 'failed' }]);
});

test('an answer at three seconds is in time', async () => {
  const { callback } = await asked();
  at += 3000;
  expect((await answer(callback, 4, { content: 'just so' })).status).toBe(204);
});

test('an answer with a wrong token or id meets an unknown interaction', async () => {
  const { callback, id } = await asked();
  expect((await answer(callback.replace(/.{3}\/callback$/, 'zzz/callback'), 5)).json.code).toBe(10062);
  expect((await answer(callback.replace(id, '1500000000000000000'), 5)).json.code).toBe(10062);
});

test('a second answer is refused, and the first stays', async () => {
  const { callback } = await asked();
  expect((await answer(callback, 4, { content: 'first' })).status).toBe(204);
  const second = await answer(callback, 4, { content: 'second' });
  expect(second.status).toBe(400);
  expect(second.json).toEqual({ message: 'Interaction has already been acknowledged.', code: 40060 });
  expect(discord.messages('bob', 'ops').map((one) => one.content)).toEqual(['first']);
});

test('an invalid answer names the field and does not count as the answer', async () => {
  const { callback } = await asked();
  const long = await answer(callback, 4, { content: 'x'.repeat(2001) });
  expect(long.status).toBe(400);
  expect(long.json).toMatchObject({
    code: 50035,
    message: 'Invalid Form Body',
    errors: { data: { content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH' }] } } },
  });
  const update = await answer(callback, 7, { content: 'x' });
  expect(update.json).toMatchObject({ code: 50035, errors: { type: { _errors: [{ code: 'BASE_TYPE_CHOICES' }] } } });
  const empty = await answer(callback, 4, {});
  expect(empty.json).toEqual({ message: 'Cannot send an empty message', code: 50006 });
  expect((await answer(callback, 4, { content: 'at last' })).status).toBe(204);
});

test('with_response gives the interaction and its message', async () => {
  const { callback, id } = await asked();
  const { status, json } = await answer(`${callback}?with_response=true`, 5, { flags: 64 });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    interaction: { id, type: 2, response_message_loading: true, response_message_ephemeral: true },
    resource: { type: 5, message: { flags: 192, type: 20 } },
  });
});

test('an interaction has no webhook before its answer, and loses it after fifteen minutes', async () => {
  const { callback, hook, original } = await asked();
  expect((await call(discord, 'GET', original)).json).toEqual({ message: 'Unknown Webhook', code: 10015 });
  await answer(callback, 5);
  at += 900_000;
  expect((await call(discord, 'PATCH', original, { content: 'in time' })).status).toBe(200);
  at += 1;
  for (const reply of [
    await call(discord, 'PATCH', original, { content: 'late' }),
    await call(discord, 'POST', hook, { content: 'late' }),
  ]) {
    expect(reply.status).toBe(401);
    expect(reply.json).toEqual({ message: 'Invalid Webhook Token', code: 50027 });
  }
  const unknown = await call(discord, 'POST', `/webhooks/${discord.applicationId}/nonsense`, { content: 'x' });
  expect(unknown.status).toBe(404);
  expect(unknown.json.code).toBe(10015);
});

test('an acknowledgement that gets no answer turns into a failure after fifteen minutes', async () => {
  const { callback } = await asked();
  await answer(callback, 5);
  expect(discord.view('bob', 'ops')).toBe('alice used /ping\npanelops is thinking…');
  at += 900_001;
  expect(discord.view('bob', 'ops')).toBe('alice used /ping\npanelops: The application did not respond');
});

test('@original can be read, edited and deleted, also when its @ arrives encoded', async () => {
  const { callback, original } = await asked();
  await answer(callback, 5);
  const edited = await call(discord, 'PATCH', original.replace('@', '%40'), { content: 'done' });
  expect(edited.json).toMatchObject({ content: 'done', edited_timestamp: null, flags: 0 });
  expect((await call(discord, 'GET', original)).json.id).toBe(edited.json.id);
  expect((await call(discord, 'PATCH', original, { content: '', embeds: [] })).json.code).toBe(50006);
  expect((await call(discord, 'DELETE', original)).status).toBe(204);
  expect((await call(discord, 'GET', original)).json).toEqual({ message: 'Unknown Message', code: 10008 });
});

test('the first follow-up of a private acknowledgement is its answer, and stays private', async () => {
  const { callback, hook, original } = await asked();
  await answer(callback, 5, { flags: 64 });
  const first = await call(discord, 'POST', hook, { content: 'public, says the bot' });
  expect((await call(discord, 'GET', original)).json.id).toBe(first.json.id);
  expect(discord.messages('bob', 'ops')).toEqual([]);
  await call(discord, 'POST', hook, { content: 'now public' });
  expect(discord.messages('bob', 'ops').map((one) => one.content)).toEqual(['now public']);
});

test('a private message is in no history, cannot be fetched, and is announced to nobody', async () => {
  const { callback, original } = await asked();
  const listener = await identified(discord, 1 | (1 << 9));
  await answer(callback, 4, { content: 'secret', flags: 64 });
  const { id } = (await call(discord, 'GET', original)).json;
  const messages = `/channels/${discord.channels.ops}/messages`;
  expect((await call(discord, 'GET', messages)).json).toEqual([]);
  expect((await call(discord, 'GET', `${messages}/${id}`)).json.code).toBe(10008);
  expect((await call(discord, 'PATCH', `${messages}/${id}`, { content: 'x' })).json.code).toBe(10008);
  await call(discord, 'POST', messages, { content: 'public' });
  await listener.event('MESSAGE_CREATE');
  expect(listener.packets.filter((one) => one.t === 'MESSAGE_CREATE')).toMatchObject([{ d: { content: 'public' } }]);
});

test('a modal answers a command but not a modal, and autocomplete takes choices only', async () => {
  const { callback } = await asked();
  expect((await answer(callback, 8, { choices: [] })).json.code).toBe(50035);
  const modal = {
    custom_id: 'm',
    title: 'Sure?',
    components: [{ type: 1, components: [{ type: 4, custom_id: 'name', label: 'Name', style: 1 }] }],
  };
  expect((await answer(callback, 9, { ...modal, title: 'x'.repeat(46) })).json).toMatchObject({
    errors: { data: { title: { _errors: [{ code: 'BASE_TYPE_BAD_LENGTH' }] } } },
  });
  expect((await answer(callback, 9, modal)).status).toBe(204);
  await expect(discord.submit('alice', '')).rejects.toThrow('Name: This field is required.');
  await discord.submit('alice', 'web-1');
  const second = await interaction(bot, 1);
  const onSubmit = `/interactions/${second.id}/${second.token}/callback`;
  expect((await answer(onSubmit, 9, modal)).json.code).toBe(50035);
  expect((await answer(onSubmit, 6)).json.code).toBe(50035);
  expect((await answer(onSubmit, 4, { content: 'ok' })).status).toBe(204);
});

test('without a connected bot, the person sees the failure at once', async () => {
  const deserted = await startDiscord();
  await registerPing(deserted);
  await deserted.type('alice', 'ops', '/ping');
  expect(deserted.messages('alice', 'ops')).toMatchObject([{ state: 'failed', command: '/ping', usedBy: 'alice' }]);
  expect(deserted.messages('bob', 'ops')).toEqual([]);
  await deserted.close();
});
