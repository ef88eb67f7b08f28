import type { AuditEntry } from './audit-log.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { Faults } from './faults.ts';
import type { Guild, Person } from './guild.ts';
import type { Memory } from './memory.ts';
import type { Mentions } from './mentions.ts';
import type { CommandBody, Embed, ModalBody, Row } from './shapes.ts';

/** Everything that the sandbox's Discord knows, and the two ways in which it tells of news. */
export interface World {
  readonly guild: Guild;
  /** Other guilds that the bot is in. */
  readonly elsewhere: Elsewhere[];
  readonly token: string;
  readonly now: () => number;
  readonly nextId: () => string;
  /** The last id that was given. */
  newestId: string;
  /** By id, oldest first. */
  readonly messages: Map<string, Message>;
  /** By token, oldest first. */
  readonly interactions: Map<string, Interaction>;
  /** Of the newest interaction, as it was delivered. */
  newestPayload?: unknown;
  /** By the id of the person who has it open. */
  readonly modals: Map<string, OpenModal>;
  /** Oldest first. */
  readonly auditLog: AuditEntry[];
  readonly faults: Faults;
  /** Replaced as a whole by a registration. */
  commands: Command[];
  /** Known as soon as the server listens. */
  origin: string;
  /** Forgetful, where there is no file. */
  memory: Memory;
  readonly answerMs: number;
  readonly tokenMs: number;
  /** Whether the application was granted the MessageContent intent. */
  readonly contentGranted: boolean;
  /** To the bots. Answers whether anybody is there to hear it, now or after a resume. */
  readonly dispatch: (event: Dispatch) => boolean;
  /** To whoever watches: something can be seen that could not be seen before. */
  readonly changed: () => void;
  /** Runs something later, unless the server was closed in the meantime. */
  readonly later: (ms: number, run: () => void) => void;
}

export interface Dispatch {
  t: string;
  /** The intent that a connection must have asked for; 0 is for all. */
  intent: number;
  data: (intents: number) => unknown;
}

export const INTENTS = {
  guilds: 1,
  members: 1 << 1,
  moderation: 1 << 2,
  presences: 1 << 8,
  messages: 1 << 9,
  content: 1 << 15,
};

/** The application's flag for a granted MessageContent intent. */
export const CONTENT_FLAG = 1 << 19;

export interface Upload {
  /** The n of `files[n]`. */
  slot: string;
  name: string;
  type: string;
  bytes: Uint8Array;
}

export interface StoredFile {
  id: string;
  name: string;
  /** In words, for who cannot see it. */
  description?: string;
  type: string;
  bytes: Uint8Array;
}

export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly author: Person;
  readonly createdAt: number;
  /** Discord's message type: 0 plain, 6 and 18 its own notes, 19 reply, 20 answer to a slash command, 23 to a message command. */
  readonly type: number;
  content: string;
  embeds: Embed[];
  components: Row[];
  files: StoredFile[];
  flags: number;
  mentions: Mentions;
  /** Names of those who were notified when it appeared. */
  readonly pinged: string[];
  readonly nonce?: string | number;
  readonly replyTo?: string;
  /** What one of Discord's own notes is about: the pinned message, or the new thread. */
  readonly about?: { channelId: string; messageId?: string };
  /** Milliseconds; no two pins have the same. */
  pinnedAt?: number;
  /** The id of the only person who sees it. */
  readonly onlyFor?: string;
  /** The interaction that brought it about. */
  readonly cause?: Interaction;
  editedAt?: number;
  /** When it was edited after its first hour, in milliseconds. */
  lateEdits: number[];
}

export const FLAGS = {
  suppressEmbeds: 4,
  hasThread: 32,
  ephemeral: 64,
  loading: 128,
  silent: 4096,
  componentsV2: 1 << 15,
};

/** Discord's own notes among the messages. */
export const NOTE = { pinned: 6, thread: 18 };

export interface Command extends CommandBody {
  id: string;
  version: string;
}

export interface Interaction {
  readonly id: string;
  readonly token: string;
  /** 2 slash command, 3 component, 4 autocomplete, 5 modal. */
  readonly type: 2 | 3 | 4 | 5;
  readonly person: Person;
  readonly channelId: string;
  readonly createdAt: number;
  /** As people say it: `/firewall flush`, or the name of a message command, the label of a button, the title of a modal. */
  readonly name: string;
  /** The message on which a message command was used. */
  readonly targetId?: string;
  /** The message whose button was clicked. */
  readonly sourceId?: string;
  /** Nobody was there to hear of it. */
  unheard: boolean;
  /** The person does not want to see any more that it failed. */
  dismissed?: true;
  answer?: Answered;
}

interface Answered {
  /** Discord's callback type: 4 to 9. */
  type: number;
  /** What `@original` is. */
  messageId?: string;
  choices?: { name: string; value: string | number }[];
}

export interface OpenModal {
  /** The id of the interaction that opened it. */
  readonly id: string;
  readonly body: ModalBody;
  readonly channelId: string;
  readonly sourceId?: string;
}
