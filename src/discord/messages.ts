import { type APIMessage, type RawFile, RESTJSONErrorCodes, Routes } from 'discord.js';
import { z } from 'zod';
import type { Card } from '../card.ts';
import type { CardPlace, Edited, Messages, Target } from '../cards/messages.ts';
import type { Channels } from './answers.ts';
import { createEditTracker, type EditTracker } from './edit-tracker.ts';
import { isArchived, isCode, isGone, isRefused, isTooOld, open, withoutFiles } from './errors.ts';
import { findPosted, nonceOf } from './posted.ts';
import { filesOf, isCardOfRun, type Payload, render } from './render.ts';

/** The bot may not see the channel or thread, or not write there. */
const { MissingAccess, MissingPermissions } = RESTJSONErrorCodes;

const posted = z.object({ id: z.string() });
type Fits = Parameters<typeof findPosted>[2];
const history = z.array(
  z.object({
    id: z.string(),
    author: z.object({ id: z.string() }),
    interaction_metadata: z.object({ id: z.string() }).nullish(),
  }),
);

interface MessageEvents {
  /** Calls the listener with every edited message. */
  onUpdate(told: (message: Partial<APIMessage>) => void): void;
  /** Calls the listener when events of the guild begin: at the start of each session and after an outage. */
  onBegin(begun: () => void): void;
}

/** The bot's messages. All methods reject before the login. */
export function messagesOf(channels: () => Channels, { onUpdate, onBegin }: MessageEvents): Messages {
  const known = (): Channels => {
    const all = channels();
    // A worker may start before the login, and could not recognize the bot's messages.
    if (all.user === '') throw new Error('the bot has not logged in yet');
    return all;
  };
  const listeners = new Set<(run: string) => void>();
  const edits = createEditTracker((run) => {
    for (const listener of listeners) listener(run);
  });
  onUpdate((message) => {
    if (message.author?.id === channels().user) edits.onUpdate(message);
  });
  return {
    onOverwritten: (listener) => void listeners.add(listener),
    onGap: onBegin,
    async edit(place, card) {
      try {
        return await edit(known(), edits, place, card);
      } catch (error) {
        return editResultOf(error);
      }
    },
    reply: async (to, card, pings = []) =>
      open(reply(known(), edits, to, card, pings), MissingAccess, MissingPermissions),
    async find({ channel, message }, card, pings = []) {
      const { bot, note, user } = known();
      const { run } = card;
      if (run === undefined) return undefined;
      try {
        const isCard: Fits = ({ author, content, embeds }) =>
          author.id === user && isCardOfRun(embeds, run, note) && hasMentions(content) === pings.length > 0;
        return await open(findPosted(bot, channel, isCard, message), MissingAccess);
      } catch (error) {
        if (isCode(error, RESTJSONErrorCodes.UnknownChannel)) return undefined;
        throw error;
      }
    },
  };
}

/** Edits with the interaction's token while valid, because such edits have separate limits; else as the bot. */
async function edit(channels: Channels, shown: EditTracker, place: CardPlace, card: Card): Promise<Edited> {
  const { application, interactions, bot, note } = channels;
  // Nobody else can edit a private message, and Discord has no events for it.
  const isPrivate = place.message === undefined && place.answers === undefined;
  const payloadOf = (of: Card): Payload => {
    const payload = render(of, note);
    return { ...payload, content: payload.content + mentionsOf(place.pings ?? []) };
  };
  const whole = payloadOf(card);
  const send = (id: string | undefined, patch: (sent: { body: Payload; files: RawFile[] }) => Promise<unknown>) =>
    orWithoutFiles(card, (of) => {
      const sent = { body: of === card ? whole : payloadOf(of), files: filesOf(of) };
      return isPrivate ? patch(sent) : shown.track({ id, run: card.run }, () => patch(sent));
    });
  // A read does not count towards the channel's edits. If it fails, edit.
  if (place.stale === true && place.message !== undefined)
    shown.onRead(await bot.get(Routes.channelMessage(place.channel, place.message)).catch(() => undefined), card.run);
  if (shown.adopt(place.message, whole)) return 'same';
  if (place.interaction !== undefined) {
    const route = Routes.webhookMessage(application, place.interaction.token, '@original');
    try {
      await send(place.message, (sent) => interactions.patch(route, { auth: false, ...sent }));
      return 'edited';
    } catch (error) {
      if (!isRefused(error)) throw error;
      // A private message can only be edited with its token.
      if (isPrivate) return goneOrThrow(error, () => interactions.get(route, { auth: false }));
    }
  }
  let other = Routes.channel(place.channel);
  try {
    const message = place.message ?? (await answerTo(channels, place));
    if (message === undefined) return 'gone';
    other = Routes.channelMessage(place.channel, message);
    await send(message, (sent) => bot.patch(Routes.channelMessage(place.channel, message), sent));
    return 'edited';
  } catch (error) {
    return goneOrThrow(error, () => bot.get(other));
  }
}

