import { expect, it, onTestFinished } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/command.ts';
import type { DiscordFault } from '../../src/sandbox/discord/index.ts';
import { botOn } from '../helpers/discord/own-bot.ts';
import { discordForEach } from '../helpers/sandbox/discord/raw.ts';

const discord = discordForEach();

/** A bot that registers these commands, and serves when this resolves. */
async function start(wanted: readonly Command[]) {
  const bot = botOn(discord, { commands: wanted, register: true });
  onTestFinished(() => bot.close());
  await bot.connect();
  return bot;
}

const puts = () => discord.requests.filter(({ method }) => method === 'PUT').length;
const withoutThrottle = commands.filter(({ id }) => id !== 'cpu.throttle');
const onPut = { match: { method: 'PUT' }, times: 1_000 };

it.each<[string, DiscordFault, string]>([
  [
    'has to wait for eleven hours',
    { kind: 'rate-limit', retryAfterMs: 40_000_000, ...onPut },
    'Discord limits the registration of commands.',
  ],
  [
    'would be the 201st of the day',
    { kind: 'status', status: 400, body: { code: 30034, message: 'Max number of daily creates' }, ...onPut },
    'Discord accepts no more new commands in this guild today. Commands that are already registered keep working.',
  ],
  [
    'is refused by a proxy',
    { kind: 'status', status: 403, body: 'no', ...onPut },
    'The commands cannot be registered yet; the bot tries again.',
  ],
  [
    'is not what Discord wants',
    { kind: 'status', status: 400, body: { code: 50035, message: 'Invalid Form Body' }, ...onPut },
    'Discord refuses the commands. Commands that are registered keep working.',
  ],
])("A start whose registration %s serves yesterday's commands, and says so once", async (_what, fault, words) => {
  const yesterday = await start(withoutThrottle);
  await yesterday.close();
  const before = puts();
  discord.order(fault);
  const today = await start(commands);
  await discord.type('bob', 'ops', '/help');
  await expect.poll(today.served).toBe(1);
  expect(puts()).toBe(before + 1);
  expect(today.words().filter((line) => line === words)).toHaveLength(1);
});

it('A bot that is removed from the guild and invited again has its commands again, without a restart', async () => {
  const bot = await start(commands);
  expect(puts()).toBe(1);
  discord.order({ kind: 'kick' });
  await expect.poll(bot.words).toContainEqual(expect.stringMatching(/^the bot was removed from its guild/));
  await expect(discord.type('bob', 'ops', '/help')).rejects.toThrow(/There are no commands yet/);
  discord.clear();
  await expect.poll(puts).toBe(2);
  await discord.type('bob', 'ops', '/help');
  await expect.poll(bot.served).toBe(1);
});

it('A guild that is back as it was gets no second registration', async () => {
  await start(commands);
  discord.order({ kind: 'guild-outage' });
  discord.clear();
  const reads = () => discord.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/commands'));
  await expect.poll(reads).toHaveLength(2);
  expect(puts()).toBe(1);
});
