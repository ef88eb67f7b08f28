import { once } from 'node:events';
import {
  ChannelType,
  type Client,
  Events,
  GatewayIntentBits,
  type Interaction,
  MessageFlags,
  MessageType,
  Partials,
  PermissionFlagsBits,
  TextChannel,
  ThreadAutoArchiveDuration,
} from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { startBot } from '../../helpers/sandbox/discord/bot.ts';

let discord: SandboxDiscord;
let client: Client<true>;
let answer: (interaction: Interaction) => unknown;

beforeEach(async () => {
  discord = await startDiscord({ limits: { posts: false } });
  answer = () => undefined;
  client = await startBot(discord, (interaction) => answer(interaction), {
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
    partials: [Partials.Message],
  });
});
afterEach(async () => {
  await client.destroy();
  await discord.close();
});

async function channelOf(name: 'ops' | 'audit'): Promise<TextChannel> {
  const channel = await client.channels.fetch(discord.channels[name]);
  if (!(channel instanceof TextChannel)) throw new Error('not a text channel');
  return channel;
}

test('a thread is created, used for commands, and archived', async () => {
  const ops = await channelOf('ops');
  const seen: unknown[] = [];
  answer = async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    const { channel } = interaction;
    seen.push(channel?.isThread(), channel?.isThread() && channel.parentId, channel?.type);
    await interaction.reply('kept for the incident');
  };
  const created = once(client, Events.ThreadCreate);
  const thread = await ops.threads.create({
    name: 'disk full',
    type: ChannelType.PublicThread,
    autoArchiveDuration: ThreadAutoArchiveDuration.OneDay,
  });
  expect((await created)[0].id).toBe(thread.id);
  expect([thread.parentId, thread.ownerId, thread.joined, thread.sendable, thread.editable]).toEqual([
    discord.channels.ops,
    discord.botUserId,
    true,
    true,
    true,
  ]);
  await thread.send('Incident started');
  await discord.type('alice', 'disk full', '/cpu percent:1');
  await discord.until(() => discord.messages('alice', thread.id).length === 2);
  expect(seen).toEqual([true, discord.channels.ops, ChannelType.PublicThread]);
  expect((await thread.messages.fetch()).map((message) => message.content)).toEqual([
    'kept for the incident',
    'Incident started',
  ]);
  // That is for moderators.
  await expect(thread.setLocked(true)).rejects.toMatchObject({ code: 50013 });
  await thread.setArchived(true);
  expect([thread.locked, thread.archived]).toEqual([false, true]);
  expect((await client.channels.fetch(thread.id, { force: true }))?.isThread()).toBe(true);
});

test('a thread opens again by a message, and the bot hears it', async () => {
  const thread = await (await channelOf('ops')).threads.create({ name: 'disk full', type: ChannelType.PublicThread });
  const archived = once(client, Events.ThreadUpdate);
  await thread.setArchived(true);
  await archived;
  await expect(thread.setName('x')).rejects.toMatchObject({ code: 50083 });
  const opened = once(client, Events.ThreadUpdate);
  await discord.type('bob', thread.id, 'again');
  expect((await opened)[1].archived).toBe(false);
});

test('a thread starts from a message', async () => {
  const ops = await channelOf('ops');
  const message = await ops.send('web-1 is slow');
  const thread = await message.startThread({ name: 'web-1' });
  expect(thread.id).toBe(message.id);
  expect((await thread.fetchStarterMessage())?.content).toBe('web-1 is slow');
  await discord.until(() => message.hasThread);
});

test('messages are pinned, listed and unpinned', async () => {
  const ops = await channelOf('ops');
  const message = await ops.send('3 loose ends');
  const noted = new Promise<void>((resolve) => {
    client.on(Events.MessageCreate, ({ type }) => {
      if (type === MessageType.ChannelPinnedMessage) resolve();
    });
  });
  const updated = once(client, Events.ChannelPinsUpdate);
  await message.pin();
  await noted;
  expect((await updated)[1]).toEqual(ops.lastPinTimestamp);
  const { items, hasMore } = await ops.messages.fetchPins();
  expect([items.map((pin) => pin.message.id), hasMore, message.pinned]).toEqual([[message.id], false, true]);
  expect(message.pinnable).toBe(true);
  await message.unpin();
  expect(discord.pins('ops')).toEqual([]);
  discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'pin' });
  await expect(message.pin()).rejects.toMatchObject({ code: 50013 });
});

