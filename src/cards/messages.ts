import { type Card, trusted } from '../card.ts';
import { ChannelClosed } from '../outcome.ts';

export interface Where {
  channel: string;
  message: string;
}

/** Where to post, and the message to reply to, if any. */
export interface Target {
  channel: string;
  message?: string;
}

/** Where a card is: its message, or, while that is unknown, the interaction that it answers. */
export interface CardPlace {
  channel: string;
  message?: string;
  /** The interaction that it answers publicly. */
  answers?: string;
  /** The run that its first answer named; what answers a form is found by that. */
  run?: string;
  /** The newest interaction with the card, while its token is valid. Such edits are outside the channel's limit. */
  interaction?: { id: string; token: string };
  /** The people it pinged when posted; the text keeps their mentions. */
  pings?: readonly string[];
  /** The message may differ from the last edit: read it before editing. */
  stale?: boolean;
}

/**
 * The result of an edit. `same`: nothing was sent, because the message already shows this. `too-old`: Discord accepts
 * no more edits of this message now (30046). `archived`: a message must open its thread first (50083). `gone`: the
 * message or its channel was deleted.
 */
export type Edited = 'edited' | 'same' | 'too-old' | 'archived' | 'gone';

/**
 * The bot's messages. All methods reject if a retry may help; `reply` and `find` reject with ChannelClosed if the bot
 * may not see the channel or has not joined the private thread, and `reply` if it may not write there.
 */
export interface Messages {
  edit(place: CardPlace, card: Card): Promise<Edited>;
  /**
   * Posts a message that pings these users, and roles with the prefix `&`, and nobody else. It is a reply if the
   * message to reply to is in that channel. Returns its id; undefined if the channel was deleted or its thread is
   * locked.
   */
  reply(to: Target, card: Card, pings?: readonly string[]): Promise<string | undefined>;
  /**
   * Calls `listener` with the run on the card when a message no longer shows this process's last edit: another process
   * edited it, or Discord applied an older edit late.
   */
  onOverwritten(listener: (run: string) => void): void;
  /** Calls `listener` when edit events resume: earlier ones are lost. */
  onGap(listener: () => void): void;
  /**
   * The bot's newest message after this one with the same run, if any: one that pinged, if there are pings. Whom may have
   * changed since.
   */
  find(after: Where, card: Card, pings?: readonly string[]): Promise<string | undefined>;
}

/** The tolerated difference between the clocks of bot and Discord, in ms. */
export const clockSkew = 60_000;

/** Added to messages about a card that are posted in another channel. */
export const moved = trusted(
  'The channel or thread of its card is deleted, locked or closed to the bot: so it is said here.',
);

/** Posts in the first channel that exists. Rejects with ChannelClosed if one is only closed to the bot. */
export async function inFirst<T>(
  channels: readonly string[],
  post: (channel: string) => Promise<T | 'gone'>,
): Promise<T | undefined> {
  let closed: ChannelClosed | undefined;
  for (const channel of new Set(channels)) {
    try {
      const posted = await post(channel);
      if (posted !== 'gone') return posted;
    } catch (error) {
      if (!(error instanceof ChannelClosed)) throw error;
      closed = error;
    }
  }
  if (closed !== undefined) throw closed;
  return undefined;
}
