import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { trusted } from '../../src/card.ts';
import { startDiscord } from '../../src/sandbox/discord/index.ts';
import { botForEach, botOn } from '../helpers/discord/own-bot.ts';
import { until } from '../helpers/messages.ts';
import { call, discordForEach } from '../helpers/sandbox/discord/raw.ts';

const discord = discordForEach();
const bot = botForEach(discord);

const outOfReach =
  'Discord cannot be reached; the bot tries again. Check the network, and DISCORD_API_URL where it is set.';
const asked = (path: string) => discord.requests.filter((request) => request.path.endsWith(path)).length;

/** What Discord says of its gateway. */
const gatewayAt = (url: string, limit = { remaining: 1000, reset_after: 0 }) => ({
  kind: 'status' as const,
  status: 200,
  match: { path: '/gateway/bot' },
  body: { url, shards: 1, session_start_limit: { total: 1000, max_concurrency: 1, ...limit } },
});

describe('a bot that finds Discord out of reach', () => {
  it('tries again, each time later, says so each time, and serves once Discord is back', async () => {
    discord.order({ kind: 'outage' });
    const from = Date.now();
    const connected = bot.connect();
    await expect.poll(bot.words).toEqual([outOfReach, outOfReach]);
    discord.clear();
    await connected;
    const after = bot.said.slice(0, 2).map(({ facts }) => Date.parse(String(facts['again'])) - from);
    expect(after[0]).toBeGreaterThanOrEqual(750);
    expect(after[1]).toBeGreaterThanOrEqual((after[0] ?? 0) + 1_500);
    expect(bot.refusals).toEqual([]);
  });

  it('stops trying when it is closed', async () => {
    discord.order({ kind: 'outage' });
    const connected = bot.connect();
    await expect.poll(bot.words).toEqual([outOfReach]);
    await bot.close();
    await expect(connected).rejects.toThrow();
  });
});

it('A bot that has used up its logins of the day waits until it has new ones, and uses none meanwhile', async () => {
  discord.order(gatewayAt('ws://127.0.0.1:1', { remaining: 0, reset_after: 1_500 }));
  const from = Date.now();
  await bot.connect();
  expect(Date.now() - from).toBeGreaterThanOrEqual(1_500);
  expect(bot.words()).toEqual([
    'This bot has used up its logins of the day, and waits until Discord grants new ones. Find out what keeps restarting it.',
  ]);
  expect(Date.parse(String(bot.said[0]?.facts['again'])) - from).toBeGreaterThanOrEqual(1_500);
});

it('A gateway that turns the first connections away is tried again, with one login', async () => {
  const { port } = new URL(discord.apiUrl);
  const turned = { away: 0 };
  const way = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (turned.away < 3) {
      turned.away += 1;
      return void socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
    }
    const on = connect(Number(port), '127.0.0.1').on('error', () => socket.destroy());
    // The sandbox answers to its own name alone.
    socket.once('data', (first) => {
      on.write(first.toString('latin1').replace(/^host: .*$/im, `Host: 127.0.0.1:${port}`), 'latin1');
      socket.pipe(on).pipe(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(way, 'listening');
  onTestFinished(() => void way.close());
  // A server that listens on a port has an address object.
  const url = `ws://127.0.0.1:${(way.address() as AddressInfo).port}/gateway`;
  for (let time = 0; time < 3; time += 1) discord.order(gatewayAt(url));
  await bot.connect();
  expect(turned.away).toBe(3);
  expect(asked('/gateway/bot')).toBe(2);
  expect(bot.words()).toContain('lost the connection to Discord');
  expect(bot.refusals).toEqual([]);
});

it.each([
  [4004, 'the token is not valid'],
  [4010, 'invalid shard'],
  [4011, 'sharding required'],
  [4012, 'invalid gateway version'],
  [4013, 'invalid intents'],
  [4014, 'disallowed intents'],
])('A gateway that closes with %i refuses the bot: %s', async (code, problem) => {
  await bot.connect();
  discord.order({ kind: 'drop-gateway', code });
  await expect.poll(() => bot.refusals).toEqual([problem]);
});

it('A token that a second request finds refused, too, ends the login', async () => {
  discord.order({ kind: 'status', status: 401, times: 100 });
  await expect(bot.connect()).rejects.toThrow();
  expect(bot.refusals).toEqual(['the token is not valid']);
  expect(asked('/gateway/bot')).toBe(1);
});

it('A login that is refused once goes on', async () => {
  discord.order({ kind: 'status', status: 401, match: { path: '/gateway/bot' } });
  await bot.connect();
  expect(bot.words()).toEqual([outOfReach]);
  expect(bot.refusals).toEqual([]);
});

describe('a token of a bot that serves', () => {
  /** An edit of a card. */
  async function editing() {
    await bot.connect();
    const channel = discord.channels.ops;
    const { json } = await call(discord, 'POST', `/channels/${channel}/messages`, { content: 'the card' });
    const card = { state: 'accepted' as const, command: '/power boot', body: [trusted('news')] };
    return () => bot.messages.edit({ channel, message: json.id }, card);
  }

  it('that Discord refuses once, and not the next time, is good: the bot goes on with it', async () => {
    const edit = await editing();
    discord.order({ kind: 'status', status: 401, match: { method: 'PATCH' } });
    await expect(edit()).rejects.toThrow();
    await expect.poll(edit).toBe('edited');
    expect(bot.refusals).toEqual([]);
  });

  it('that Discord refuses twice, on requests of two kinds, is refused', async () => {
    const edit = await editing();
    discord.order({ kind: 'status', status: 401, times: 100 });
    await expect(edit()).rejects.toThrow();
    await expect.poll(() => bot.refusals).toEqual(['the token is not valid']);
  });
});

/** A bot whose gateway is this. */
async function botAt(gateway: (socket: Socket) => void) {
  const server = createServer((socket) => gateway(socket.on('error', () => socket.destroy()))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const discord = await startDiscord();
  onTestFinished(async () => {
    server.close();
    await discord.close();
  });
  // A server that listens on a port has an address object.
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session_start_limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 };
  const body = { url, shards: 1, session_start_limit };
  discord.order({ kind: 'status', status: 200, body, match: { path: '/gateway/bot' }, times: 100 });
  return botOn(discord);
}

const turnsAway = (socket: Socket) =>
  socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');

it('A gateway that turns the bot away is asked ever more rarely, and by nobody who was told to stop', async () => {
  const at: number[] = [];
  const bot = await botAt((socket) => {
    at.push(performance.now());
    turnsAway(socket);
  });
  const connecting = bot.connect();
  await expect.poll(() => at.length, { timeout: 20_000 }).toBe(5);
  await bot.close();
  await expect(connecting).rejects.toThrow();
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  // Half a second is discord.js's own; the others are at least 0.75, 1.5 and 3 s longer.
  for (const [index, least] of [500, 1_250, 2_000, 3_500].entries()) expect(gaps[index]).toBeGreaterThan(least - 50);
});

it('A gateway that turns a bot away that has stopped meanwhile ends nothing else', async () => {
  const uncaught: unknown[] = [];
  const hear = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtExceptionMonitor', hear);
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', hear));
  const sockets: Socket[] = [];
  const bot = await botAt((socket) => void sockets.push(socket));
  const connecting = bot.connect();
  const socket = await until(() => sockets[0], 'the bot to connect');
  await bot.close();
  await expect(connecting).rejects.toThrow();
  const closed = once(socket, 'close');
  socket.resume();
  turnsAway(socket);
  await closed;
  expect(uncaught).toEqual([]);
});
