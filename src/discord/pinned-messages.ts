import { randomBytes } from 'node:crypto';
import { DiscordAPIError, MessageFlags, Routes } from 'discord.js';
import { z } from 'zod';
import type { PinnedMessages } from '../handover/pin.ts';
import type { Channels } from './answers.ts';
import { isGone, isTooOld } from './errors.ts';

const seen = z.object({ id: z.string(), content: z.string(), author: z.object({ id: z.string() }) });
const pins = z.object({ items: z.array(z.object({ message: seen })) });

/** All methods reject before the login. */
export function pinnedMessages(channels: () => Channels): PinnedMessages {
  /** The note that every card has. */
  const suffix = (): string => (channels().note === '' ? '' : ` (${channels().note})`);
  const without = (content: string): string =>
    content.endsWith(suffix()) ? content.slice(0, content.length - suffix().length) : content;
  return {
    async find(channel, start) {
      const { bot, user } = channels();
      const isMine = ({ author, content }: z.infer<typeof seen>): boolean =>
        author.id === user && content.startsWith(start);
      const { items } = pins.parse(await bot.get(Routes.channelMessagesPins(channel)));
      const pinned = items.map(({ message }) => message).find(isMine);
      if (pinned !== undefined) return { message: pinned.id, pinned: true, text: without(pinned.content) };
      const query = new URLSearchParams({ limit: '100' });
      const message = z
        .array(seen)
        .parse(await bot.get(Routes.channelMessages(channel), { query }))
        .find(isMine);
      return message === undefined ? undefined : { message: message.id, pinned: false, text: without(message.content) };
    },
    async post(channel, text) {
      const body = {
        content: text + suffix(),
        allowed_mentions: { parse: [] },
        flags: MessageFlags.SuppressNotifications,
        // A retried request creates no second message.
        nonce: randomBytes(12).toString('base64url'),
        enforce_nonce: true,
      };
      return seen.pick({ id: true }).parse(await channels().bot.post(Routes.channelMessages(channel), { body })).id;
    },
    async edit(channel, message, text) {
      const body = { content: text + suffix(), allowed_mentions: { parse: [] } };
      const { bot } = channels();
      const route = Routes.channelMessage(channel, message);
      try {
        await bot.patch(route, { body });
        return 'edited';
      } catch (error) {
        if (isTooOld(error)) return 'too-old';
        if (lacksRight(error) || (await isGone(error, () => bot.get(route)))) return 'gone';
        throw error;
      }
    },
    async pin(channel, message) {
      try {
        await channels().bot.put(Routes.channelMessagesPin(channel, message));
        return true;
      } catch (error) {
        if (lacksRight(error)) return false;
        throw error;
      }
    },
    async unpin(channel, message) {
      const { bot } = channels();
      await bot.delete(Routes.channelMessagesPin(channel, message)).catch(async (error: unknown) => {
        if (lacksRight(error)) return;
        if (!(await isGone(error, () => bot.get(Routes.channelMessage(channel, message))))) throw error;
      });
    },
  };
}

const lacksRight = (error: unknown): boolean => error instanceof DiscordAPIError && error.status === 403;
