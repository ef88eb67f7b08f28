import { trusted } from '../card.ts';
import { ChannelClosed } from '../outcome.ts';

/** How far the clocks of bot and Discord may differ, in ms. */
export const clockSkew = 60_000;

/** Stands on what is said of a card in another channel than its own. */
export const moved = trusted(
  'The channel or thread of its card is deleted, locked or hidden from the bot: so it is said here.',
);

/**
 * Posts in the first channel that is there. Undefined where none is; rejects with ChannelClosed where one only hides
 * from the bot: where nobody hears it now, it may be said once the bot is let in again.
 */
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
