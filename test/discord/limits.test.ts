import { beforeEach, describe, expect, it } from 'vitest';
import { createLimits, createRest } from '../../src/discord/rest.ts';
import { Limited } from '../../src/outcome.ts';
import type { DiscordFault } from '../../src/sandbox/discord/index.ts';
import { createWaits, type Waits } from '../../src/waits.ts';
import { discordForAll } from '../helpers/sandbox/discord/raw.ts';

const discord = discordForAll();
let said: { words: string; again: string }[];
let waits: Waits;
let ahead = 0;
const now = (): number => Date.now() + ahead;
beforeEach(() => {
  discord.clear();
  [said, ahead] = [[], 0];
  const keep = (facts: object, words: string) =>
    void said.push({ words, again: 'again' in facts ? String(facts.again) : '' });
  waits = createWaits({ debug: keep, info: keep, warn: keep, error: keep });
});

const client = () =>
  createRest({ apiUrl: discord.apiUrl, limits: createLimits(waits.add, now) }).setToken(discord.token);
const commands = (): `/${string}` => `/applications/${discord.applicationId}/guilds/${discord.guildId}/commands`;
const posts = (): `/${string}` => `/channels/${discord.channels.ops}/messages`;
const registers = 'Discord limits the registration of commands.';
const hour = 3_600_000;

const asked = (method: string) => discord.requests.filter((request) => request.method === method).length;

describe('A limit that lasts too long for a request', () => {
  const put = (fault: Partial<DiscordFault>) => ({ match: { method: 'PUT' }, times: 1_000, ...fault }) as DiscordFault;
  it.each<[string, DiscordFault, string, number]>([
    ['in seconds', put({ kind: 'rate-limit', retryAfterMs: 40_000_000 }), registers, 40_000_000],
    [
      'for all requests',
      put({ kind: 'rate-limit', retryAfterMs: 60_000, global: true }),
      'Discord limits all requests of the bot.',
      60_000,
    ],
    [
      'as a date, as proxies say it',
      put({ kind: 'status', status: 429, headers: { 'retry-after': new Date(Date.now() + hour).toUTCString() } }),
      registers,
      hour,
    ],
    [
      'in the body alone',
      put({ kind: 'status', status: 429, body: { message: 'slower', retry_after: 90.5 } }),
      registers,
      90_500,
    ],
    [
      'that no timer could hold',
      put({ kind: 'status', status: 429, headers: { 'retry-after': '99999999999' } }),
      registers,
      24 * hour,
    ],
    [
      'of a shared resource',
      put({ kind: 'status', status: 429, headers: { 'retry-after': '70', 'x-ratelimit-scope': 'shared' } }),
      registers,
      70_000,
    ],
    [
      'of the 200 new commands a day',
      put({
        kind: 'status',
        status: 400,
        body: { code: 30034, message: 'Max number of daily application command creates' },
      }),
      'Discord accepts no more new commands in this guild today. Commands that are already registered keep working.',
      hour,
    ],
  ])('%s, is said and named at once, and nothing is sent into it', async (_how, fault, words, ms) => {
    discord.order(fault);
    const before = asked('PUT');
    const rest = client();
    const from = Date.now();
    for (let time = 0; time < 3; time += 1)
      await expect(rest.put(commands(), { body: [] })).rejects.toBeInstanceOf(Limited);
    expect(asked('PUT') - before).toBe(1);
    expect(said.map((line) => line.words)).toEqual([words]);
    const until = Date.parse(said[0]?.again ?? '');
    // A date has whole seconds, and was written before the test began.
    expect(until - from).toBeGreaterThan(ms - 20_000);
    expect(until - from).toBeLessThan(ms + 20_000);
    expect(waits.current()).toEqual([`${words} The bot waits until ${said[0]?.again}.`]);
    discord.clear();
    ahead = 25 * hour;
    await expect(rest.put(commands(), { body: [] })).resolves.toEqual([]);
  });

  it('that an earlier answer announced holds back the next request', async () => {
    const headers = { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '900' };
    discord.order({ kind: 'status', status: 200, body: {}, headers, match: { method: 'POST' } });
    const rest = client();
    await rest.post(posts(), { body: { content: 'one' } });
    const before = asked('POST');
    await expect(rest.post(posts(), { body: { content: 'two' } })).rejects.toBeInstanceOf(Limited);
    expect(asked('POST')).toBe(before);
    expect(said.map((line) => line.words)).toEqual([`Discord limits posts in the channel ${discord.channels.ops}.`]);
  });

  it('never names the token of an interaction', async () => {
    discord.order({ kind: 'rate-limit', retryAfterMs: 60_000, match: { path: '/webhooks/*' } });
    const rest = client();
    const late = rest.patch(`/webhooks/${discord.applicationId}/secret-token/messages/@original`, { auth: false });
    await expect(late).rejects.toThrow(/^Discord limits answers to commands\. /);
    expect(JSON.stringify(said)).not.toContain('secret-token');
  });
});

