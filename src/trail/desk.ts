import type { Hindrance } from '../command.ts';
import type { Actor } from '../outcome.ts';
import type { Message } from './compare.ts';

/** Somebody removed messages of the bot's from the channel; `id` and `count` are those of an entry in Discord's audit log. */
export interface Deletion {
  id: string;
  by: Actor;
  count: number;
}

/** The audit channel. What is 'closed' was refused: the channel is gone, or the bot lacks a right there. All else that goes wrong rejects. */
export interface TrailDesk {
  /** Up to a hundred messages, newest first, all older than `before` where it is given. */
  page(before?: string): Promise<readonly Message[] | 'closed'>;
  /** Up to a hundred messages about a place, newest first: half of them before it, half from it on. It may be a message that is gone. */
  around(message: string): Promise<readonly Message[] | 'closed'>;
  /** Posts a message silently. Of the same nonce Discord takes one within a few minutes, and answers with that one. */
  post(text: string, nonce: string): Promise<Message | 'closed'>;
  /** The newest in the guild's audit log first; undefined without the right to look there. */
  deletions(how: 'one' | 'many'): Promise<readonly Deletion[] | undefined>;
}

/** What is heard of the audit channel. */
export interface TrailEvents {
  posted(message: Message): void;
  deleted(messages: readonly string[]): void;
  /** `at`: when, in ms. */
  edited(message: string, at: number): void;
  /** Everything that happened before, since the last of these or the start, may have gone unheard. */
  ready(): void;
}

export interface TrailWatch {
  /** What is in the way, as far as the gateway has told: the channel is gone, or the bot lacks rights there. */
  hindrance(): Extract<Hindrance, { kind: 'lacks' | 'gone' }> | undefined;
  listen(events: TrailEvents): void;
}
