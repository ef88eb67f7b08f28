import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { type Connection, call, identified } from '../../helpers/sandbox/discord/raw.ts';

const GUILDS_AND_MESSAGES = 1 | (1 << 9);
let discord: SandboxDiscord;
let bot: Connection;
let at: number;
let messages: string;

beforeEach(async () => {
  at = Date.parse('2026-11-19T22:00:00Z');
  discord = await startDiscord({ now: () => at, limits: { posts: false, global: false } });
  bot = await identified(discord, GUILDS_AND_MESSAGES);
  messages = `/channels/${discord.channels.ops}/messages`;
});
afterEach(() => discord.close());

interface Pins {
  items: { pinned_at: string; message: { id: string; pinned: boolean } }[];
  has_more: boolean;
}

const post = async (content: string) => (await call(discord, 'POST', messages, { content })).json.id;
const pin = (id: string) => call(discord, 'PUT', `${messages}/pins/${id}`);
const pins = async (query = '') => (await call<Pins>(discord, 'GET', `${messages}/pins${query}`)).json;

test('a pin is shown, listed, reported and noted once', async () => {
  const id = await post('2 loose ends');
  expect((await pin(id)).status).toBe(204);
  expect((await pin(id)).status).toBe(204);
  expect((await bot.event('MESSAGE_UPDATE')).d).toMatchObject({ id, pinned: true, edited_timestamp: null });
  expect((await bot.event('CHANNEL_PINS_UPDATE')).d).toEqual({
    guild_id: '1100000000000000001',
    channel_id: '1300000000000000001',
    last_pin_timestamp: '2026-11-19T22:00:00.000Z',
  });
  const note = await bot.wait(({ t, d }) => t === 'MESSAGE_CREATE' && d['type'] === 6);
  expect(note.d).toMatchObject({
    content: '',
    author: { id: '1000000000000000001' },
    message_reference: { message_id: id },
  });
  expect(await pins()).toMatchObject({
    items: [{ pinned_at: '2026-11-19T22:00:00.000Z', message: { id, pinned: true } }],
    has_more: false,
  });
  expect(discord.pins('ops')).toEqual([id]);
  expect(discord.messages('bob', 'ops')).toMatchObject([
    { id, pinned: true },
    { system: 'pinned', pinned: false, replyTo: id },
  ]);
  expect(discord.view('bob', 'ops')).toBe(
    'panelops: 2 loose ends\n  📌 pinned\n\n→ panelops pinned a message to this channel.',
  );
});

test('a pin is taken away without a note, and the channel forgets when', async () => {
  const id = await post('x');
  await pin(id);
  expect((await call(discord, 'DELETE', `${messages}/pins/${id}`)).status).toBe(204);
  const update = await bot.wait(({ t, d }) => t === 'MESSAGE_UPDATE' && d['pinned'] === false);
  expect(update.d['id']).toBe(id);
  expect(discord.pins('ops')).toEqual([]);
  expect(discord.messages('bob', 'ops').map((one) => one.system)).toEqual([undefined, 'pinned']);
  expect((await call(discord, 'GET', `/channels/${discord.channels.ops}`)).json).toMatchObject({
    last_pin_timestamp: null,
  });
});

test('pins come newest first, in pages, also those of one moment', async () => {
  const ids = [await post('1'), await post('2'), await post('3')];
  for (const id of ids) await pin(id);
  const first = await pins('?limit=2');
  expect(first).toMatchObject({ items: [{ message: { id: ids[2] } }, { message: { id: ids[1] } }], has_more: true });
  const second = await pins(`?limit=2&before=${first.items[1]?.pinned_at}`);
  expect(second).toMatchObject({ items: [{ message: { id: ids[0] } }], has_more: false });
  expect((await call(discord, 'GET', `${messages}/pins?limit=51`)).json).toMatchObject({ code: 50035 });
  expect((await call(discord, 'GET', `${messages}/pins?before=soon`)).json).toMatchObject({ code: 50035 });
});

test('the older paths do the same', async () => {
  const id = await discord.type('bob', 'ops', 'read this first');
  const older = `/channels/${discord.channels.ops}/pins`;
  expect((await call(discord, 'PUT', `${older}/${id}`)).status).toBe(204);
  expect((await call(discord, 'GET', older)).json).toMatchObject([{ id, pinned: true }]);
  expect((await call(discord, 'DELETE', `${older}/${id}`)).status).toBe(204);
  expect(discord.pins('ops')).toEqual([]);
});

test('unknown messages and notes are not pinned', async () => {
  expect((await pin('1300000000000000009')).json.code).toBe(10008);
  await pin(await post('x'));
  const note = discord.messages('bob', 'ops').at(-1)?.id ?? '';
  const refused = await pin(note);
  expect([refused.status, refused.json]).toEqual([
    403,
    { message: 'Cannot execute action on a system message', code: 50021 },
  ]);
  expect((await call(discord, 'PATCH', `${messages}/${note}`, { content: 'x' })).json.code).toBe(50021);
  const reply = { content: 'x', message_reference: { message_id: note } };
  expect((await call(discord, 'POST', messages, reply)).json).toMatchObject({
    errors: { message_reference: { _errors: [{ code: 'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE' }] } },
  });
});

test('a channel has 250 pins at most', async () => {
  for (let count = 0; count < 250; count += 1) expect((await pin(await post('x'))).status).toBe(204);
  const refused = await pin(await post('one too many'));
  expect([refused.status, refused.json]).toEqual([
    400,
    { message: 'Maximum number of pins reached for the channel (250)', code: 30003 },
  ]);
});

test('without the right nothing is pinned', async () => {
  const id = await post('x');
  discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'pin' });
  const refused = await pin(id);
  expect([refused.status, refused.json]).toEqual([403, { message: 'Missing Permissions', code: 50013 }]);
  expect((await call(discord, 'POST', messages, { content: 'but this' })).status).toBe(200);
  discord.clear();
  expect((await pin(id)).status).toBe(204);
});

test('a deleted message is no longer pinned', async () => {
  const id = await post('x');
  await pin(id);
  discord.deleteMessage('alice', id);
  expect(await pins()).toEqual({ items: [], has_more: false });
});