describe('429 that name no time', () => {
  /** What discord.js is told to wait for after each answer, in seconds; Limited: the request failed. */
  const told = async (): Promise<string[]> => {
    const limits = createLimits(waits.add, now);
    const found: string[] = [];
    for (let time = 0; time < 8; time += 1) {
      // Whoever asks, asks when the wait is over.
      ahead += 61_000;
      found.push(
        await limits.makeRequest(`${discord.apiUrl}/v10/gateway/bot`, { method: 'GET' }).then(
          ({ headers }) => headers.get('retry-after') ?? 'none',
          (error: unknown) => (error instanceof Limited ? String(Math.round((error.until - now()) / 1_000)) : 'broken'),
        ),
      );
    }
    return found;
  };

  it.each<[string, DiscordFault]>([
    ['at a proxy', { kind: 'status', status: 429, times: 8 }],
    ['or always the same', { kind: 'status', status: 429, headers: { 'retry-after': '1' }, times: 8 }],
    ['or nonsense', { kind: 'status', status: 429, headers: { 'retry-after': 'soon' }, times: 8 }],
    ['or none at all', { kind: 'status', status: 429, headers: { 'retry-after': '0' }, times: 8 }],
    ['or the past', { kind: 'status', status: 429, headers: { 'retry-after': '-5' }, times: 8 }],
  ])('%s, are followed by waits that grow', async (_where, fault) => {
    discord.order(fault);
    expect(await told()).toEqual(['1', '2', '4', '8', '16', '32', '60', '60']);
    // From eight seconds on; by the log's clock the last two are one.
    expect(said.map(({ words }) => words)).toEqual(Array(4).fill('Discord limits logins.'));
  });

  it('begin again with one second once a request was taken', async () => {
    discord.order({ kind: 'status', status: 429, times: 2 });
    expect((await told()).slice(0, 4)).toEqual(['1', '2', 'none', 'none']);
    discord.order({ kind: 'status', status: 429 });
    expect((await told())[0]).toBe('1');
  });
});

it('Many refusals hold all requests back before Discord locks the address out', async () => {
  discord.order({ kind: 'status', status: 403, match: { path: '/users/@me' }, times: 20 });
  const limits = createLimits(waits.add, now, 20);
  const ask = (path: string) => limits.makeRequest(`${discord.apiUrl}/v10${path}`, { method: 'GET' });
  for (let time = 0; time < 19; time += 1) await ask('/users/@me');
  await expect(ask('/users/@me')).rejects.toBeInstanceOf(Limited);
  const before = discord.requests.length;
  await expect(ask('/gateway/bot')).rejects.toThrow(/^Discord refused thousands of requests within ten minutes/);
  expect(discord.requests.length).toBe(before);
  ahead = 10 * 60_000;
  expect((await ask('/gateway')).status).toBe(200);
});
