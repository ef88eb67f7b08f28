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

test('an answer after three seconds meets an unknown interaction', async () => {
  const { callback } = await asked();
  at += 3001;
  const reply = await answer(callback, 4, { content: 'late' });
  expect(reply.status).toBe(404);
  expect(reply.json).toEqual({ message: 'Unknown interaction', code: 10062 });
  expect(discord.messages('alice', 'ops')).toMatchObject([{ state: 'failed' }]);
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
