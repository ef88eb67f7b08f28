import { createHash } from 'node:crypto';
import { DiscordAPIError, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import type { FollowUpDesk } from '../follow-ups/shower.ts';
import { type Channels, isLost } from './answers.ts';
import { type Payload, render } from './render.ts';

const posted = z.object({ id: z.string() });
const history = z.array(
  z.object({
    id: z.string(),
    author: z.object({ id: z.string() }),
    content: z.string(),
    embeds: z.array(z.object({ footer: z.object({ text: z.string() }).nullish() })),
  }),
);

/** How far back is looked for a message that may have been posted, in pages of a hundred. */
const pages = 50;

/** All reject before the bot has logged in. */
export function followUpDesk(channels: () => Channels): FollowUpDesk {
  const known = (): Channels => {
    const all = channels();
    // A worker may be earlier than the login, and would not know its own messages.
    if (all.user === '') throw new Error('the bot has not logged in yet');
    return all;
  };
  return {
    async edit({ channel, message }, card) {
      const { bot, note, turns } = known();
      try {
        await turns(message, () => bot.patch(Routes.channelMessage(channel, message), { body: render(card, note) }));
        return 'edited';
      } catch (error) {
        if (isTooOld(error)) return 'too-old';
        if (isLost(error)) return 'gone';
        throw error;
      }
    },
    async reply({ channel, message }, card, pings = []) {
      const { bot, note } = known();
      const payload = render(card, note);
      const body = {
        ...payload,
        content: payload.content + mentions(pings),
        allowed_mentions: { parse: [], users: pings, replied_user: false },
        message_reference: { message_id: message, fail_if_not_exists: false },
        // Discord takes one message of a nonce within a few minutes: a repeated request makes no second one.
        nonce: nonceOf(message, keyOf(payload), pings),
        enforce_nonce: true,
      };
      try {
        return posted.parse(await bot.post(Routes.channelMessages(channel), { body })).id;
      } catch (error) {
        if (isCode(error, RESTJSONErrorCodes.UnknownChannel)) return undefined;
        throw error;
      }
    },
    async find({ channel, message }, card, pings = []) {
      const { bot, note, user } = known();
      const key = keyOf(render(card, note));
      let before: string | undefined;
      for (let page = 0; page < pages; page += 1) {
        const query = new URLSearchParams({ limit: '100', ...(before === undefined ? {} : { before }) });
        const messages = history.parse(await bot.get(Routes.channelMessages(channel), { query }));
        // Newest first.
        const newer = messages.filter(({ id }) => BigInt(id) > BigInt(message));
        const found = newer.find(
          ({ author, content, embeds }) =>
            author.id === user && embeds[0]?.footer?.text === key && mentionsOf(content) === mentions(pings),
        );
        if (found !== undefined || newer.length < 100) return found?.id;
        before = newer.at(-1)?.id;
      }
      return undefined;
    },
  };
}

const mentions = (users: readonly string[]): string => users.map((id) => ` <@${id}>`).join('');
const mentionsOf = (content: string): string => [...content.matchAll(/ <@\d+>/g)].join('');

/** What tells a message from others: the run, which stands at its foot. What it says may change. */
const keyOf = ({ embeds }: Payload): string | undefined => embeds[0]?.footer?.text;

/** At most 25 characters. */
const nonceOf = (...of: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(of)).digest('base64url').slice(0, 25);

const isCode = (error: unknown, code: number): boolean => error instanceof DiscordAPIError && error.code === code;

const isTooOld = (error: unknown): boolean =>
  isCode(error, RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached);
