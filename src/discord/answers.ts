import { setTimeout as delay } from 'node:timers/promises';
import {
  ComponentType,
  InteractionResponseType,
  MessageFlags,
  type RawFile,
  type REST,
  RESTJSONErrorCodes,
  Routes,
  TextInputStyle,
} from 'discord.js';
import { z } from 'zod';
import type { Card } from '../card.ts';
import { DiscordUnavailable } from '../outcome.ts';
import type { ClickReply, Reply } from '../shell/parts.ts';
import { pauses } from '../waits.ts';
import { fromDiscord, isArchived, isCode, isGone, isMalformed, withoutFiles } from './errors.ts';
import { findPosted } from './posted.ts';
import { filesOf, type Payload, render } from './render.ts';

/** The two REST clients: interactions have separate limits, so they must not queue behind other requests. */
export interface Channels {
  application: string;
  user: string;
  interactions: REST;
  bot: REST;
  /** Shown on every card: says if a side is the sandbox. */
  note: string;
}

type Clicked = NonNullable<Answering['clicked']>;

/** The context of one interaction. `clicked` is the message of a button. */
export interface Answering {
  id: string;
  token: string;
  /** Told once Discord has taken or refused the first answer; not when it could not be reached. */
  answered?(): void;
  clicked?: { channel: string; message: string; content: string; embeds: Payload['embeds'] };
}

/** The names of a form's fields. */
export const typedField = 'typed';
export const chosenField = 'chosen';

/** Discord takes a token for 15 minutes; a minute less, in ms, as a margin. */
const tokenTime = 14 * 60_000;

/** The answers to one interaction: the first within 3 seconds, the others by its token. */
export function answers(channels: Channels, answering: Answering, now = Date.now): ClickReply {
  const until = now() + tokenTime;
  const { interactions, application, note } = channels;
  const { token, clicked } = answering;
  const { respond, defer, post } = firstAnswer(channels, answering);
  const messageBody = (card: Card, forOne: boolean): object => ({
    ...render(card, note),
    ...(forOne ? { flags: MessageFlags.Ephemeral } : {}),
  });
  return {
    async refuse(card) {
      await respond(InteractionResponseType.ChannelMessageWithSource, messageBody(card, true), filesOf(card));
    },
    acknowledge: (card, audience) => post(messageBody(card, audience === 'private'), filesOf(card), audience),
    async think(audience) {
      const data = audience === 'private' ? { flags: MessageFlags.Ephemeral } : {};
      return (await respond(InteractionResponseType.DeferredChannelMessageWithSource, data)) !== 'gone';
    },
    show: (card) => show(channels, token, card, () => now() < until),
    defer,
    async whisper(card) {
      const sent = { body: messageBody(card, true), files: filesOf(card) };
      const id = await fromDiscord(
        async () =>
          message.parse(await interactions.post(Routes.webhook(application, token), { auth: false, ...sent })).id,
      );
      return async () => {
        const route = Routes.webhookMessage(application, token, id);
        // What it says was true then: only its buttons, and what to do with them, are over.
        const { components, embeds } = render({ ...card, buttons: [], next: [] }, note);
        if (card.buttons !== undefined) await interactions.patch(route, { auth: false, body: { components, embeds } });
        else await interactions.delete(route, { auth: false });
      };
    },
    async ask(form) {
      await respond(InteractionResponseType.Modal, modalOf(form));
    },
    async takeBack() {
      await interactions.delete(Routes.webhookMessage(application, token, '@original'), { auth: false });
    },
    isShared: () => (clicked === undefined ? Promise.resolve(false) : isAnswered(channels, clicked)),
    async share({ id: sharer }) {
      if (clicked === undefined) return;
      await respond(InteractionResponseType.ChannelMessageWithSource, {
        // Discord does not show others whose private card it was.
        content: `${clicked.content}\nShared by <@${sharer}>.`,
        embeds: clicked.embeds,
        components: [],
        allowed_mentions: { parse: [] },
      });
    },
  };
}

/** How long to search a channel's messages, in ms: the first answer is due within 3 seconds. */
const lookupTimeout = 1_500;

/** Whether the bot has publicly answered a click on that message: Discord records which message was clicked. */
function isAnswered({ bot, user }: Channels, { channel, message }: Clicked): Promise<boolean> {
  const found = findPosted(
    bot,
    channel,
    ({ author, interaction_metadata: of }) => author.id === user && of?.interacted_message_id === message,
    message,
  ).then(
    (id) => id !== undefined,
    () => false,
  );
  return Promise.race([found, delay(lookupTimeout, false, { ref: false })]);
}