/** Rejects with `error` if the message exists or may exist. */
async function goneOrThrow(error: unknown, look: () => Promise<unknown>): Promise<'gone'> {
  if (await isGone(error, look)) return 'gone';
  throw error;
}

/** If Discord refuses the files, sends the card without them and says so. */
async function orWithoutFiles(card: Card, send: (card: Card) => Promise<unknown>): Promise<void> {
  try {
    await send(card);
  } catch (error) {
    const without = withoutFiles(card, error);
    if (without === undefined) throw error;
    await send(without);
  }
}

function editResultOf(error: unknown): Edited {
  if (isTooOld(error)) return 'too-old';
  if (isArchived(error)) return 'archived';
  throw error;
}

/**
 * The message that answers an interaction: posted within seconds, so among the first messages after it. Discord names a form's
 * own interaction, and not the command's that asked for it: then the card itself says which it is.
 */
async function answerTo(
  { bot, user, note }: Channels,
  { channel, answers, run }: CardPlace,
): Promise<string | undefined> {
  if (answers === undefined) return undefined;
  const query = new URLSearchParams({ limit: '100', after: answers });
  const messages = history.parse(await bot.get(Routes.channelMessages(channel), { query }));
  // Without Read Message History the list is empty, which proves nothing.
  if (messages.length === 0) throw new Error('Discord shows no message after the command');
  const first = messages.find(({ author, interaction_metadata: of }) => author.id === user && of?.id === answers)?.id;
  if (first !== undefined || run === undefined) return first;
  const isIts: Fits = ({ author, embeds }) => author.id === user && isCardOfRun(embeds, run, note);
  return findPosted(bot, channel, isIts, answers);
}

async function reply(
  { bot, note }: Channels,
  shown: EditTracker,
  { channel, message }: Target,
  card: Card,
  pings: readonly string[],
): Promise<string | undefined> {
  const payload = render(card, note);
  const body = {
    ...payload,
    content: payload.content + mentionsOf(pings),
    allowed_mentions: { parse: [], ...mentionable(pings), replied_user: false },
    ...nonceOf(message ?? channel, card.run, pings.length > 0),
  };
  const post = async (more: object): Promise<string> => {
    const answer = await bot.post(Routes.channelMessages(channel), {
      body: { ...body, ...more },
      files: filesOf(card),
    });
    shown.onRead(answer, card.run);
    return posted.parse(answer).id;
  };
  try {
    if (message === undefined) return await post({});
    return await post({ message_reference: { message_id: message, fail_if_not_exists: false } }).catch(
      (error: unknown) => {
        if (!isCode(error, RESTJSONErrorCodes.CannotReplyWithoutPermissionToReadMessageHistory)) throw error;
        return post({});
      },
    );
  } catch (error) {
    // Only moderators may write in a locked thread.
    const isClosed =
      isCode(error, RESTJSONErrorCodes.ThreadLocked) || (await isGone(error, () => bot.get(Routes.channel(channel))));
    if (isClosed) return undefined;
    throw error;
  }
}

const isRole = (ping: string): boolean => ping.startsWith('&');
const mentionable = (pings: readonly string[]): { users: string[]; roles: string[] } => ({
  users: pings.filter((ping) => !isRole(ping)),
  roles: pings.filter(isRole).map((ping) => ping.slice(1)),
});
const mentionsOf = (pings: readonly string[]): string => pings.map((ping) => ` <@${ping}>`).join('');
const hasMentions = (content: string): boolean => / <@&?\d+>/.test(content);
