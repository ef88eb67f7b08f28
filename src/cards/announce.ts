import type { Card } from '../card.ts';
import { idAt } from '../outcome.ts';
import type { Messages, Where } from './messages.ts';

/** How far the clocks of bot and Discord may differ, in ms. */
const clockSkew = 60_000;

/**
 * Posts a message that pings once, whoever is killed meanwhile: the channel is searched from `since` (ms) on before it is posted.
 * `card` is asked again after the search, which takes time; undefined then: there is nothing to say any more. Answers the message.
 */
export async function postOnce(
  messages: Pick<Messages, 'find' | 'reply'>,
  to: Where,
  { card, pings, since }: { card(): Card | undefined; pings: readonly string[]; since: number },
): Promise<string | undefined> {
  const first = card();
  if (first === undefined) return undefined;
  const posted = await messages.find({ channel: to.channel, message: idAt(since - clockSkew) }, first, pings);
  if (posted !== undefined) return posted;
  const now = card();
  return now === undefined ? undefined : messages.reply(to, now, pings);
}
