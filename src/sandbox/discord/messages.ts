import { storedDraft } from './content.ts';
import { memberObject, type Person } from './guild.ts';
import { mentionsIn, NOBODY, notified } from './mentions.ts';
import { botHears, botRights, holdsMessages, placeOf, rightsOf } from './places.ts';
import {
  emptyMessage,
  missingPermissions,
  systemMessage,
  unknownChannel,
  unknownMessage,
  wrongPlace,
} from './refusal.ts';
import { RIGHTS } from './rights.ts';
import type { Draft, Row } from './shapes.ts';
import { noteSent, refuseArchived } from './threads.ts';
import { messageObject } from './wire.ts';
import {
  FLAGS,
  INTENTS,
  type Interaction,
  type Message,
  NOTE,
  type StoredFile,
  type Upload,
  type World,
} from './world.ts';

/** Discord remembers nonces "for a few minutes". */
const NONCE_MS = 5 * 60_000;

/** Flags allowed on a new message; Discord ignores others. */
const POSTED_FLAGS = FLAGS.suppressEmbeds | FLAGS.silent | FLAGS.componentsV2;

export interface Post {
  channelId: string;
  author: Person;
  draft: Draft;
  files?: Upload[];
  flags?: number;
  type?: number;
  replyTo?: string;
  onlyFor?: string;
  cause?: Interaction;
  /** An acknowledged command without its answer yet. */
  thinking?: boolean;
}

/** Stores a message and sends it to the bots; returns the existing one if enforce_nonce finds it. */
export function post(world: World, { draft: sent, ...where }: Post): Message {
  const draft = storedDraft(sent);
  refusePlace(world, where);
  const known = draft.enforce_nonce ? withNonce(world, where.author, draft.nonce) : undefined;
  if (known) return known;
  const content = draft.content ?? '';
  const files = storeFiles(world, where.channelId, draft, where.files ?? []);
  // Only an explicit reply pings; the reference above an answer to a button is Discord's own.
  const repliedTo = where.cause ? undefined : world.messages.get(where.replyTo ?? '')?.author;
  const allowed = draft.allowed_mentions;
  const mayMention = mayMentionAll(world, where);
  const mentions = where.thinking ? NOBODY : mentionsIn(world.guild, content, { allowed, repliedTo, mayMention });
  const flags = (where.flags ?? 0) | ((draft.flags ?? 0) & POSTED_FLAGS);
  const message: Message = {
    id: world.nextId(),
    channelId: where.channelId,
    author: where.author,
    createdAt: world.now(),
    type: where.type ?? (where.replyTo ? 19 : 0),
    content,
    embeds: draft.embeds ?? [],
    components: numbered(draft.components ?? []),
    files,
    flags,
    mentions,
    pinged: isQuiet(where, flags) ? [] : notified(world.guild, mentions, where.author),
    lateEdits: [],
    ...(draft.nonce != null && { nonce: draft.nonce }),
    ...(where.replyTo !== undefined && { replyTo: where.replyTo }),
    ...(where.onlyFor !== undefined && { onlyFor: where.onlyFor }),
    ...(where.cause && { cause: where.cause }),
  };
  if (!where.thinking) refuseEmpty(message);
  return keep(world, message);
}

/** Whether the author has the right Mention Everyone there. */
function mayMentionAll(world: World, { author, channelId }: Pick<Message, 'author' | 'channelId'>): boolean {
  const place = placeOf(world.guild, channelId);
  const rights = author === world.guild.bot && place ? botRights(world, place) : rightsOf(world, author);
  return (rights & RIGHTS.mentionEveryone) !== 0n;
}

function refusePlace({ guild }: World, { channelId }: Pick<Post, 'channelId'>): void {
  const place = placeOf(guild, channelId);
  if (!place) throw unknownChannel();
  if (!holdsMessages(place)) throw wrongPlace();
}

function isQuiet({ onlyFor }: { onlyFor?: string }, flags: number): boolean {
  return onlyFor !== undefined || (flags & FLAGS.silent) !== 0;
}

export interface Note {
  channelId: string;
  author: Person;
  type: number;
  content?: string;
  about?: NonNullable<Message['about']>;
  wire?: Record<string, unknown>;
}

/** Stores a message as it is, such as one of Discord's system messages, and sends it to the bots. */
export function note(world: World, { content = '', ...what }: Note): Message {
  return keep(world, {
    ...what,
    id: world.nextId(),
    createdAt: world.now(),
    content,
    embeds: [],
    components: [],
    files: [],
    flags: 0,
    mentions: NOBODY,
    pinged: [],
    lateEdits: [],
  });
}

/** Whether a message is one of Discord's system messages. */
export function isNote({ type }: Message): boolean {
  return type === NOTE.pinned || type === NOTE.thread;
}

function keep(world: World, message: Message): Message {
  world.messages.set(message.id, message);
  if (!message.onlyFor) noteSent(world, message);
  announce(world, 'MESSAGE_CREATE', message);
  return message;
}

function withNonce(world: World, author: Person, nonce: string | number | null | undefined): Message | undefined {
  if (nonce == null) return undefined;
  for (const message of world.messages.values()) {
    const fits = message.author === author && message.nonce !== undefined && String(message.nonce) === String(nonce);
    if (fits && world.now() - message.createdAt < NONCE_MS) return message;
  }
  return undefined;
}

