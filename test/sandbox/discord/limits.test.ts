import { afterEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { call } from '../../helpers/sandbox/discord/raw.ts';

let discord: SandboxDiscord;
afterEach(() => discord.close());

test('five messages in five seconds fit into a channel; the headers say so, and the sixth waits', async () => {
  discord = await startDiscord();
  const messages = `/channels/${discord.channels.ops}/messages`;
  const remaining: (string | null)[] = [];
  for (const content of ['1', '2', '3', '4', '5']) {
    const { status, headers } = await call(discord, 'POST', messages, { content });
    expect(status).toBe(200);
    expect(headers.get('x-ratelimit-limit')).toBe('5');
    remaining.push(headers.get('x-ratelimit-remaining'));
  }
  expect(remaining).toEqual(['4', '3', '2', '1', '0']);
  const sixth = await call(discord, 'POST', messages, { content: '6' });
  expect(sixth.status).toBe(429);
  expect(sixth.json).toMatchObject({ message: 'You are being rate limited.', global: false });
  expect(sixth.json['retry_after']).toBeGreaterThan(3);
  expect(sixth.json['retry_after']).toBeLessThanOrEqual(5);
  expect(sixth.headers.get('retry-after')).toBe(String(Math.ceil(Number(sixth.json['retry_after']))));
  expect(sixth.headers.get('x-ratelimit-scope')).toBe('user');
  expect(Number(sixth.headers.get('x-ratelimit-reset-after'))).toBeGreaterThan(3);
  const elsewhere = `/channels/${discord.channels.audit}/messages`;
  expect((await call(discord, 'POST', elsewhere, { content: '1' })).status).toBe(200);
});

test('edits are limited when asked for', async () => {
  discord = await startDiscord({ limits: { edits: { count: 1, ms: 5000 } } });
  const messages = `/channels/${discord.channels.ops}/messages`;
  const { id } = (await call(discord, 'POST', messages, { content: 'x' })).json;
  expect((await call(discord, 'PATCH', `${messages}/${id}`, { content: 'y' })).status).toBe(200);
  expect((await call(discord, 'PATCH', `${messages}/${id}`, { content: 'z' })).status).toBe(429);
});

test('the bot may send fifty requests a second, not counting answers to interactions', async () => {
  discord = await startDiscord({ limits: { global: { count: 2, ms: 5000 } } });
  expect((await call(discord, 'GET', '/users/@me')).status).toBe(200);
  expect((await call(discord, 'GET', '/users/@me')).status).toBe(200);
  const third = await call(discord, 'GET', '/users/@me');
  expect(third.status).toBe(429);
  expect(third.json).toMatchObject({ global: true });
  expect(third.headers.get('x-ratelimit-global')).toBe('true');
  const hook = `/webhooks/${discord.applicationId}/token`;
  expect((await call(discord, 'POST', hook, { content: 'x' })).status).toBe(404);
});
