import { setTimeout as delay } from 'node:timers/promises';
import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  ApplicationCommandType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  RESTJSONErrorCodes,
  Routes,
} from 'discord.js';
import { oneLine } from '../card.ts';
import type { Command } from '../command.ts';
import type { Observe } from '../metrics/observe.ts';
import type { Log } from '../outcome.ts';
import type { Runner as WholeRunner } from '../shell/index.ts';
import { isBlank } from '../text.ts';
import { type Answering, answers, type Channels, chosenField, typedField } from './answers.ts';
import { isCode } from './errors.ts';
import { rolesOf } from './guild.ts';
import { actorOf, fieldOf, hasButton, isPrivateThread, noteOf, placeOf, typedOf } from './payload.ts';

type Handled = Exclude<APIInteraction, { type: InteractionType.Ping }>;
type Runner = Pick<WholeRunner, 'command' | 'click' | 'suggest'>;

/** Translates each interaction for the runner. Throws if it is none that can be read. */
export function listen(
  runner: Runner,
  commands: readonly Command[],
  channels: () => Channels,
  { log, observe }: { log: Log; observe?: Pick<Observe, 'acknowledged'> | undefined },
): (interaction: APIInteraction) => void {
  const handle = (interaction: APIInteraction): Promise<void> | undefined => {
    // The first one may arrive before the login completes.
    const all = { ...channels(), application: interaction.application_id };
    const begun = performance.now();
    const answered = (...of: ['command' | 'click', name: string]) =>
      observe?.acknowledged(...of, performance.now() - begun);
    switch (interaction.type) {
      case InteractionType.ApplicationCommandAutocomplete:
        return suggest(runner, all, interaction);
      case InteractionType.ApplicationCommand: {
        const asked = askedOf(commands, interaction);
        const told = { answered: () => answered('command', asked?.command ?? '') };
        return asked && runner.command({ ...common(all, interaction, told), ...asked });
      }
      case InteractionType.MessageComponent:
      case InteractionType.ModalSubmit: {
        const form = interaction.type === InteractionType.ModalSubmit ? formOf(interaction) : {};
        const told = { answered: () => answered('click', interaction.data.custom_id.split(':', 1).join()) };
        return form && runner.click({ ...clickOf(all, interaction, told), ...form });
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

/** What was typed and chosen. Undefined: it is none of our forms. */
function formOf({ data }: APIModalSubmitInteraction): { typed: string; chosen: string | undefined } | undefined {
  const [typed, chosen] = [fieldOf(data, typedField), fieldOf(data, chosenField)];
  return typed === undefined && chosen === undefined ? undefined : { typed: typed ?? '', chosen };
}

const common = (channels: Channels, interaction: Handled, more: Pick<Answering, 'answered' | 'clicked'>) => {
  const { id, token } = interaction;
  const place = placeOf(interaction);
  return {
    interaction: { id, token },
    actor: actorOf(interaction),
    place,
    mayReturn: () => (isPrivateThread(interaction) ? isIn(channels, place.channel) : Promise.resolve(true)),
    reply: answers(channels, { id, token, ...more }),
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

/** The form of a typed command has no message. */
function clickOf(
  channels: Channels,
  interaction: APIMessageComponentInteraction | APIModalSubmitInteraction,
  told: Pick<Answering, 'answered'>,
) {
  const { message, data } = interaction;
  const { channel, guild } = placeOf(interaction);
  const clicked = message && { channel, message: message.id, content: message.content, embeds: message.embeds };
  const { place, ...rest } = common(channels, interaction, { ...told, ...(clicked && { clicked }) });
  return {
    ...rest,
    place: { ...place, message: message?.id ?? '' },
    isPrivate: ((message?.flags ?? 0) & MessageFlags.Ephemeral) !== 0,
    button: data.custom_id,
    offered: message !== undefined && hasButton(message, data.custom_id),
    rolesNow: (person: string) => rolesOf(channels.bot, guild, person),
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
