import {
  ComponentType,
  DiscordAPIError,
  InteractionResponseType,
  MessageFlags,
  type REST,
  RESTJSONErrorCodes,
  Routes,
  TextInputStyle,
} from 'discord.js';
import { z } from 'zod';
import type { Card } from '../card.ts';
import type { Acknowledged, CardDesk, ClickReply } from '../run/parts.ts';
import { filesOf, type Payload, render } from './render.ts';
import type { Turns } from './turns.ts';

/** The two ways to Discord: interactions have limits of their own, so they do not queue behind everything else. */
export interface Channels {
  application: string;
  /** The bot's own user id. */
  user: string;
  interactions: REST;
  bot: REST;
  /** Said on every card: that a side is the sandbox's. */
  note: string;
  /** Edits of one message, one after the other. */
  turns: Turns;
}

/** What one interaction can be answered with. `clicked` is the message of a button. */
export interface Answering {
  id: string;
  token: string;
  channel: string;
  clicked?: { message: string; content: string; embeds: Payload['embeds'] };
}

const history = z.array(
  z.object({
    id: z.string(),
    author: z.object({ id: z.string() }),
    interaction_metadata: z.object({ id: z.string() }).nullish(),
  }),
);

/** One line of text is asked for under this name. */
export const typedField = 'typed';

/** The answers to one interaction: the first within 3 seconds, the others with its token, or with the bot's when that has run out. */
export function answers(channels: Channels, { id, token, channel, clicked }: Answering): ClickReply {
  const { interactions, application, note } = channels;
  const original = {
    channel,
    interaction: { id, token },
    ...(clicked === undefined ? {} : { message: clicked.message }),
  };
  let shown = original;

  /** What came of a first answer: the id of the message that it made, if Discord says so. */
  const send = async (
    type: InteractionResponseType,
    data?: object,
    card?: Card,
  ): Promise<{ message?: string | undefined } | 'gone' | 'taken'> => {
    try {
      const answer = await interactions.post(Routes.interactionCallback(id, token), {
        auth: false,
        query: new URLSearchParams({ with_response: 'true' }),
        body: { type, ...(data === undefined ? {} : { data }) },
        files: card === undefined ? [] : filesOf(card),
      });
      return { message: messageOf(answer) };
    } catch (error) {
      if (isCode(error, RESTJSONErrorCodes.UnknownInteraction)) return 'gone';
      if (!isCode(error, RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged)) throw error;
      return 'taken';
    }
  };
  const answered = (): Promise<unknown> =>
    interactions.get(Routes.webhookMessage(application, token, '@original'), { auth: false });

  const first = async (type: InteractionResponseType, data?: object, card?: Card): Promise<Acknowledged> => {
    const sent = await send(type, data, card);
    if (sent === 'gone') return { kind: 'gone' };
    if (sent !== 'taken' && sent.message !== undefined) return { kind: 'ours', message: sent.message };
    return { kind: sent === 'taken' ? 'taken' : 'ours', message: clicked?.message ?? idOf(await answered()) };
  };

  /** A message of its own, also below a clicked one. What was refused already, in private, has no card for everybody. */
  const own = async (data: object, card: Card, audience: 'private' | 'public'): Promise<Acknowledged> => {
    const sent = await send(InteractionResponseType.ChannelMessageWithSource, data, card);
    if (sent === 'gone') return { kind: 'gone' };
    if (sent !== 'taken') return { kind: 'ours', message: sent.message ?? idOf(await answered()) };
    const there = await answered();
    const isPrivate = (Number(member(there, 'flags') ?? 0) & MessageFlags.Ephemeral) !== 0;
    return isPrivate && audience === 'public' ? { kind: 'gone' } : { kind: 'taken', message: idOf(there) };
  };

  return {
    refuse: (card) =>
      first(
        InteractionResponseType.ChannelMessageWithSource,
        { ...render(card, note), flags: MessageFlags.Ephemeral },
        card,
      ),
    async acknowledge(card, audience) {
      const flags = audience === 'private' ? { flags: MessageFlags.Ephemeral } : {};
      const shownAs = { ...render(card, note), ...flags };
      const acknowledged = await own(shownAs, card, audience);
      if (acknowledged.kind !== 'gone')
        shown = {
          channel,
          interaction: { id, token },
          ...(audience === 'private' ? {} : { message: acknowledged.message }),
        };
      return acknowledged;
    },
    show: (card) => desk(channels).edit(shown, card),
    defer: () => first(InteractionResponseType.DeferredMessageUpdate),
    async whisper(card) {
      await interactions.post(Routes.webhook(application, token), {
        auth: false,
        body: { ...render(card, note), flags: MessageFlags.Ephemeral },
        files: filesOf(card),
      });
    },
    async ask(modal) {
      await first(InteractionResponseType.Modal, {
        custom_id: modal.id,
        title: modal.title,
        components: [
          {
            type: ComponentType.ActionRow,
            components: [
              {
                type: ComponentType.TextInput,
                custom_id: typedField,
                label: modal.label,
                style: TextInputStyle.Short,
                required: true,
                max_length: modal.longest ?? 100,
              },
            ],
          },
        ],
      });
    },
    async share({ id: sharer }) {
      if (clicked === undefined) return;
      await first(InteractionResponseType.ChannelMessageWithSource, {
        // Discord shows nobody else whose private card it was.
        content: `${clicked.content}\nShared by <@${sharer}>.`,
        embeds: clicked.embeds,
        components: [],
        allowed_mentions: { parse: [] },
      });
    },
  };
}

