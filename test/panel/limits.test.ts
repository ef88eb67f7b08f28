import { describe, expect, test } from 'vitest';
import { startPanel } from '../../src/sandbox/panel/index.ts';
import { alice, bob, bot, connect } from '../helpers/panel/client.ts';
import { createClock, type Said, serve } from '../helpers/panel/server.ts';

const queued = { status: 200, body: { data: { queueId: 7 } } };
const boot = ['powerBoot', { serverId: 101 }] as const;

function limited(retryAfter: string): Said {
  return { status: 429, body: { errors: ['Too many requests.'] }, headers: { 'retry-after': retryAfter } };
}

/** The headers of an answer in a minute that ends in some seconds. */
function used(limit: number, remaining: number, endsIn: number) {
  return {
    'x-ratelimit-limit': `${limit}`,
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${1_800_000_000 + endsIn}`,
  };
}

async function talk(...answers: Said[]) {
  const clock = createClock();
  const { url, heard } = await serve(...answers);
  return { clock, heard, client: connect(url, { ...clock }) };
}

describe('when the panel says 429', () => {
  test('a change waits as long as it says, and is sent again until it is let in', async () => {
    const { clock, client, heard } = await talk(limited('10'), limited('5'), limited('7'), limited('8'), queued);
    expect(await client.call(...boot, bot)).toEqual({ kind: 'yes', data: { queueId: 7 } });
    expect(clock.waits).toEqual([10_000, 5_000, 7_000, 8_000]);
    expect(heard).toHaveLength(5);
  });

  test('a change that would wait for more than 30 seconds in all is rejected', async () => {
    const { clock, client, heard } = await talk(limited('20'), limited('11'));
    expect(await client.call(...boot, bot)).toEqual({
      kind: 'no',
      reason: 'rate-limited',
      status: 429,
      said: 'Too many requests.',
    });
    expect(clock.waits).toEqual([20_000]);
    expect(heard).toHaveLength(2);
  });

  test('a change is not sent in a loop by a panel that says to wait 0 seconds, or does not say', async () => {
    for (const said of [limited('0'), { status: 429 }, limited('soon')]) {
      const { clock, client, heard } = await talk(said);
      expect(await client.call(...boot, bot)).toMatchObject({ kind: 'no', reason: 'rate-limited' });
      // 1, 2, 4 and 8 seconds: the next 16 would be too long.
      expect(clock.waits).toEqual([1_000, 2_000, 4_000, 8_000]);
      expect(heard).toHaveLength(5);
    }
  });

  test('a read waits too, three attempts in all', async () => {
    const { clock, client, heard } = await talk(limited('3'));
    expect(await client.call('connect', {}, bot)).toMatchObject({ kind: 'no', reason: 'rate-limited' });
    expect(clock.waits).toEqual([3_000, 3_000]);
    expect(heard).toHaveLength(3);
  });

  test('no other request is sent while it lasts: what can wait waits, what cannot is not sent', async () => {
    const { clock, client, heard } = await talk(limited('31'), queued);
    expect(await client.call(...boot, bot)).toMatchObject({ kind: 'no', reason: 'rate-limited' });
    expect(await client.call(...boot, bot)).toEqual({ kind: 'not-sent', reason: 'waited-too-long' });
    expect(await client.call('connect', {}, alice)).toEqual({ kind: 'not-sent', reason: 'waited-too-long' });
    expect(heard).toHaveLength(1);
    await clock.wait(1_000);
    expect(await client.call(...boot, bot)).toMatchObject({ kind: 'yes' });
    expect(clock.waits).toEqual([1_000, 30_000]);
    expect(heard).toHaveLength(2);
  });
});

describe('when nothing remains of the minute', () => {
  test('the next call waits until the minute is over', async () => {
    const { clock, client, heard } = await talk({ ...queued, headers: used(60, 0, 12) }, queued);
    await client.call(...boot, bot);
    expect(await client.call('connect', {}, alice)).toMatchObject({ kind: 'yes' });
    expect(clock.waits).toEqual([12_000]);
    expect(heard).toHaveLength(2);
  });

  test('a call that would wait for more than 30 seconds is not sent', async () => {
    const { clock, client, heard } = await talk({ ...queued, headers: used(60, 0, 31) });
    await client.call(...boot, bot);
    expect(await client.call(...boot, bot)).toEqual({ kind: 'not-sent', reason: 'waited-too-long' });
    expect(clock.waits).toEqual([]);
    expect(heard).toHaveLength(1);
  });

  test('the requests that are under way are counted before their answers come', async () => {
    const { client, heard } = await talk({ ...queued, headers: used(60, 2, 40) }, queued);
    await client.call(...boot, bot);
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.call(...boot, bot)));
    expect(answers.map(({ kind }) => kind)).toEqual(['yes', 'yes', 'not-sent', 'not-sent']);
    expect(heard).toHaveLength(3);
  });

  test('a panel whose clock is an hour ahead holds nobody for more than a minute', async () => {
    const { clock, client } = await talk({ ...queued, headers: used(60, 0, 3_660) }, queued);
    await client.call(...boot, bot);
    await clock.wait(30_000);
    expect(await client.call(...boot, bot)).toMatchObject({ kind: 'yes' });
    expect(clock.waits).toEqual([30_000, 30_000]);
  });
});

describe('when the panel refuses the token', () => {
  test('one 401 holds everything back for a minute, then one call finds out', async () => {
    const { clock, client, heard } = await talk({ status: 401, body: '401 Unauthorized' }, queued);
    expect(await client.call('connect', {}, alice)).toMatchObject({ kind: 'no', reason: 'token-refused' });
    await clock.wait(59_999);
    expect(await client.call('connect', {}, alice)).toEqual({ kind: 'not-sent', reason: 'circuit-open' });
    expect(await client.call(...boot, bot)).toEqual({ kind: 'not-sent', reason: 'circuit-open' });
    expect(heard).toHaveLength(1);

    await clock.wait(1);
    const answers = await Promise.all([1, 2, 3].map(() => client.call(...boot, bot)));
    expect(answers.map(({ kind }) => kind)).toEqual(['yes', 'not-sent', 'not-sent']);
    expect(heard).toHaveLength(2);
    expect(await client.call(...boot, bot)).toMatchObject({ kind: 'yes' });
  });

  test('when the token is still refused, another minute begins', async () => {
    const { clock, client, heard } = await talk({ status: 401 });
    await client.call(...boot, bot);
    await clock.wait(60_000);
    expect(await client.call(...boot, bot)).toMatchObject({ kind: 'no', reason: 'token-refused' });
    expect(await client.call(...boot, bot)).toEqual({ kind: 'not-sent', reason: 'circuit-open' });
    expect(heard).toHaveLength(2);
  });

  test('a call that finds out nothing leaves it to the next one', async () => {
    const { clock, client, heard } = await talk({ status: 401 }, { status: 0 }, queued);
    await client.call(...boot, bot);
    await clock.wait(60_000);
    expect(await client.call(...boot, bot)).toEqual({ kind: 'unknown', reason: 'connection-lost' });
    expect(await client.call(...boot, bot)).toMatchObject({ kind: 'yes' });
    expect(heard).toHaveLength(3);
  });

  test('a 401 that a proxy dressed as a page holds everything back as well', async () => {
    const { client, heard } = await talk({ status: 401, body: '<html>Log in</html>' });
    expect(await client.call(...boot, bot)).toMatchObject({ kind: 'unknown', reason: 'not-json' });
    expect(await client.call(...boot, bot)).toEqual({ kind: 'not-sent', reason: 'circuit-open' });
    expect(heard).toHaveLength(1);
  });

  test('a lock-out holds everything back for as long as it says', async () => {
    const locked = { status: 429, body: { errors: ['Locked out.'], retry_after_seconds: 17 } };
    const { clock, client, heard } = await talk({ ...locked, headers: { 'retry-after': '17' } }, queued);
    expect(await client.call(...boot, bot)).toMatchObject({ kind: 'no', reason: 'authentication-limited' });
    await clock.wait(16_999);
    expect(await client.call('connect', {}, bot)).toEqual({ kind: 'not-sent', reason: 'circuit-open' });
    await clock.wait(1);
    expect(await client.call(...boot, bot)).toMatchObject({ kind: 'yes' });
    expect(heard).toHaveLength(2);
  });

  test('a wrong token never locks the address out of the panel', async () => {
    const panel = await startPanel();
    const client = connect(panel.url, { token: 'wrong' });
    for (let count = 0; count < 20; count += 1) await client.call('connect', {}, bot);
    const right = await connect(panel.url, { token: panel.token }).call('connect', {}, bot);
    await panel.close();
    expect(right).toMatchObject({ kind: 'yes' });
    expect(panel.requests).toHaveLength(2);
  });
});

describe('a person', () => {
  test('has 20 reads in any minute, and changes beside them', async () => {
    const { clock, client, heard } = await talk(queued);
    for (let count = 0; count < 20; count += 1) {
      if (count === 10) await clock.wait(30_000);
      expect(await client.call('connect', {}, alice)).toMatchObject({ kind: 'yes' });
    }
    expect(await client.call('connect', {}, alice)).toEqual({ kind: 'not-sent', reason: 'read-limit' });
    expect(heard).toHaveLength(20);
    expect(await client.call(...boot, alice)).toMatchObject({ kind: 'yes' });
    expect(await client.call('connect', {}, bob)).toMatchObject({ kind: 'yes' });
    expect(await client.call('connect', {}, bot)).toMatchObject({ kind: 'yes' });

    await clock.wait(30_000);
    const later = [];
    for (let count = 0; count < 11; count += 1) later.push(await client.call('connect', {}, alice));
    expect(later.map(({ kind }) => kind)).toEqual([...Array(10).fill('yes'), 'not-sent']);
  });

  test('is not charged for attempts that the client makes by itself', async () => {
    const { client, heard } = await talk({ status: 500 });
    for (let count = 0; count < 20; count += 1) await client.call('connect', {}, alice);
    expect(heard).toHaveLength(60);
    expect(await client.call('connect', {}, alice)).toEqual({ kind: 'not-sent', reason: 'read-limit' });
  });

  test('has 40 looks before changes in any minute, beside the reads', async () => {
    const { clock, client } = await talk(queued);
    const look = { kind: 'look', id: alice.id } as const;
    for (let count = 0; count < 40; count += 1)
      expect(await client.call('connect', {}, look)).toMatchObject({ kind: 'yes' });
    expect(await client.call('connect', {}, look)).toEqual({ kind: 'not-sent', reason: 'look-limit' });
    expect(await client.call('connect', {}, { ...look, id: bob.id })).toMatchObject({ kind: 'yes' });
    expect(await client.call('connect', {}, alice)).toMatchObject({ kind: 'yes' });
    await clock.wait(60_000);
    expect(await client.call('connect', {}, look)).toMatchObject({ kind: 'yes' });
  });
});

const tooMany = (headers: Record<string, string>, more: object = {}): Said => ({
  status: 429,
  body: { errors: ['Too many requests.'], ...more },
  headers,
});
const refused: Said = { status: 401, body: {} };

test.each<[string, Said, string, number]>([
  ['429', tooMany({ 'retry-after': '900' }), 'The panel limits the requests of its token.', 900_000],
  [
    'lock-out',
    tooMany({ 'retry-after': '300' }, { retry_after_seconds: 300 }),
    'The panel has locked out the address of the bot.',
    300_000,
  ],
  ['401', refused, 'The panel refuses its token, and would lock out an address that goes on: nothing is sent.', 60_000],
])('A %s of the panel is named as soon as it comes, with how long it holds', async (_what, answer, words, ms) => {
  const { url } = await serve(answer);
  const named: [string, number][] = [];
  const client = connect(url, { ...createClock(), onWait: (...wait) => void named.push(wait) });
  await client.call('connect', {}, bot);
  expect(named.filter(([, held]) => held > 0)).toEqual([[words, ms]]);
});
