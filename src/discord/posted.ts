import { createHash } from 'node:crypto';
import { type REST, Routes } from 'discord.js';
import { z } from 'zod';

const message = z.object({
  id: z.string(),
  author: z.object({ id: z.string() }),
  content: z.string(),
  interaction_metadata: z.object({ interacted_message_id: z.string().nullish() }).nullish(),
  embeds: z.array(z.object({ description: z.string().nullish(), footer: z.object({ text: z.string() }).nullish() })),
});
type Message = z.infer<typeof message>;
const history = z.array(message);

/** How many pages of a hundred messages to search for a message that may have been posted. */
const pages = 50;

/** The newest matching message of a channel; with `after`, only newer than that message. */
export async function findPosted(
  rest: REST,
  channel: string,
  fits: (message: Message) => boolean,
  after = '0',
): Promise<string | undefined> {
  let before: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const query = new URLSearchParams(before === undefined ? { limit: '100' } : { limit: '100', before });
    const messages = history.parse(await rest.get(Routes.channelMessages(channel), { query }));
    // Newest first.
    const newer = messages.filter(({ id }) => BigInt(id) > BigInt(after));
    const found = newer.find(fits);
    if (found !== undefined || newer.length < 100) return found?.id;
    before = newer.at(-1)?.id;
  }
  return undefined;
}

/** For a few minutes Discord accepts one message per nonce, of 25 characters: a retry creates no second one. */
export const nonceOf = (...parts: readonly unknown[]): { nonce: string; enforce_nonce: true } => ({
  nonce: createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 25),
  enforce_nonce: true,
});
