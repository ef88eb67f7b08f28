import { once } from 'node:events';
import { type Client, Events } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { startBot } from '../../helpers/sandbox/discord/bot.ts';
import { call } from '../../helpers/sandbox/discord/raw.ts';

let discord: SandboxDiscord;
let client: Client;
beforeEach(async () => {
  discord = await startDiscord();
  discord.inviteElsewhere('before');
  client = await startBot(discord, () => undefined);
});
afterEach(async () => {
  await client.destroy();
  await discord.close();
});

const names = () => client.guilds.cache.map(({ name }) => name);

test('a bot knows the guilds that it was invited to, before and while it is connected', async () => {
  expect(names()).toEqual(['Sandbox', 'before']);
  const added = once(client, Events.GuildCreate);
  const id = discord.inviteElsewhere('later');
  const [guild] = await added;
  expect([guild.id, names()]).toEqual([id, ['Sandbox', 'before', 'later']]);
});

test('a bot that leaves one is out of it, and of no other', async () => {
  const gone = once(client, Events.GuildDelete);
  await client.guilds.cache.find(({ name }) => name === 'before')?.leave();
  const [guild] = await gone;
  expect([guild.name, names(), discord.elsewhere()]).toEqual(['before', ['Sandbox'], []]);
  const again = await call(discord, 'DELETE', `/users/@me/guilds/${guild.id}`);
  expect([again.status, again.json]).toEqual([404, { message: 'Unknown Guild', code: 10004 }]);
});

test("the bot cannot leave the sandbox's own guild", async () => {
  const reply = await call(discord, 'DELETE', `/users/@me/guilds/${discord.guildId}`);
  expect([reply.status, reply.json]).toEqual([400, { message: 'Invalid Guild', code: 50055 }]);
});
