import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startDiscord } from '../../src/sandbox/discord/index.ts';
import { botOn } from '../helpers/discord/own-bot.ts';
import { until } from '../helpers/messages.ts';

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
