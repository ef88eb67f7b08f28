import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startDiscord } from '../../src/sandbox/discord/index.ts';
import { botOn } from '../helpers/discord/own-bot.ts';

/** When something connected, in ms, to what turns everybody away. */
async function turningAway(): Promise<{ url: string; at: number[] }> {
  const at: number[] = [];
  const server = createServer((socket) => {
    at.push(performance.now());
    socket.on('error', () => socket.destroy()).end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // A server that listens on a port has an address object.
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, at };
}

it('A gateway that turns the bot away is asked ever more rarely, and by nobody who was told to stop', async () => {
  const discord = await startDiscord();
  onTestFinished(() => discord.close());
  const { url, at } = await turningAway();
  const session_start_limit = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 };
  const body = { url, shards: 1, session_start_limit };
  discord.order({ kind: 'status', status: 200, body, match: { path: '/gateway/bot' }, times: 100 });
  const bot = botOn(discord, () => undefined);
  const connecting = bot.connect();
  await expect.poll(() => at.length, { timeout: 20_000 }).toBe(5);
  await bot.close();
  await expect(connecting).rejects.toThrow();
  const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  // Half a second is discord.js's own; the others are at least 0.75, 1.5 and 3 s longer.
  for (const [index, least] of [500, 1_250, 2_000, 3_500].entries()) expect(gaps[index]).toBeGreaterThan(least - 50);
});
