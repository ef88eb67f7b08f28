import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBot } from '../../src/discord/bot.ts';
import { type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';

let discord: SandboxDiscord;
let bot: ReturnType<typeof createBot>;
let logged: { message: string; facts: object }[];
const connect = async (guild = discord.guildId): Promise<void> => {
  const keep = (facts: object, message: string) => void logged.push({ message, facts });
  bot = createBot({
    ...{ token: discord.token, guild, apiUrl: discord.apiUrl, commands: [], isGiven: () => true, register: false },
    ...{ note: '', log: { debug: keep, info: keep, warn: keep, error: keep }, onRefused: () => undefined },
  });
  await bot.connect();
};
beforeEach(async () => {
  logged = [];
  discord = await startDiscord();
});
afterEach(async () => {
  await bot.close();
  await discord.close();
});

/** Ids of guilds that the bot asked to leave. */
const leaves = (): (string | undefined)[] =>
  discord.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('/').at(-1));
const left = 'left a guild that is not the one of DISCORD_GUILD_ID';

test('A guild that is not its own, the bot leaves when it starts, and says so', async () => {
  const id = discord.inviteElsewhere('evil');
  await connect();
  await expect.poll(() => discord.elsewhere()).toEqual([]);
  await expect.poll(() => logged).toContainEqual({ message: left, facts: { guild: id } });
  expect(leaves()).toEqual([id]);
});

test('A guild that somebody adds it to, it leaves at once', async () => {
  await connect();
  const ids = [discord.inviteElsewhere('one'), discord.inviteElsewhere('two')];
  await expect.poll(() => discord.elsewhere()).toEqual([]);
  expect(leaves().sort()).toEqual(ids.sort());
  await expect.poll(() => logged.filter(({ message }) => message === left)).toHaveLength(2);
});

test('A guild that it was added to while its session was lost, it leaves when it is back', async () => {
  await connect();
  discord.order({ kind: 'outage' });
  discord.order({ kind: 'forget-sessions' });
  discord.inviteElsewhere('meanwhile');
  discord.clear();
  await expect.poll(() => discord.elsewhere(), { timeout: 30_000 }).toEqual([]);
});

test('What Discord does not let it leave is said, and tried again when the next comes', async () => {
  discord.order({ kind: 'status', status: 403, match: { method: 'DELETE' } });
  discord.inviteElsewhere('held');
  await connect();
  await expect
    .poll(() => logged)
    .toContainEqual({
      message: 'cannot leave a guild that is not the one of DISCORD_GUILD_ID',
      facts: expect.objectContaining({ guild: expect.any(String) }),
    });
  discord.inviteElsewhere('next');
  await expect.poll(() => discord.elsewhere()).toEqual([]);
});

test('A bot that is not in the guild it was told leaves none: the id may be what is wrong', async () => {
  discord.inviteElsewhere('perhaps meant');
  await connect('1199999999999999999');
  await expect
    .poll(() => logged.map(({ message }) => message))
    .toContain('the bot is in other guilds and not in the one of DISCORD_GUILD_ID: check that id');
  expect(leaves()).toEqual([]);
});
