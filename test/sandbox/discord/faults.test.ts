import { beforeEach, expect, test } from 'vitest';
import {
  type Connection,
  call,
  connect,
  discordForEach,
  identified,
  interaction,
  registerPing,
} from '../../helpers/sandbox/discord/raw.ts';

const discord = discordForEach();
let bot: Connection;
let messages: string;

beforeEach(async () => {
  messages = `/channels/${discord.channels.ops}/messages`;
  await registerPing(discord);
  bot = await identified(discord);
});

const orders = () => `${discord.apiUrl.replace(/\/api$/, '')}/_sandbox/faults`;

async function order(fault: unknown) {
  const response = await fetch(orders(), { method: 'POST', body: JSON.stringify(fault) });
  const json: { message: string } = JSON.parse(await response.text());
  return { status: response.status, json };
}

test.each(['reset', 'close'] as const)('a request lost by %s takes effect without an answer', async (by) => {
  discord.order({ kind: 'lose-request', by, match: { method: 'POST', path: '/channels/*/messages' } });
  await expect(call(discord, 'POST', messages, { content: 'sent' })).rejects.toThrow('fetch failed');
  expect(discord.messages('bob', 'ops').map((one) => one.content)).toEqual(['sent']);
  expect((await call(discord, 'POST', messages, { content: 'again' })).status).toBe(200);
});

test('a request can be left without any answer', async () => {
  discord.order({ kind: 'lose-request', by: 'hang', match: { path: '/channels/*/messages' } });
  const unanswered = call(discord, 'POST', messages, { content: 'sent' });
  await discord.until(() => discord.messages('bob', 'ops').length === 1);
  await Promise.all([expect(unanswered).rejects.toThrow('fetch failed'), discord.close()]);
});

test('a late request fails at once, and takes effect later', async () => {
  const { id } = (await call(discord, 'POST', messages, { content: 'one' })).json;
  discord.order({ kind: 'late-request', ms: 200, match: { method: 'PATCH' } });
  await expect(call(discord, 'PATCH', `${messages}/${id}`, { content: 'two' })).rejects.toThrow('fetch failed');
  expect((await call(discord, 'PATCH', `${messages}/${id}`, { content: 'three' })).status).toBe(200);
  const said = () => discord.messages('bob', 'ops').map(({ content }) => content);
  expect(said()).toEqual(['three']);
  await discord.until(() => said()[0] === 'two');
});

test('a late request without a time takes effect when the faults are cleared', async () => {
  const { id } = (await call(discord, 'POST', messages, { content: 'one' })).json;
  discord.order({ kind: 'late-request', match: { method: 'PATCH', body: 'two' } });
  expect((await call(discord, 'PATCH', `${messages}/${id}`, { content: 'three' })).status).toBe(200);
  await expect(call(discord, 'PATCH', `${messages}/${id}`, { content: 'two' })).rejects.toThrow('fetch failed');
  const said = () => discord.messages('bob', 'ops').map(({ content }) => content);
  expect(said()).toEqual(['three']);
  discord.clear();
  expect(said()).toEqual(['two']);
});

test('a repeated request takes effect twice, and the second meets the usual refusals', async () => {
  discord.order({ kind: 'repeat-request', match: { path: '/channels/*/messages' } });
  await call(discord, 'POST', messages, { content: 'sent' });
  expect(discord.messages('bob', 'ops').map((one) => one.content)).toEqual(['sent', 'sent']);
  await discord.type('alice', 'ops', '/ping');
  const { id, token } = await interaction(bot);
  discord.order({ kind: 'repeat-request', match: { path: '/interactions/*/callback' } });
  const reply = await call(discord, 'POST', `/interactions/${id}/${token}/callback`, { type: 5 });
  expect(reply.json.code).toBe(40060);
  expect(discord.messages('bob', 'ops').at(-1)?.state).toBe('thinking');
  expect(discord.requests.slice(-2).map((request) => request.status)).toEqual([204, 400]);
});

test('one interaction is delivered twice', async () => {
  discord.order({ kind: 'deliver-twice' });
  await discord.type('alice', 'ops', '/ping');
  expect(await interaction(bot, 0)).toEqual(await interaction(bot, 1));
  await discord.type('alice', 'ops', '/ping');
  expect(await interaction(bot, 2)).not.toEqual(await interaction(bot, 1));
});

test('an ordered status is the answer as often as ordered, and nothing takes effect', async () => {
  discord.order({ kind: 'status', status: 500, body: { message: 'no' }, match: { method: 'POST' }, times: 2 });
  for (const expected of [500, 500, 200]) {
    expect((await call(discord, 'POST', messages, { content: 'x' })).status).toBe(expected);
  }
  expect(discord.messages('bob', 'ops')).toHaveLength(1);
});

test('an ordered rate limit says how long, and whether it is global', async () => {
  discord.order({ kind: 'rate-limit', retryAfterMs: 1500, match: { path: messages } });
  const own = await call(discord, 'GET', messages);
  expect(own.status).toBe(429);
  expect(own.json).toEqual({ message: 'You are being rate limited.', retry_after: 1.5, global: false });
  expect(own.headers.get('retry-after')).toBe('2');
  discord.order({ kind: 'rate-limit', retryAfterMs: 1000, global: true });
  const global = await call(discord, 'GET', messages);
  expect(global.json).toMatchObject({ global: true });
  expect(global.headers.get('x-ratelimit-global')).toBe('true');
  expect(global.headers.get('x-ratelimit-scope')).toBe('global');
});

test('a delayed request is answered later', async () => {
  discord.order({ kind: 'delay', ms: 100, match: { path: messages } });
  const from = performance.now();
  expect((await call(discord, 'GET', messages)).status).toBe(200);
  expect(performance.now() - from).toBeGreaterThan(95);
});

test('an outage refuses everything until it is cleared', async () => {
  discord.order({ kind: 'outage' });
  await bot.closed;
  expect((await fetch(`${discord.apiUrl}/v10/gateway`)).status).toBe(503);
  await expect(connect(discord)).rejects.toThrow('503');
  discord.clear();
  expect((await call(discord, 'GET', '/gateway')).status).toBe(200);
  await identified(discord);
});

test('faults can be ordered and cleared over HTTP; a wrong order names the key', async () => {
  expect(await order({ kind: 'outage' })).toEqual({ status: 201, json: { kind: 'outage' } });
  expect((await call(discord, 'GET', '/gateway')).status).toBe(503);
  expect((await fetch(orders(), { method: 'DELETE' })).status).toBe(204);
  expect((await call(discord, 'GET', '/gateway')).status).toBe(200);
  const unknown = await order({ kind: 'explode' });
  expect(unknown.status).toBe(422);
  expect(unknown.json.message).toMatch(/^kind: must be one of drop-gateway, /);
  const extra = await order({ kind: 'delay', ms: 1, forever: true });
  expect([extra.status, extra.json.message]).toEqual([422, expect.stringContaining('forever')]);
  expect((await order({ kind: 'delay' })).json.message).toMatch(/^ms: /);
});
