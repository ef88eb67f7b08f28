import type { Person, Place } from './guild.ts';
import { hasFailed, tokenIsOver } from './interactions.ts';
import { sees } from './places.ts';
import type { Embed } from './shapes.ts';
import { byAge } from './snowflake.ts';
import { FLAGS, type Interaction, type Message, NOTE, type World } from './world.ts';

export interface SeenButton {
  label: string;
  /** Empty for a link. */
  customId: string;
  disabled: boolean;
  /** 1 primary, 2 secondary, 3 success, 4 danger, 5 link. */
  style: number;
  /** From 0. */
  row: number;
  url?: string;
}

/** A message as one person sees it, as plain data. */
export interface SeenMessage {
  id: string;
  channelId: string;
  author: string;
  /** As written, with mentions and timestamps in Discord's form. */
  content: string;
  embeds: Embed[];
  buttons: SeenButton[];
  ephemeral: boolean;
  state: 'sent' | 'thinking' | 'failed';
  answers?: string;
  /** Who used `command`; both are set only on the answer to a slash or message command. */
  usedBy?: string;
  command?: string;
  edited: boolean;
  pinned: boolean;
  /** Sent without a notification. */
  silent: boolean;
  /** One of Discord's system messages: the author pinned `replyTo`, or started `thread`. */
  system?: 'pinned' | 'thread';
  thread?: string;
  replyTo?: string;
  pinged: string[];
  mentions: { users: string[]; roles: string[]; everyone: boolean };
  files: { name: string; size: number; type: string; url: string; bytes: Uint8Array }[];
  createdAt: number;
}

export const NO_ANSWER = 'The application did not respond';

/** What a person sees in a channel, oldest first, including their own failed interactions. `from`: no older than this id. */
export function messagesFor(world: World, person: Person, channel: Place, from = '0'): SeenMessage[] {
  if (!sees(world, person, channel)) return [];
  const isHere = ({ id, channelId }: Message | Interaction) => channelId === channel.id && byAge(id, from) >= 0;
  const messages = [...world.messages.values()]
    .filter((message) => isHere(message) && (message.onlyFor ?? person.id) === person.id)
    .map((message) => seen(world, message));
  if (world.guild.gone.some((one) => one.id === channel.id)) return [];
  const failures = [...world.interactions.values()]
    .filter((one) => isHere(one) && isFailureFor(world, one, person))
    .map((one) => failure(world, one));
  return [...messages, ...failures].sort((a, b) => byAge(a.id, b.id));
}

/** Whether this person sees that an interaction of theirs failed. */
export function isFailureFor(world: World, one: Interaction, person: Person): boolean {
  return one.person === person && one.type !== 4 && !one.dismissed && hasFailed(world, one);
}

function seen(world: World, message: Message): SeenMessage {
  const { cause } = message;
  const isAnswer = cause?.answer?.messageId === message.id;
  const loading = (message.flags & FLAGS.loading) !== 0;
  const failed = loading && cause !== undefined && tokenIsOver(world, cause);
  return {
    id: message.id,
    channelId: message.channelId,
    author: message.author.name,
    content: failed ? NO_ANSWER : message.content,
    embeds: (message.flags & FLAGS.suppressEmbeds) !== 0 ? [] : message.embeds,
    buttons: buttonsOf(message),
    ephemeral: message.onlyFor !== undefined,
    state: failed ? 'failed' : loading ? 'thinking' : 'sent',
    ...(cause && isAnswer && { answers: cause.id }),
    ...(cause && (message.type === 20 || message.type === 23) && { usedBy: cause.person.name, command: cause.name }),
    edited: message.editedAt !== undefined,
    pinned: message.pinnedAt !== undefined,
    silent: (message.flags & FLAGS.silent) !== 0,
    ...(message.replyTo !== undefined && { replyTo: message.replyTo }),
    ...noteParts(world, message),
    pinged: message.pinged,
    mentions: message.mentions,
    files: message.files.map(({ id, name, type, bytes }) => ({
      name,
      size: bytes.byteLength,
      type,
      url: `${world.origin}/attachments/${message.channelId}/${id}/${encodeURIComponent(name)}`,
      bytes,
    })),
    createdAt: message.createdAt,
  };
}

function noteParts(world: World, { id, type, about }: Message): Partial<SeenMessage> {
  if (type === NOTE.pinned) return { system: 'pinned', ...(about?.messageId && { replyTo: about.messageId }) };
  if (type === NOTE.thread) return { system: 'thread', ...(about && { thread: about.channelId }) };
  return world.guild.threads.some((one) => one.id === id) ? { thread: id } : {};
}

export function buttonsOf(message: Message): SeenButton[] {
  return message.components.flatMap((components, row) =>
    (components.components ?? [])
      .filter((part) => part.type === 2)
      .map((part) => ({
        label: part.label ?? part.emoji?.name ?? '',
        customId: part.custom_id ?? '',
        disabled: part.disabled ?? false,
        style: part.style ?? 2,
        row,
        ...(part.url != null && { url: part.url }),
      })),
  );
}

// A notice only for the person who acted, not a message: its id is the interaction's.
function failure(world: World, interaction: Interaction): SeenMessage {
  return {
    id: interaction.id,
    channelId: interaction.channelId,
    author: world.guild.bot.name,
    content: NO_ANSWER,
    embeds: [],
    buttons: [],
    ephemeral: true,
    state: 'failed',
    answers: interaction.id,
    ...(interaction.type === 2 && { usedBy: interaction.person.name, command: interaction.name }),
    edited: false,
    pinned: false,
    silent: false,
    ...(interaction.sourceId !== undefined && { replyTo: interaction.sourceId }),
    pinged: [],
    mentions: { users: [], roles: [], everyone: false },
    files: [],
    createdAt: interaction.createdAt,
  };
}
