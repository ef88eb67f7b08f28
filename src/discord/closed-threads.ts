import { type APIChannel, MessageFlags, Routes } from 'discord.js';
import { z } from 'zod';
import type { Threads } from '../cards/closed-thread.ts';
import type { Channels } from './answers.ts';
import { filesOf, render } from './render.ts';

const message = z.object({ content: z.string() });

/** Threads that may be closed. `onUpdate` calls its listener with every updated thread. */
export const closedThreads = (
  channels: () => Channels,
  onUpdate: (told: (thread: APIChannel) => void) => void,
): Threads => ({
  async reads({ channel, message: id }, card) {
    const { bot, note } = channels();
    const { content } = message.parse(await bot.get(Routes.channelMessage(channel, id)));
    return content === render(card, note).content;
  },
  async whisper(token, card) {
    const { interactions, application, note } = channels();
    const body = { ...render(card, note), flags: MessageFlags.Ephemeral };
    await interactions.post(Routes.webhook(application, token), { auth: false, body, files: filesOf(card) });
  },
  onOpened: (listener) =>
    onUpdate((thread) => {
      if ('thread_metadata' in thread && thread.thread_metadata?.archived === false) listener(thread.id);
    }),
});
