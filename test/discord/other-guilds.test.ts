import { expect, onTestFinished, test } from 'vitest';
import { botForEach, botOn } from '../helpers/discord/own-bot.ts';
import { discordForEach } from '../helpers/sandbox/discord/raw.ts';

const discord = discordForEach();
const bot = botForEach(discord);

/** Ids of guilds that the bot asked to leave. */
const leaves = (): (string | undefined)[] =>
  discord.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path.split('/').at(-1));
const left = 'left a guild that is not the one of DISCORD_GUILD_ID';

test('A guild that is not its own, the bot leaves when it starts, and says so', async () => {
  const id = discord.inviteElsewhere('evil');
  await bot.connect();
  await expect.poll(() => discord.elsewhere()).toEqual([]);
  await expect.poll(() => bot.said).toContainEqual({ words: left, facts: { guild: id } });
  expect(leaves()).toEqual([id]);
});

test('A guild that somebody adds it to, it leaves at once', async () => {
  await bot.connect();
  const ids = [discord.inviteElsewhere('one'), discord.inviteElsewhere('two')];
  await expect.poll(() => discord.elsewhere()).toEqual([]);
  expect(leaves().sort()).toEqual(ids.sort());
  await expect.poll(() => bot.words().filter((words) => words === left)).toHaveLength(2);
});

test('A guild that it was added to while its session was lost, it leaves when it is back', async () => {
  await bot.connect();
  discord.order({ kind: 'outage' });
  discord.order({ kind: 'forget-sessions' });
  discord.inviteElsewhere('meanwhile');
  discord.clear();
  await expect.poll(() => discord.elsewhere(), { timeout: 30_000 }).toEqual([]);
});

test('What Discord does not let it leave is said, and tried again when the next comes', async () => {
  discord.order({ kind: 'status', status: 403, match: { method: 'DELETE' } });
  discord.inviteElsewhere('held');
  await bot.connect();
  await expect
    .poll(() => bot.said)
    .toContainEqual({
      words: 'cannot leave a guild that is not the one of DISCORD_GUILD_ID',
      facts: expect.objectContaining({ guild: expect.any(String) }),
    });
  discord.inviteElsewhere('next');
  await expect.poll(() => discord.elsewhere()).toEqual([]);
});

test('A bot that is not in the guild it was told leaves none: the id may be what is wrong', async () => {
  discord.inviteElsewhere('perhaps meant');
  const elsewhere = botOn(discord, { guild: '1199999999999999999' });
  onTestFinished(() => elsewhere.close());
  await elsewhere.connect();
  await expect
    .poll(elsewhere.words)
    .toContain('the bot is in other guilds and not in the one of DISCORD_GUILD_ID: check that id');
  expect(leaves()).toEqual([]);
});
