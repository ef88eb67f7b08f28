import { once } from 'node:events';
import { type Client, Events, GatewayIntentBits, type Interaction, MessageFlags, Partials } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { COMMANDS, startBot } from '../../helpers/sandbox/discord/bot.ts';

let discord: SandboxDiscord;
let clients: Client[];

beforeEach(async () => {
  clients = [];
  discord = await startDiscord();
});
afterEach(async () => {
  for (const client of clients) await client.destroy();
  await discord.close();
});

async function bot(...args: Parameters<typeof startBot> extends [unknown, ...infer Rest] ? Rest : never) {
  const client = await startBot(discord, ...args);
  clients.push(client);
  return client;
}

test('it knows the guild, its own member and the person who acts', async () => {
  const seen: unknown[] = [];
  const client = await bot((interaction) => {
    if (!interaction.isChatInputCommand() || !interaction.inCachedGuild()) return;
    seen.push(interaction.member.roles.cache.has(discord.roles.lead), interaction.channel?.name);
    seen.push(interaction.memberPermissions.has('SendMessages'), interaction.options.getInteger('percent'));
    return interaction.reply('ok');
  });
  expect(client.guilds.cache.get(discord.guildId)?.members.me?.id).toBe(discord.botUserId);
  expect((await client.guilds.cache.first()?.commands.fetch())?.map((command) => command.name)).toEqual(
    COMMANDS.map((command) => command.name),
  );
  await discord.type('alice', 'ops', '/cpu percent:7 interface:secondary');
  await discord.until(() => discord.messages('alice', 'ops').length === 1);
  expect(seen).toEqual([true, 'ops', true, 7]);
});

test('it resumes after a drop and answers what was typed in between', async () => {
  const client = await bot((interaction) => interaction.isChatInputCommand() && interaction.reply('back'));
  discord.order({ kind: 'drop-gateway' });
  const resumed = once(client, Events.ShardResume);
  const id = await discord.type('alice', 'ops', '/cpu percent:1');
  await resumed;
  await discord.until(() => discord.messages('alice', 'ops').find((one) => one.answers === id));
  expect(discord.view('bob', 'ops')).toBe('alice used /cpu\npanelops: back');
});

test('it logs in again where the session is forgotten', async () => {
  const client = await bot((interaction) => interaction.isChatInputCommand() && interaction.reply('new session'));
  const ready = once(client, Events.ShardReady);
  discord.order({ kind: 'forget-sessions' });
  discord.order({ kind: 'reconnect' });
  await ready;
  await discord.type('alice', 'ops', '/cpu percent:1');
  await discord.until(() => discord.messages('alice', 'ops').length === 1);
});

test('a post whose answer is lost is sent again by the client, and with an enforced nonce appears once', async () => {
  const client = await bot();
  const channel = await client.channels.fetch(discord.channels.ops);
  if (!channel?.isSendable()) throw new Error('not a text channel');
  discord.order({ kind: 'lose-request', match: { method: 'POST', path: '/channels/*/messages' } });
  // The client's own enforceNonce covers only posts without a nonce of ours.
  const message = await channel.send({ content: 'once', nonce: 'run-1', enforceNonce: true });
  expect(discord.messages('bob', 'ops').map((one) => one.id)).toEqual([message.id]);
  const posts = discord.requests.filter((request) => request.path.endsWith('/messages'));
  expect(posts.map((request) => request.status)).toEqual([200, 200]);
});

test('without a nonce the same accident shows the message twice', async () => {
  const client = await bot();
  const channel = await client.channels.fetch(discord.channels.ops);
  if (!channel?.isSendable()) throw new Error('not a text channel');
  discord.order({ kind: 'lose-request', match: { method: 'POST', path: '/channels/*/messages' } });
  await channel.send('twice');
  expect(discord.messages('bob', 'ops')).toHaveLength(2);
});

test('an answer whose first sending was lost ends in 40060 although it is there', async () => {
  const codes: unknown[] = [];
  await bot(async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    await interaction.reply('there').catch((error) => codes.push(error.code));
    await discord.type('bob', 'random', 'the bot knows');
  });
  discord.order({ kind: 'lose-request', match: { path: '/interactions/*/callback' } });
  await discord.type('alice', 'ops', '/cpu percent:1');
  await discord.until(() => discord.messages('bob', 'random').length === 1);
  expect(codes).toEqual([40060]);
  expect(discord.view('alice', 'ops')).toBe('alice used /cpu\npanelops: there');
});

test('two bots and a double delivery: four hear it, one answers', async () => {
  const heard: string[] = [];
  const answer = async (interaction: Interaction) => {
    if (!interaction.isChatInputCommand()) return;
    heard.push(
      await interaction.reply('mine').then(
        () => 'answered',
        (error) => String(error.code),
      ),
    );
    await discord.type('bob', 'random', 'heard');
  };
  await bot(answer);
  await bot(answer);
  discord.order({ kind: 'deliver-twice' });
  await discord.type('alice', 'ops', '/cpu percent:1');
  await discord.until(() => heard.length === 4);
  expect(heard.sort()).toEqual(['40060', '40060', '40060', 'answered']);
  expect(discord.messages('alice', 'ops')).toHaveLength(1);
});

test('it sees the deletion of a message that it does not know', async () => {
  const id = await discord.type('bob', 'audit', 'a line from before');
  const client = await bot(undefined, {
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
    partials: [Partials.Message],
  });
  const deleted = once(client, Events.MessageDelete);
  discord.deleteMessage('alice', id);
  expect((await deleted)[0].id).toBe(id);
});

test('files and private follow-ups arrive', async () => {
  await bot(async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    await interaction.deferReply();
    await interaction.editReply({ content: 'log', files: [{ attachment: Buffer.from('abc'), name: 'a.txt' }] });
    await interaction.followUp({ content: 'psst', flags: MessageFlags.Ephemeral });
  });
  await discord.type('alice', 'ops', '/cpu percent:1');
  await discord.until(() => discord.messages('alice', 'ops').length === 2);
  expect(discord.messages('bob', 'ops').map((one) => [one.content, one.files[0]?.name])).toEqual([['log', 'a.txt']]);
});

test('a token that Discord does not know is refused at login', async () => {
  const other = await startDiscord({ token: 'b3RoZXI.U0FORA.other' });
  await expect(startBot({ ...other, token: discord.token })).rejects.toMatchObject({ code: 'TokenInvalid' });
  await other.close();
});
