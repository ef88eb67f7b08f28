import type { Card } from '../card.ts';

/** A message in a channel. */
export interface Where {
  channel: string;
  message: string;
}

/** Where something is posted, and the message that it answers, if it answers one. */
export interface Target {
  channel: string;
  message?: string;
}

/** Where a card is: its message; or, while that is not known, the interaction that it answers. */
export interface CardPlace {
  channel: string;
  message?: string;
  /** The interaction that it answers, for everybody to see. */
  answers?: string;
  /** Of the newest interaction with the card, while its token is good: such edits do not count towards the channel's limit. */
  interaction?: { id: string; token: string };
  /** Whom it pinged when it was posted: they stay named. */
  pings?: readonly string[];
  /** It may show something else than what was put there last: it is read before it is edited. */
  doubted?: boolean;
}

/**
 * What became of an edit. `same`: nothing was sent, the message shows just this. `too-old`: Discord takes no more edits of this message now (30046). `archived`: its thread has to be
 * reopened by a message first (50083). `gone`: the message or its channel is no more.
 */
export type Edited = 'edited' | 'same' | 'too-old' | 'archived' | 'gone';

/**
 * The messages of the bot. All reject when it is worth trying again: `reply` and `find` with ChannelClosed where the
 * bot may not see the channel, or was not let into the private thread.
 */
export interface Messages {
  edit(place: CardPlace, card: Card): Promise<Edited>;
  /**
   * Posts a message that notifies these users, and roles with an `&` before their id, and nobody else; a reply where the message
   * that it answers is in that channel. Answers its id; undefined when the channel is no more, or its thread is locked.
   */
  reply(to: Target, card: Card, pings?: readonly string[]): Promise<string | undefined>;
  /**
   * Calls back, with the run on the card, when Discord tells that a message shows something else than what this process
   * put there last: another process did, or Discord did an older edit late.
   */
  onOverwritten(listener: (run: string) => void): void;
  /** Calls back when Discord begins to tell of edits again: nobody heard of those before. */
  onGap(listener: () => void): void;
  /** The newest message of the bot's after this one with the same run that pings the same people, if there is one. */
  find(after: Where, card: Card, pings?: readonly string[]): Promise<string | undefined>;
}
