import type { Faults } from './faults.ts';
import type { Guild, Person } from './guild.ts';
import type { Mentions } from './mentions.ts';
import type { CommandBody, Embed, ModalBody, Row } from './shapes.ts';

/** The whole state of the sandbox's Discord, and the two ways to announce a change. */
export interface World {
  readonly guild: Guild;
  readonly elsewhere: OtherGuild[];
  readonly token: string;
  readonly now: () => number;
  readonly nextId: () => string;
  newestId: string;
  /** By id, oldest first. */
  readonly messages: Map<string, Message>;
  /** By token, oldest first. */
  readonly interactions: Map<string, Interaction>;
  /** The payload of the newest interaction, as delivered. */
  newestPayload?: unknown;
  /** By the id of the person who has it open. */
  readonly modals: Map<string, OpenModal>;
  readonly faults: Faults;
  /** Replaced as a whole when the bot registers commands. */
  commands: Command[];
  origin: string;
  /** Does nothing if there is no file. */
  memory: Memory;
  readonly answerMs: number;
  readonly tokenMs: number;
  /** Whether the application was granted the MessageContent intent. */
  readonly contentGranted: boolean;
  /** Sends an event to the bots. Returns whether any bot gets it, now or after a resume. */
  readonly dispatch: (event: Dispatch) => boolean;
  readonly changed: () => void;
  /** Runs something later, unless the server was closed. */
  readonly later: (ms: number, run: () => void) => void;
}

/** Another guild that the bot is in; nothing of it is modelled. */
export interface OtherGuild {
  readonly id: string;
  readonly name: string;
}

/** The kinds of records of which the world that outlives a process is made. */
export type Kind = 'newest' | 'roles' | 'gone' | 'thread' | 'commands' | 'interaction' | 'message';

/** Persists the part of the world that outlives the process. */
export interface Memory {
  /** Marks a record as new, changed or gone. Everything marked in one turn is written together. */
  touch(kind: Kind, id: string): void;
  /** Writes the marked records; call it before the change is reported to anybody. */
  flush(): void;
  close(): void;
}

export interface Dispatch {
  t: string;
  /** The intent a connection must have requested; 0: every connection. */
  intent: number;
  data: (intents: number) => unknown;
}

export const INTENTS = {
  guilds: 1,
  members: 1 << 1,
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
  description?: string;
  type: string;
  bytes: Uint8Array;
}

export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly author: Person;
  readonly createdAt: number;
  /** Discord's type: 0 plain, 6 and 18 system, 19 reply, 20 answer to a slash command, 23 to a message command. */
  readonly type: number;
  content: string;
  embeds: Embed[];
  components: Row[];
  files: StoredFile[];
  flags: number;
  mentions: Mentions;
  readonly pinged: string[];
  readonly nonce?: string | number;
  readonly replyTo?: string;
  /** The subject of a system message: the pinned message, or the new thread. */
  readonly about?: { channelId: string; messageId?: string };
  /** Members of the wire form that the sandbox only passes on: polls, stickers, forwarded messages. */
  readonly wire?: Record<string, unknown>;
  /** In ms; no two pins have the same. */
  pinnedAt?: number;
  readonly onlyFor?: string;
  readonly cause?: Interaction;
  editedAt?: number;
  /** The times of edits after its first hour, in ms. */
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

/** The types of Discord's system messages. */
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
  /** Its visible name: `/firewall flush`, a message command's name, a button's label or a modal's title. */
  readonly name: string;
  readonly targetId?: string;
  readonly sourceId?: string;
  /** No bot was connected to receive it. */
  unheard: boolean;
  /** The person dismissed the failure notice. */
  dismissed?: true;
  answer?: Answered;
}

interface Answered {
  /** Discord's callback type: 4 to 9. */
  type: number;
  /** The message `@original`. */
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