test('the permissions of the bot follow what is forbidden and allowed again', async () => {
  const audit = await channelOf('audit');
  const { ViewChannel, SendMessages, PinMessages } = PermissionFlagsBits;
  const may = () =>
    [ViewChannel, SendMessages, PinMessages].map((right) => audit.permissionsFor(client.user)?.has(right));
  expect(may()).toEqual([true, true, true]);
  const closed = once(client, Events.ChannelUpdate);
  discord.order({ kind: 'forbid-channel', channel: 'audit' });
  await closed;
  expect(may()).toEqual([true, false, true]);
  await expect(audit.send('x')).rejects.toMatchObject({ code: 50013 });
  const opened = once(client, Events.ChannelUpdate);
  discord.clear();
  await opened;
  expect(may()).toEqual([true, true, true]);
  const hidden = once(client, Events.ChannelUpdate);
  discord.order({ kind: 'forbid-channel', channel: 'audit', right: 'view' });
  await hidden;
  expect(may().slice(0, 2)).toEqual([false, false]);
  expect(audit.viewable).toBe(false);
  await expect(audit.messages.fetch()).rejects.toMatchObject({ code: 50001 });
});

test('a deleted channel is known to be gone', async () => {
  const audit = await channelOf('audit');
  const thread = await audit.threads.create({ name: 'x', type: ChannelType.PublicThread });
  const deleted = once(client, Events.ChannelDelete);
  discord.deleteChannel('audit');
  expect((await deleted)[0].id).toBe(audit.id);
  expect([client.channels.cache.has(audit.id), client.channels.cache.has(thread.id)]).toEqual([false, false]);
  await expect(audit.send('x')).rejects.toMatchObject({ code: 10003 });
});

test('a deleted line of the trail', async () => {
  const audit = await channelOf('audit');
  const [one, two, three] = [await audit.send('1'), await audit.send('2'), await audit.send('3')];
  const gone = once(client, Events.MessageDelete);
  discord.deleteMessage('alice', one.id);
  expect((await gone)[0].id).toBe(one.id);
  const bulk = once(client, Events.MessageBulkDelete);
  discord.deleteMessages('alice', [two.id, three.id]);
  expect([...(await bulk)[0].keys()].sort()).toEqual([two.id, three.id].sort());
});

test('an edit of the trail is heard, before and after', async () => {
  const line = await (await channelOf('audit')).send('SEQ 1');
  const edited = once(client, Events.MessageUpdate);
  await fetch(`${discord.apiUrl}/v10/channels/${line.channelId}/messages/${line.id}`, {
    method: 'PATCH',
    headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'SEQ 9' }),
  });
  const [before, after] = await edited;
  expect([before.content, after.content, after.editedTimestamp === null]).toEqual(['SEQ 1', 'SEQ 9', false]);
});

test('a message command knows its message', async () => {
  await client.application.commands.set([{ type: 3, name: 'Add to incident timeline' }], discord.guildId);
  answer = async (interaction) => {
    if (!interaction.isMessageContextMenuCommand()) return;
    const { targetMessage, targetId } = interaction;
    const same = targetMessage.id === targetId;
    const words = `${same} ${targetMessage.author.username}: ${targetMessage.content}`;
    await interaction.reply({ content: words, flags: MessageFlags.SuppressNotifications });
  };
  const target = await discord.type('bob', 'ops', 'the disk filled up at 21:40');
  const id = await discord.menu('alice', target, 'Add to incident timeline');
  const kept = await discord.until(() => discord.messages('bob', 'ops').find((message) => message.answers === id));
  expect([kept.content, kept.silent]).toEqual(['true bob: the disk filled up at 21:40', true]);
});

test('a file of the client arrives with its type', async () => {
  await (await channelOf('ops')).send({ files: [{ attachment: Buffer.from('# Timeline'), name: 'timeline.md' }] });
  expect(discord.messages('bob', 'ops')[0]?.files).toMatchObject([
    { name: 'timeline.md', size: 10, type: 'text/markdown; charset=utf-8' },
  ]);
});
