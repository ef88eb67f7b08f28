import { expect, test } from 'vitest';
import { alice, bot, connect } from '../helpers/panel/client.ts';
import { createClock, type Said, serve } from '../helpers/panel/server.ts';

const fine: Said = { status: 200, body: { data: {} } };

test('a request that waits goes out with the new token', async () => {
  const clock = createClock();
  const { url, heard } = await serve({ status: 429, headers: { 'retry-after': '10' } }, fine);
  const client = connect(url, {
    ...clock,
    wait(ms) {
      client.useToken('another-token');
      return clock.wait(ms);
    },
  });
  expect(await client.call('connect', {}, bot)).toMatchObject({ kind: 'yes' });
  expect(heard.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret-token', 'Bearer another-token']);
});

test('a late refusal of the old token does not block the new one', async () => {
  const clock = createClock();
  let say = (): void => undefined;
  const after = new Promise<void>((resolve) => {
    say = resolve;
  });
  const { url, heard } = await serve({ status: 401, after }, fine);
  const client = connect(url, clock);
  const late = client.call('connect', {}, alice);
  await expect.poll(() => heard.length).toBe(1);
  client.useToken('another-token');
  say();
  expect(await late).toMatchObject({ kind: 'no', reason: 'token-refused' });
  expect(await client.call('connect', {}, alice)).toMatchObject({ kind: 'yes' });
});

test('two refused tokens in turn are two refusals a minute, not one for each turn', async () => {
  const clock = createClock();
  const { url, heard } = await serve({ status: 401 });
  const client = connect(url, clock);
  const turns = async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      client.useToken(turn % 2 === 0 ? 'another-token' : 'secret-token');
      await Promise.all([client.call('connect', {}, bot), client.call('connect', {}, alice)]);
    }
  };
  await client.call('connect', {}, bot);
  await turns();
  expect(heard.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret-token', 'Bearer another-token']);
  expect(await client.call('connect', {}, bot)).toEqual({ kind: 'not-sent', reason: 'circuit-open' });
  await clock.wait(60_000);
  await turns();
  expect(heard).toHaveLength(4);
});

test('a token that works after one that was refused sends all again once its first request is answered', async () => {
  const { url, heard } = await serve({ status: 401 }, fine);
  const client = connect(url, createClock());
  await client.call('connect', {}, bot);
  client.useToken('another-token');
  await client.call('connect', {}, bot);
  await Promise.all([client.call('connect', {}, bot), client.call('connect', {}, alice)]);
  expect(heard).toHaveLength(4);
});

test('a lock-out of the address holds for the new token, and its first request after it goes alone', async () => {
  const clock = createClock();
  const lockOut: Said = { status: 429, body: { errors: ['Locked out.'], retry_after_seconds: 300 } };
  const { url, heard } = await serve(lockOut, fine);
  const client = connect(url, clock);
  expect(await client.call('connect', {}, bot)).toMatchObject({ kind: 'no', reason: 'authentication-limited' });
  client.useToken('another-token');
  await clock.wait(299_000);
  expect(await client.call('connect', {}, bot)).toEqual({ kind: 'not-sent', reason: 'circuit-open' });
  expect(client.budgetLeft()).toEqual({ circuitOpen: true });
  await clock.wait(1_000);
  expect(await client.call('connect', {}, bot)).toMatchObject({ kind: 'yes' });
  expect(heard).toHaveLength(2);
});

test('neither token is ever quoted from an answer', async () => {
  const says: Said = { status: 422, body: { errors: ['secret-token and another-token are wrong'] } };
  const { url } = await serve(says);
  const client = connect(url);
  client.useToken('another-token');
  expect(await client.call('connect', {}, bot)).toMatchObject({ said: '(token) and (token) are wrong' });
});

test('the last eight are kept out, and one from long before is forgotten', async () => {
  const { url } = await serve({ status: 422, body: { errors: ['secret-token and token-number-2 are wrong'] } });
  const client = connect(url);
  const rotate = (from: number, to: number): void => {
    for (let number = from; number <= to; number += 1) client.useToken(`token-number-${number}`);
  };
  rotate(2, 8);
  // The same again is not one more.
  rotate(8, 8);
  expect(await client.call('connect', {}, bot)).toMatchObject({ said: '(token) and (token) are wrong' });
  rotate(9, 9);
  expect(await client.call('connect', {}, bot)).toMatchObject({ said: 'secret-token and (token) are wrong' });
});

test('a person has no more reads because of it', async () => {
  const { url } = await serve(fine);
  const client = connect(url);
  for (let count = 0; count < 20; count += 1) await client.call('connect', {}, alice);
  client.useToken('another-token');
  expect(await client.call('connect', {}, alice)).toEqual({ kind: 'not-sent', reason: 'read-limit' });
});

test('an invalid token is refused, and not quoted', async () => {
  const { url, heard } = await serve(fine);
  const client = connect(url);
  expect(() => client.useToken('two words')).toThrow("the panel's token must be one word of plain ASCII");
  await client.call('connect', {}, bot);
  expect(heard[0]?.headers.authorization).toBe('Bearer secret-token');
});
