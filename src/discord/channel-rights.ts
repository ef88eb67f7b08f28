import { ChannelType, PermissionFlagsBits, type PermissionsBitField } from 'discord.js';

/** Permissions that the bot needs in the policy's channels and in the audit channel, named as in Discord's settings. */
const inChannel = {
  'View Channel': PermissionFlagsBits.ViewChannel,
  'Send Messages': PermissionFlagsBits.SendMessages,
  'Embed Links': PermissionFlagsBits.EmbedLinks,
  'Attach Files': PermissionFlagsBits.AttachFiles,
  'Read Message History': PermissionFlagsBits.ReadMessageHistory,
  'Create Public Threads': PermissionFlagsBits.CreatePublicThreads,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
  'Pin Messages': PermissionFlagsBits.PinMessages,
};
/** Whether people type commands in it, and the bot can start threads. */
export const isTextChannel = (type: ChannelType | undefined): boolean =>
  type === ChannelType.GuildText || type === ChannelType.GuildAnnouncement;

/** Without it, a ping of a role that is not mentionable notifies nobody. */
export const mayMentionRoles = (has: Readonly<PermissionsBitField>): boolean =>
  has.has(PermissionFlagsBits.MentionEveryone);

export type ChannelRight = keyof typeof inChannel;

export const lackedInChannel = (has: Readonly<PermissionsBitField>): ChannelRight[] =>
  // The keys of a record are its own type.
  (Object.keys(inChannel) as ChannelRight[]).filter((name) => !has.has(inChannel[name]));
