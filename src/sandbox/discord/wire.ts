import { userObject } from './guild.ts';
import { placeObject } from './places.ts';
import type { Embed } from './shapes.ts';
import { FLAGS, type Interaction, type Message, type StoredFile, type World } from './world.ts';

/** A message on the wire. Without the MessageContent intent, others' content is empty unless they mention the bot. */
export function messageObject(world: World, message: Message, contentIntent: boolean): Record<string, unknown> {
  const own = bareMessage(world, message, contentIntent);
  if (message.replyTo === undefined) return own;
  const replied = world.messages.get(message.replyTo);
  return {
    ...own,
    message_reference: {
      type: 0,
      message_id: message.replyTo,
      channel_id: message.channelId,
      guild_id: world.guild.id,
    },
    referenced_message: replied && !replied.onlyFor ? bareMessage(world, replied, contentIntent) : null,
  };
}

function bareMessage(world: World, message: Message, contentIntent: boolean): Record<string, unknown> {
  const { guild } = world;
  const thread = guild.threads.find((one) => one.id === message.id);
  const open = contentIntent || message.author === guild.bot || message.mentions.users.includes(guild.bot.id);
  return {
    id: message.id,
    type: message.type,
    channel_id: message.channelId,
    author: userObject(guild, message.author),
    content: open ? message.content : '',
    timestamp: new Date(message.createdAt).toISOString(),
    edited_timestamp: message.editedAt === undefined ? null : new Date(message.editedAt).toISOString(),
    tts: false,
    pinned: message.pinnedAt !== undefined,
    flags: message.flags | (thread ? FLAGS.hasThread : 0),
    mention_everyone: message.mentions.everyone,
    mentions: [...guild.people, guild.bot]
      .filter((person) => message.mentions.users.includes(person.id))
      .map((person) => userObject(guild, person)),
    mention_roles: guild.roles.filter((role) => message.mentions.roles.includes(role.id)).map((role) => role.id),
    embeds: open ? message.embeds.map(embedObject) : [],
    components: open ? message.components : [],
    attachments: open ? message.files.map((file) => fileObject(world, message, file)) : [],
    ...(thread && { thread: placeObject(world, thread) }),
    ...(message.about && { message_reference: aboutObject(world, message.about) }),
    ...(message.nonce !== undefined && { nonce: message.nonce }),
    ...(message.cause && causeObject(world, message.cause)),
    ...(open && message.wire),
  };
}

function embedObject({ fields, ...embed }: Embed) {
  return {
    type: 'rich',
    ...embed,
    ...(fields && { fields: fields.map((field) => ({ inline: false, ...field })) }),
  };
}

function aboutObject(world: World, { channelId, messageId }: NonNullable<Message['about']>) {
  const whole = { type: 0, channel_id: channelId, guild_id: world.guild.id };
  return messageId === undefined ? whole : { ...whole, message_id: messageId };
}

function causeObject(world: World, cause: Interaction) {
  return {
    application_id: world.guild.bot.id,
    webhook_id: world.guild.bot.id,
    interaction_metadata: {
      id: cause.id,
      type: cause.type,
      user: userObject(world.guild, cause.person),
      authorizing_integration_owners: { 0: world.guild.id },
      ...(cause.type === 2 && commandObject(cause)),
      ...(cause.sourceId !== undefined && { interacted_message_id: cause.sourceId }),
    },
  };
}

function commandObject({ name, targetId }: Interaction) {
  return targetId === undefined
    ? { name: name.slice(1), command_type: 1 }
    : { name, command_type: 3, target_message_id: targetId };
}

function fileObject(world: World, message: Message, file: StoredFile) {
  const url = `${world.origin}/attachments/${message.channelId}/${file.id}/${encodeURIComponent(file.name)}`;
  return {
    id: file.id,
    filename: file.name,
    ...(file.description !== undefined && { description: file.description }),
    size: file.bytes.byteLength,
    content_type: file.type,
    url,
    proxy_url: url,
  };
}
