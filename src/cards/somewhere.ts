import { trusted } from '../card.ts';
import { ChannelClosed } from '../outcome.ts';

/** The tolerated difference between the clocks of bot and Discord, in ms. */
export const clockSkew = 60_000;

/** Added to messages about a card that are posted in another channel. */
export const moved = trusted(
  'The channel or thread of its card is deleted, locked or hidden from the bot: so it is said here.',
);

/** Posts in the first channel that exists. Rejects with ChannelClosed if one only hides from the bot. */
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