const message = z.object({ id: z.string(), flags: z.number().default(0) });
/** What creates a message returns it, where Discord is asked to. */
const created = z.object({ resource: z.object({ message }) });
const withResponse = new URLSearchParams({ with_response: 'true' });

/** It is too late, or there is another answer. */
const refusals = [
  { code: RESTJSONErrorCodes.UnknownInteraction, is: 'gone' },
  { code: RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged, is: 'taken' },
] as const;

/** The first answer to an interaction. Discord accepts one. */
function firstAnswer({ interactions, application }: Channels, { id, token, clicked, answered }: Answering) {
  /** Sends the first answer. Returns the id of the message that it created, if Discord returns one. */
  const send = async (
    type: InteractionResponseType,
    data?: object,
    files: RawFile[] = [],
  ): Promise<{ message?: string | undefined } | 'gone' | 'taken'> =>
    fromDiscord(async () => {
      try {
        const answer = await interactions.post(Routes.interactionCallback(id, token), {
          auth: false,
          // Only a new message has an id that is not known.
          ...(type === InteractionResponseType.ChannelMessageWithSource ? { query: withResponse } : {}),
          body: { type, data },
          files,
        });
        answered?.();
        return { message: created.safeParse(answer).data?.resource.message.id };
      } catch (error) {
        const refusal = refusals.find(({ code }) => isCode(error, code));
        if (refusal === undefined) throw error;
        answered?.();
        return refusal.is;
      }
    });
  /** The message that the first answer created or left unchanged. */
  const original = () =>
    fromDiscord(async () => {
      const route = Routes.webhookMessage(application, token, '@original');
      return message.parse(await interactions.get(route, { auth: false }));
    });
  return {
    /** The only answer: the caller stops after it. */
    respond: send,
    /** For a click. False if the person got another message as the answer. */
    async defer(): Promise<boolean> {
      const sent = await send(InteractionResponseType.DeferredMessageUpdate);
      if (sent === 'gone' || clicked === undefined) return false;
      return sent !== 'taken' || (await original()).id === clicked.message;
    },
    /** A new message, also for a click. One that is there already is taken for it where it is shown to the same people. */
    async post(data: object, files: RawFile[], audience: 'private' | 'public'): Promise<string | undefined> {
      const sent = await send(InteractionResponseType.ChannelMessageWithSource, data, files);
      if (sent === 'gone') return undefined;
      if (sent !== 'taken' && sent.message !== undefined) return sent.message;
      // Discord may have had the answer before it broke the connection.
      const { id, flags } = await original();
      const isPrivate = (flags & MessageFlags.Ephemeral) !== 0;
      return isPrivate && audience === 'public' ? undefined : id;
    },
  };
}

/** Discord's limit for a group of radio buttons, which shows all of them at once. */
const maxRadios = 10;

const modalOf = ({ id, title, choice, label, hint, longest = 100 }: Parameters<ClickReply['ask']>[0]): object => ({
  custom_id: id,
  title,
  components: [
    ...(choice === undefined
      ? []
      : labelled(choice.label, {
          type: choice.options.length > maxRadios ? ComponentType.StringSelect : ComponentType.RadioGroup,
          custom_id: chosenField,
          options: choice.options,
        })),
    ...(label === undefined
      ? []
      : labelled(label, {
          type: ComponentType.TextInput,
          custom_id: typedField,
          placeholder: hint,
          style: TextInputStyle.Short,
          max_length: longest,
        })),
  ],
});

const labelled = (label: string, component: object): object[] => [
  { type: ComponentType.Label, label, component: { ...component, required: true } },
];

/** Makes the card the first answer to an interaction, or the clicked message; tries again while the token is valid. */
async function show(
  { application, interactions, note }: Channels,
  token: string,
  card: Card,
  isValid: () => boolean,
): ReturnType<Reply['show']> {
  const route = Routes.webhookMessage(application, token, '@original');
  const waits = pauses({ first: 200 });
  for (let shown = card; ; ) {
    try {
      await interactions.patch(route, { auth: false, body: render(shown, note), files: filesOf(shown) });
      return 'shown';
    } catch (error) {
      if (isArchived(error)) return 'archived';
      if (await isGone(error, () => interactions.get(route, { auth: false }))) return 'gone';
      if (isMalformed(error)) throw error;
      if (!isValid()) throw new DiscordUnavailable(error);
      const without = withoutFiles(shown, error);
      if (without === undefined) await delay(waits.next().value, undefined, { ref: false });
      else shown = without;
    }
  }
}