/** Changes the members in the draft, as PATCH does. The first edit of a "thinking" message is its answer. */
export function edit(world: World, message: Message, sent: Draft, uploads: Upload[] = []): Message {
  const draft = storedDraft(sent);
  if (isNote(message)) throw systemMessage();
  if (!message.onlyFor) refuseArchived(world, message.channelId);
  const next = {
    content: draft.content === undefined ? message.content : (draft.content ?? ''),
    embeds: draft.embeds === undefined ? message.embeds : (draft.embeds ?? []),
    components: draft.components === undefined ? message.components : numbered(draft.components ?? []),
    files: editedFiles(world, message, draft, uploads),
  };
  refuseEmpty(next);
  const thinking = (message.flags & FLAGS.loading) !== 0;
  Object.assign(message, next);
  message.flags &= ~FLAGS.loading;
  if (draft.flags != null) {
    message.flags = (message.flags & ~FLAGS.suppressEmbeds) | (draft.flags & FLAGS.suppressEmbeds);
  }
  if (draft.content !== undefined) {
    const replied = message.cause || !message.replyTo ? undefined : world.messages.get(message.replyTo)?.author;
    const mayMention = mayMentionAll(world, message);
    const how = { allowed: draft.allowed_mentions, repliedTo: replied, mayMention };
    message.mentions = mentionsIn(world.guild, message.content, how);
  }
  if (!thinking) message.editedAt = world.now();
  announce(world, 'MESSAGE_UPDATE', message);
  return message;
}

function editedFiles(world: World, message: Message, draft: Draft, uploads: Upload[]): StoredFile[] {
  const listed = draft.attachments?.map((attachment) => String(attachment.id));
  const kept = draft.attachments === null ? [] : message.files.filter((file) => listed?.includes(file.id) ?? true);
  return [...kept, ...storeFiles(world, message.channelId, draft, uploads)];
}

/** Deletes a message. Ephemeral messages are deleted without an event. */
export function remove(world: World, message: Message): void {
  forget(world, message.id);
  if (!message.onlyFor && botHears(world, message.channelId)) {
    world.dispatch({
      t: 'MESSAGE_DELETE',
      intent: INTENTS.messages,
      data: () => ({ id: message.id, channel_id: message.channelId, guild_id: world.guild.id }),
    });
  }
  world.changed();
}

export function removeMany(world: World, channelId: string, ids: readonly string[]): void {
  for (const id of ids) forget(world, id);
  if (botHears(world, channelId)) {
    world.dispatch({
      t: 'MESSAGE_DELETE_BULK',
      intent: INTENTS.messages,
      data: () => ({ ids: [...ids], channel_id: channelId, guild_id: world.guild.id }),
    });
  }
  world.changed();
}

export function forget(world: World, id: string): void {
  world.messages.delete(id);
  world.memory.touch('message', id);
}

/** A message visible to the bot's token: ephemeral ones are as unknown as deleted ones. */
export function publicMessage(world: World, channelId: string, id: string): Message {
  const message = world.messages.get(id);
  if (!message || message.channelId !== channelId || message.onlyFor) throw unknownMessage();
  return message;
}

function refuseEmpty(message: { content: string; embeds: unknown[]; files: unknown[] }): void {
  if (message.content === '' && message.embeds.length === 0 && message.files.length === 0) throw emptyMessage();
}

function storeFiles(world: World, placeId: string, draft: Draft, uploads: Upload[]): StoredFile[] {
  const place = placeOf(world.guild, placeId);
  if (uploads.length > 0 && place && (botRights(world, place) & RIGHTS.attachFiles) === 0n) throw missingPermissions();
  return uploads.map(({ slot, name: sent, type, bytes }) => {
    const declared = draft.attachments?.find((attachment) => String(attachment.id) === slot);
    const name = declared?.filename ?? sent;
    const description = declared?.description;
    const file = { id: world.nextId(), name, type: typeOf(name, type), bytes };
    return description == null ? file : { ...file, description };
  });
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
};

// Guesses the content type by name, as Discord does if the client does not give one.
function typeOf(name: string, type: string): string {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  return type === 'application/octet-stream' ? (TYPES[ending] ?? type) : type;
}

// Discord numbers components without an id, depth first.
function numbered(rows: Row[]): Row[] {
  let next = 0;
  return rows.map((row) => {
    const id = row.id ?? ++next;
    return { ...row, id, components: row.components?.map((part) => ({ ...part, id: part.id ?? ++next })) };
  });
}

/** Sends a new or changed message to the bots, unless it is ephemeral. */
export function announce(world: World, t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: Message): void {
  world.memory.touch('message', message.id);
  if (!message.onlyFor && botHears(world, message.channelId)) {
    const member = message.author === world.guild.bot ? {} : { member: memberObject(message.author) };
    world.dispatch({
      t,
      intent: INTENTS.messages,
      data: (intents) => ({
        ...messageObject(world, message, (intents & INTENTS.content) !== 0),
        guild_id: world.guild.id,
        ...member,
      }),
    });
  }
  world.changed();
}
