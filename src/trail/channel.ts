import type { Hindrance } from '../command.ts';
import type { Actor } from '../outcome.ts';

/** A message of the channel. */
export interface Message {
  id: string;
  /** Of a backlog of the trail, the lines of its file stand in the place of what is said about them. */
  content: string;
  edited: boolean;
  /** Whether the bot wrote it. */
  own: boolean;
}

/** Somebody removed messages of the bot's from the channel; `id` and `count` are those of an entry in Discord's audit log. */
export interface Deletion {
  id: string;
  by: Actor;
  count: number;
}

/** The audit channel. All of it rejects with ChannelClosed where Discord refuses the bot there, and with other errors when it is worth trying again. */
export interface AuditChannel {
  id: string;
  /** Up to a hundred messages, newest first, all older than `before` where it is given. */
  page(before?: string): Promise<readonly Message[]>;
  /** Up to a hundred messages about a place, newest first: half of them before it, half from it on. The message may be gone. */
  around(message: string): Promise<readonly Message[]>;
  /** Posts a message silently. Of the same nonce Discord takes one within a few minutes, and answers with that one. */
  post(text: string, nonce: string, file?: { name: string; text: string }): Promise<Message>;
  /** From the guild's audit log, the newest first, back to `since`, in ms; undefined without the right to look there. */
  deletions(how: 'one' | 'many', since: number): Promise<readonly Deletion[] | undefined>;
}

/** What is heard of the audit channel. */
export interface ChannelEvents {
  posted(message: Message): void;
  deleted(messages: readonly string[]): void;
  edited(message: string): void;
  /** The bot lacks a right there: from now on nothing is heard of what happens. */
  shut(): void;
  /** Everything that happened before, since the last of these or the start, may have gone unheard. */
  ready(): void;
}

export interface ChannelWatch {
  /** What is in the way, as far as the gateway says: the channel is gone, or the bot lacks rights there. */
  hindrance(): Extract<Hindrance, { kind: 'lacks' | 'gone' }> | undefined;
  listen(events: ChannelEvents): void;
}
