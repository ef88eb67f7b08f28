import { EventEmitter, once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { alice, bot, connect, sandbox } from '../helpers/panel/client.ts';
import { createClock, type Said, serve } from '../helpers/panel/server.ts';

const followUp = { kind: 'follow-up' } as const;
const job = ['servers', 101, 'backupManager', 'jobs', 9001] as const;
const found: Said = { status: 200, body: { data: { status: 'running', progress: 40, secret: 'x' } } };

async function talk(...answers: Said[]) {
  const clock = createClock();
  const { url, heard } = await serve(...answers);
  return { clock, heard, client: connect(url, { ...clock }) };
}

/** What the panel says of a minute of 600 requests that ends in some seconds. */
function left(remaining: number, endsIn: number): Said {
  const headers = {
    'x-ratelimit-limit': '600',
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${1_800_000_000 + endsIn}`,
  };
  return { ...found, headers };
}

describe('a look', () => {
  test('is a GET with the token at the path of its parts, and gives the document as it came', async () => {
    const { client, heard } = await talk(found);
    expect(await client.look(job, followUp)).toEqual({
      kind: 'yes',
      data: { data: { status: 'running', progress: 40, secret: 'x' } },
    });
    expect(heard).toMatchObject([
      {
        method: 'GET',
        path: '/api/v1/servers/101/backupManager/jobs/9001',
        body: '',
        headers: { authorization: 'Bearer secret-token', accept: 'application/json' },
      },
    ]);
  });

  test('reads a job and a queue item of the sandbox', async () => {
    const { client } = await sandbox();
    await client.call('backupRestore', { serverId: 101, disks: ['0'] }, bot);
    await client.call('powerRestart', { serverId: 101 }, bot);
    expect(await client.look(job, followUp)).toMatchObject({ kind: 'yes', data: { data: { status: 'running' } } });
    expect(await client.look(['queue', 5001], followUp)).toMatchObject({ kind: 'yes', data: { data: { id: 5001 } } });
    expect(await client.look(['queue', 5002], followUp)).toEqual({
      kind: 'no',
      reason: 'not-found',
      status: 404,
      said: 'Queue item 5002 was not found.',
    });
  });

  test.each([[[]], [['']], [['..', 'servers']], [['a/b']], [['%2e%2e']], [['servers', '.']], [['a\\b']]])(
    'never leaves its path: %j',
    async (parts) => {
      const { client, heard } = await talk(found);
      await expect(client.look(parts, followUp)).rejects.toThrow(TypeError);
      expect(heard).toHaveLength(0);
    },
  );

  test('encodes what has a meaning in a URL', async () => {
    const { client, heard } = await talk(found);
    await client.look(['a?sync=true', '#b', 'c d'], followUp);
    expect(heard[0]?.path).toBe('/api/v1/a%3Fsync%3Dtrue/%23b/c%20d');
  });

  test.each<[Said, object]>([
    [{ status: 500 }, { kind: 'unknown', reason: 'server-error', status: 500 }],
    [{ status: 0 }, { kind: 'unknown', reason: 'connection-lost' }],
    [
      { status: 200, body: '<html></html>' },
      { kind: 'unknown', reason: 'not-json', status: 200 },
    ],
    [
      { status: 302, headers: { location: '/' } },
      { kind: 'unknown', reason: 'redirected', status: 302 },
    ],
    [
      { status: 200, body: 'fine' },
      { kind: 'unknown', reason: 'not-understood', status: 200 },
    ],
    [
      { status: 403, body: { errors: [] } },
      { kind: 'no', reason: 'token-lacks-permission', status: 403 },
    ],
  ])('of a follow-up that meets %j is made once', async (said, answer) => {
    const { client, heard, clock } = await talk(said);
    expect(await client.look(job, followUp)).toEqual(answer);
    expect(heard).toHaveLength(1);
    expect(clock.waits).toEqual([]);
  });

  test('of a person is made again like every read, and counts among the 20 of the minute', async () => {
    const { client, heard } = await talk({ status: 500 });
    for (let count = 0; count < 20; count += 1) await client.look(job, alice);
    expect(heard).toHaveLength(60);
    expect(await client.look(job, alice)).toEqual({ kind: 'not-sent', reason: 'read-limit' });
    expect(await client.look(job, followUp)).toMatchObject({ kind: 'unknown' });
  });

  test('cannot be a change: a follow-up never sends one', async () => {
    const { client, heard } = await talk(found);
    await expect(client.call('powerPoweroff', { serverId: 101 }, followUp)).rejects.toThrow(TypeError);
    await expect(
      client.call('firewall', { serverId: 101, interface: 'primary', sync: true }, followUp),
    ).rejects.toThrow(TypeError);
    expect(heard).toHaveLength(0);
  });
});

describe('follow-ups', () => {
  test('stop when a fifth of the minute is left, while people and changes go on', async () => {
    const { client, heard, clock } = await talk(left(122, 40), found);
    const kinds: string[] = [];
    for (let count = 0; count < 3; count += 1) kinds.push((await client.look(job, followUp)).kind);
    expect(kinds).toEqual(['yes', 'yes', 'yes']);
    expect(await client.look(job, followUp)).toEqual({
      kind: 'not-sent',
      reason: 'waited-too-long',
      again: 1_800_000_040_000,
    });
    expect(await client.call('connect', {}, alice)).toMatchObject({ kind: 'yes' });
    await client.call('powerBoot', { serverId: 101 }, alice);
    expect(heard).toHaveLength(5);
    expect(clock.waits).toEqual([]);
    await clock.wait(40_000);
    expect((await client.look(job, followUp)).kind).toBe('yes');
  });

  test('that were held back come again one after the other, not all at once', async () => {
    const { client } = await talk(left(100, 30));
    await client.call('connect', {}, bot);
    const held = [];
    for (let count = 0; count < 4; count += 1) held.push((await client.look(job, followUp)).again);
    // 480 a minute are 125 ms apart.
    expect(held).toEqual([1_800_000_030_000, 1_800_000_030_125, 1_800_000_030_250, 1_800_000_030_375]);
  });

  test('obey Retry-After at once and do not wait for it', async () => {
    const { client, heard, clock } = await talk({ status: 429, headers: { 'retry-after': '17' } }, found);
    expect(await client.look(job, followUp)).toMatchObject({ kind: 'no', reason: 'rate-limited' });
    expect(await client.look(job, followUp)).toEqual({
      kind: 'not-sent',
      reason: 'waited-too-long',
      again: 1_800_000_017_000,
    });
    expect(clock.waits).toEqual([]);
    expect(heard).toHaveLength(1);
  });

  test('let nobody wait behind them: while a person waits, they do not go', async () => {
    const clock = createClock();
    const { url, heard } = await serve({ status: 429, headers: { 'retry-after': '10' } }, found);
    const waits = new EventEmitter();
    const client = connect(url, { now: clock.now, wait: (ms) => once(waits, 'over').then(() => clock.wait(ms)) });
    await client.look(job, followUp);
    const waiting = client.call('connect', {}, alice);
    await clock.wait(10_000);
    expect(await client.look(job, followUp)).toEqual({
      kind: 'not-sent',
      reason: 'waited-too-long',
      again: 1_800_000_011_000,
    });
    waits.emit('over');
    expect(await waiting).toMatchObject({ kind: 'yes' });
    expect(heard.map(({ path }) => path)).toEqual(['/api/v1/servers/101/backupManager/jobs/9001', '/api/v1/connect']);
  });

  test('are held by an open circuit, and may be the ones who find out that the token works again', async () => {
    const { client, heard, clock } = await talk({ status: 401 }, found);
    await client.look(job, followUp);
    expect(await client.look(job, followUp)).toEqual({
      kind: 'not-sent',
      reason: 'circuit-open',
      again: 1_800_000_060_000,
    });
    await clock.wait(60_000);
    expect(await client.look(job, followUp)).toMatchObject({ kind: 'yes' });
    expect(await client.call('connect', {}, alice)).toMatchObject({ kind: 'yes' });
    expect(heard).toHaveLength(3);
  });
});

describe('the pace of follow-ups', () => {
  const turns = (client: { slot(): number }) => [1, 2, 3].map(() => client.slot() - 1_800_000_000_000);

  test('is one a second while the limit is not known', async () => {
    const { client } = await talk(found);
    expect(turns(client)).toEqual([0, 1_000, 2_000]);
  });

  test('is four fifths of the limit once it is', async () => {
    const { client } = await talk(left(599, 60));
    await client.call('connect', {}, bot);
    expect(turns(client)).toEqual([0, 125, 250]);
  });

  test('begins after what holds them', async () => {
    const { client } = await talk({ status: 429, headers: { 'retry-after': '9' } });
    await client.look(job, followUp);
    expect(turns(client)).toEqual([9_000, 10_000, 11_000]);
  });
});