/** Edits cards: with the interaction's token while that holds, because such edits have room; else as the bot. */
export function desk({ application, user, interactions, bot, note, turns }: Channels): CardDesk {
  /** What we posted in answer to an interaction: within seconds of it, so that it is among the first messages after it. */
  const answerTo = async (channel: string, interaction: string): Promise<string | undefined> => {
    const query = new URLSearchParams({ limit: '100', after: interaction });
    const messages = history.parse(await bot.get(Routes.channelMessages(channel), { query }));
    return messages.find(({ author, interaction_metadata: of }) => author.id === user && of?.id === interaction)?.id;
  };
  const edit = async (
    { channel, message, answers: answered, interaction }: Parameters<CardDesk['edit']>[0],
    card: Card,
  ): Promise<void> => {
    const sent = { body: render(card, note), files: filesOf(card) };
    if (interaction !== undefined) {
      const route = Routes.webhookMessage(application, interaction.token, '@original');
      try {
        await interactions.patch(route, { auth: false, ...sent });
        return;
      } catch (error) {
        if (!isTokenOver(error)) throw error;
      }
    }
    try {
      const known = message ?? (answered === undefined ? undefined : await answerTo(channel, answered));
      if (known !== undefined) await bot.patch(Routes.channelMessage(channel, known), sent);
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  };
  return { edit: (where, card) => turns(where.message ?? where.interaction?.id ?? '', () => edit(where, card)) };
}

const isCode = (error: unknown, code: number): boolean => error instanceof DiscordAPIError && error.code === code;

/** The token's 15 minutes are over, or it, or its message, is none that Discord knows. */
const isTokenOver = (error: unknown): boolean =>
  isCode(error, RESTJSONErrorCodes.InvalidWebhookToken) ||
  isCode(error, RESTJSONErrorCodes.UnknownWebhook) ||
  isCode(error, RESTJSONErrorCodes.UnknownInteraction) ||
  isCode(error, RESTJSONErrorCodes.UnknownMessage);

/** The message or its channel was deleted, or the bot may not be there any more: trying again changes nothing. */
export const isLost = (error: unknown): boolean =>
  error instanceof DiscordAPIError && (error.status === 403 || error.status === 404);

/** The id of the message that a first answer made, in `{resource: {message: {id}}}`. */
function messageOf(answer: unknown): string | undefined {
  const message = member(member(answer, 'resource'), 'message');
  return message === undefined ? undefined : idOf(message);
}

function idOf(message: unknown): string {
  const id = member(message, 'id');
  if (typeof id !== 'string') throw new TypeError('Discord answered with a message that has no id');
  return id;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
