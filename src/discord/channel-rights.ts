import { ChannelType, PermissionFlagsBits, type PermissionsBitField } from 'discord.js';

/** Permissions that the bot needs in the policy's channels, in the audit channel and in threads, named as in Discord's settings. */
const rights = {
  'View Channel': PermissionFlagsBits.ViewChannel,
  'Send Messages': PermissionFlagsBits.SendMessages,
  'Embed Links': PermissionFlagsBits.EmbedLinks,
  'Attach Files': PermissionFlagsBits.AttachFiles,
  'Read Message History': PermissionFlagsBits.ReadMessageHistory,
  'Create Public Threads': PermissionFlagsBits.CreatePublicThreads,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
  'Pin Messages': PermissionFlagsBits.PinMessages,
};
export type ChannelRight = keyof typeof rights;

// The keys of a record are its own type.
const all = Object.keys(rights) as ChannelRight[];

/** Whether people type commands in it, and the bot can start threads. */
export const isTextChannel = (type: ChannelType | undefined): boolean =>
  type === ChannelType.GuildText || type === ChannelType.GuildAnnouncement;

/** Without it, a ping of a role that is not mentionable notifies nobody. */
export const mayMentionRoles = (has: Readonly<PermissionsBitField>): boolean =>
  has.has(PermissionFlagsBits.MentionEveryone);

/** Those that the bot lacks, of these. Default: of all. */
export const lacked = (
  has: Readonly<PermissionsBitField>,
  wanted: readonly ChannelRight[] = all,
): readonly ChannelRight[] => wanted.filter((name) => !has.has(rights[name]));
