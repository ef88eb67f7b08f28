import type { Hindrance } from '../command.ts';

/** An attached file. `size` is in bytes; `url` is Discord's. */
export interface AttachedFile {
  name: string;
  size: number;
  url: string;
}

export interface Message {
  id: string;
  content: string;
  edited: boolean;
  /** Whether the bot wrote it. */
  own: boolean;
  /** The first file. Only on the bot's own messages. */
  file?: AttachedFile;
}

/** The audit channel. Every method rejects with ChannelClosed if the bot has no access; else a retry may help. */
export interface AuditChannel {
  id: string;
  /** Up to a hundred messages, newest first; with `before`, only older ones. */
  page(before?: string): Promise<readonly Message[]>;
  /** Up to a hundred messages, newest first: half before this one, half from it on. It may be deleted. */
  around(message: string): Promise<readonly Message[]>;
  /** Posts a message silently. For a repeated nonce, Discord returns the first message, for a few minutes. */
  post(text: string, nonce: string, file?: { name: string; text: string }): Promise<Message>;
  /** The bytes of a file. Undefined if Discord no longer has it. Rejects if a retry may help. */
  file(attached: AttachedFile): Promise<Uint8Array | undefined>;
}

export interface ChannelEvents {
  posted(message: Message): void;
  deleted(messages: readonly string[]): void;
  edited(message: string): void;
  /** The bot lost a permission in the channel, so no more events arrive. */
  closed(): void;
  /** Something about permissions changed, and the bot lacks none in the channel. */
  opened(): void;
  /** Events between the last `ready`, or the start, and this one may be lost. */
  ready(): void;
}

export interface ChannelWatch {
  /** What blocks the channel, as far as the gateway knows: it was deleted, or the bot lacks permissions in it. */
  hindrance(): Extract<Hindrance, { kind: 'lacks' | 'gone' }> | undefined;
  listen(events: ChannelEvents): void;
}
