import { afterEach, beforeEach, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/command.ts';
import { type Bot, createBot } from '../../src/discord/bot.ts';
import type { Log } from '../../src/outcome.ts';
import { type DiscordFault, type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';

let discord: SandboxDiscord;
let bots: Bot[];
let said: string[];
let served: number;
beforeEach(async () => {
  discord = await startDiscord();
  [bots, said, served] = [[], [], 0];
});
afterEach(async () => {
  await Promise.all(bots.map((bot) => bot.close()));
  await discord.close();
});

/** A bot that registers these commands, and serves when this resolves. */
async function start(wanted: readonly Command[]): Promise<Bot> {
  const keep: Log['warn'] = (_facts, words) => void said.push(words);
  const bot = createBot({
    ...{ token: discord.token, guild: discord.guildId, apiUrl: discord.apiUrl, commands: wanted, isGiven: () => true },
    ...{ register: true, note: '', onRefused: () => undefined },
    log: { debug: () => undefined, info: () => undefined, warn: keep, error: keep },
  });
  bots.push(bot);
  const count = () => {
    served += 1;
    return Promise.resolve();
  };
  bot.serve({ command: count, click: count, suggest: () => Promise.resolve([]) });
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
  await start(commands);
  await discord.type('bob', 'ops', '/help');
  await expect.poll(() => served).toBe(1);
  expect(puts()).toBe(before + 1);
  expect(said.filter((line) => line === words)).toHaveLength(1);
});

it('A bot that is removed from the guild and invited again has its commands again, without a restart', async () => {
  await start(commands);
  expect(puts()).toBe(1);
  discord.order({ kind: 'kick' });
  await expect.poll(() => said).toContainEqual(expect.stringMatching(/^the bot was removed from its guild/));
  await expect(discord.type('bob', 'ops', '/help')).rejects.toThrow(/There are no commands yet/);
  discord.clear();
  await expect.poll(puts).toBe(2);
  await discord.type('bob', 'ops', '/help');
  await expect.poll(() => served).toBe(1);
});

it('A guild that is back as it was gets no second registration', async () => {
  await start(commands);
  discord.order({ kind: 'guild-outage' });
  discord.clear();
  const reads = () => discord.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/commands'));
  await expect.poll(reads).toHaveLength(2);
  expect(puts()).toBe(1);
});
