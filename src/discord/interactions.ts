import { setTimeout as delay } from 'node:timers/promises';
import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessage,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import { isBlank } from '../blank.ts';
import { oneLine } from '../card.ts';
import type { Command } from '../command.ts';
import type { Log } from '../outcome.ts';
import type { Runner as WholeRunner } from '../shell/index.ts';
import { answers, type Channels, chosenField, typedField } from './answers.ts';
import { isCode } from './errors.ts';
import { actorOf, fieldOf, hasButton, isPrivateThread, noteOf, placeOf, typedOf } from './payload.ts';

type Handled = Exclude<APIInteraction, { type: InteractionType.Ping }>;
type Runner = Pick<WholeRunner, 'command' | 'click' | 'suggest'>;

/** Translates each interaction for the runner. Throws if it is none that can be read. */
export function listen(
  runner: Runner,
  commands: readonly Command[],
  channels: () => Channels,
  log: Log,
): (interaction: APIInteraction) => void {
  const handle = (interaction: APIInteraction): Promise<void> | undefined => {
    // The first one may arrive before the login completes.
    const all = { ...channels(), application: interaction.application_id };
    switch (interaction.type) {
      case InteractionType.ApplicationCommandAutocomplete:
        return suggest(runner, all, interaction);
      case InteractionType.ApplicationCommand: {
        const asked = askedOf(commands, interaction);
        return asked && runner.command({ ...common(all, interaction), ...asked });
      }
      case InteractionType.MessageComponent:
        return runner.click(clickOf(all, interaction, interaction.message));
      case InteractionType.ModalSubmit: {
        const { message, data } = interaction;
        const [typed, chosen] = [fieldOf(data, typedField), fieldOf(data, chosenField)];
        if (typed === undefined && chosen === undefined) return undefined;
        return runner.click({ ...clickOf(all, interaction, message), typed: typed ?? '', chosen });
      }
      default:
        return undefined;
    }
  };
  return (interaction) => {
    handle(interaction)?.catch((error: unknown) =>
      log.error({ interaction: interaction.id, problem: String(error) }, 'cannot handle an interaction'),
    );
  };
}

const common = (channels: Channels, interaction: Handled) => {
  const { id, token } = interaction;
  const place = placeOf(interaction);
  return {
    interaction: { id, token },
    actor: actorOf(interaction),
    place,
    mayReturn: () => (isPrivateThread(interaction) ? isIn(channels, place.channel) : Promise.resolve(true)),
    reply: answers(channels, { id, token }),
  };
};

/** How long to wait for the membership in a private thread, in ms: the first answer is due within 3 seconds. */
const membershipTimeout = 1_000;

/** Whether the bot has joined a private thread. If that is unknown in time, assumes that it has. */
function isIn({ bot }: Channels, thread: string): Promise<boolean> {
  const seen = bot.get(Routes.channel(thread)).then(
    () => true,
    (error: unknown) => !isCode(error, RESTJSONErrorCodes.UnknownChannel, RESTJSONErrorCodes.MissingAccess),
  );
  return Promise.race([seen, delay(membershipTimeout, true, { ref: false })]);
}

/** The typed command, or the one picked in a message's menu. */
function askedOf(commands: readonly Command[], { data }: APIApplicationCommandInteraction) {
  if (data.type === ApplicationCommandType.ChatInput) return typedOf(data);
  if (data.type !== ApplicationCommandType.Message) return undefined;
  const message = data.resolved.messages[data.target_id];
  const command = commands.find(({ menu }) => menu === data.name);
  return {
    command: command?.id ?? data.name,
    options: {},
    message: message && noteOf(message),
  };
}

/** `message`: what was clicked. The form of a typed command has none. */
function clickOf(
  channels: Channels,
  interaction: APIMessageComponentInteraction | APIModalSubmitInteraction,
  message: APIMessage | undefined,
) {
  const { id, token, data } = interaction;
  const { place, ...rest } = common(channels, interaction);
  const clicked = message && {
    channel: place.channel,
    message: message.id,
    content: message.content,
    embeds: message.embeds,
  };
  return {
    ...rest,
    place: { ...place, message: message?.id ?? '' },
    isPrivate: ((message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0,
    button: data.custom_id,
    offered: message !== undefined && hasButton(message, data.custom_id),
    reply: answers(channels, { id, token, clicked }),
  };
}

/** Names come from the panel and from people: on one line, and never reordered. Discord takes 100 characters. */
const labelOf = (name: string): string => {
  const line = oneLine(name);
  return line.length > maxLabel ? `${line.slice(0, maxLabel - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
};

const maxLabel = 100;

async function suggest(
  runner: Runner,
  { interactions }: Channels,
  interaction: APIApplicationCommandAutocompleteInteraction,
): Promise<void> {
  const { command, options, focused } = typedOf(interaction.data);
  if (focused === undefined) return;
  const choices = await runner.suggest({
    actor: actorOf(interaction),
    place: placeOf(interaction),
    command,
    option: focused.name,
    typed: focused.value,
    options,
  });
  if (choices === undefined) return;
  const safe = choices.map(({ name, value }) => ({ name: isBlank(name) ? String(value) : labelOf(name), value }));
  const type = InteractionResponseType.ApplicationCommandAutocompleteResult;
  await interactions.post(Routes.interactionCallback(interaction.id, interaction.token), {
    auth: false,
    body: { type, data: { choices: safe } },
  });
}
