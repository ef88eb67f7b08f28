import type {
  AutocompleteInteraction,
  BaseInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  CommandInteractionOption,
  Interaction,
  Message,
  MessageContextMenuCommandInteraction,
  ModalSubmitInteraction,
} from 'discord.js';
import { MessageFlags } from 'discord.js';
import type { Command } from '../command.ts';
import type { Actor, Log, Place, RawOptions } from '../outcome.ts';
import type { Runner as WholeRunner } from '../run/index.ts';
import type { Note } from '../runs/entry.ts';
import { answers, type Channels, typedField } from './answers.ts';

type Runner = Pick<WholeRunner, 'command' | 'click' | 'suggest'>;

/** Hands each interaction to the runner in the runner's own terms. */
export function listen(
  runner: Runner,
  commands: readonly Command[],
  channels: () => Channels,
  log: Log,
): (interaction: Interaction) => void {
  const handle = async (interaction: Interaction): Promise<void> => {
    if (interaction.isAutocomplete()) await suggest(runner, interaction);
    else if (interaction.isChatInputCommand()) await runner.command(invocation(channels(), interaction));
    else if (interaction.isMessageContextMenuCommand()) await runner.command(picked(commands, channels(), interaction));
    else if (interaction.isButton()) await runner.click(pressed(channels(), interaction));
    else if (interaction.isModalSubmit()) await submitted(runner, channels(), interaction);
  };
  return (interaction) => {
    handle(interaction).catch((error: unknown) => {
      log.error({ interaction: interaction.id, problem: String(error) }, 'an interaction could not be handled');
    });
  };
}

/** Who acts. */
const actorOf = ({ user, member, guildId }: BaseInteraction): Actor => ({
  id: user.id,
  name: user.username,
  roles: member === null ? [] : rolesOf(member, guildId),
});

/** The role ids, copied: discord.js changes the member's object when later events come. */
function rolesOf({ roles }: { roles: string[] | { cache: { keys(): Iterable<string> } } }, guild: string | null) {
  return [...(Array.isArray(roles) ? roles : roles.cache.keys())].filter((role) => role !== guild);
}

/** Whom the options name: those who are in the guild and are no bots. */
const peopleOf = (options: readonly CommandInteractionOption[], guild: string | null): Actor[] =>
  options.flatMap(({ user, member }) => {
    if (user === undefined || user.bot || member === undefined || member === null) return [];
    return [{ id: user.id, name: user.username, roles: rolesOf(member, guild) }];
  });

/** Where it happens; outside of a guild, the guild is empty and no policy answers there. */
function placeOf(interaction: BaseInteraction): Place {
  const { channel } = interaction;
  const parent = channel?.isThread() ? channel.parentId : null;
  return {
    guild: interaction.guildId ?? '',
    channel: interaction.channelId ?? '',
    ...(parent === null ? {} : { parent }),
  };
}

const answeringOf = ({ id, token }: BaseInteraction) => ({ id, token });

/** "firewall.flush" and its options, flat. */
function typedOf(interaction: ChatInputCommandInteraction | AutocompleteInteraction): {
  command: string;
  options: RawOptions;
} {
  const [top] = interaction.options.data;
  const nested = top?.options;
  const id = nested === undefined ? interaction.commandName : `${interaction.commandName}.${top?.name}`;
  return { command: id, options: flat(nested ?? interaction.options.data) };
}

const flat = (options: readonly CommandInteractionOption[]): RawOptions =>
  Object.fromEntries(options.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));

function invocation(channels: Channels, interaction: ChatInputCommandInteraction) {
  const [top] = interaction.options.data;
  return {
    interaction: { id: interaction.id, token: interaction.token },
    actor: actorOf(interaction),
    place: placeOf(interaction),
    ...typedOf(interaction),
    people: peopleOf(top?.options ?? interaction.options.data, interaction.guildId),
    reply: answers(channels, answeringOf(interaction)),
  };
}

/** A command in the menu of a message. */
function picked(commands: readonly Command[], channels: Channels, interaction: MessageContextMenuCommandInteraction) {
  const command = commands.find(({ menu }) => menu === interaction.commandName);
  return {
    interaction: { id: interaction.id, token: interaction.token },
    actor: actorOf(interaction),
    place: placeOf(interaction),
    command: command?.id ?? interaction.commandName,
    options: {},
    message: noteOf(interaction.targetMessage),
    reply: answers(channels, answeringOf(interaction)),
  };
}

/** Of a message, in characters. */
const longestNote = 2000;

/** What a message says, or else what is in it. */
function noteOf({ id, channelId, author, createdAt, content, embeds, attachments }: Message): Note {
  const inside = embeds.flatMap(({ title, description, fields }) => [
    title ?? '',
    description ?? '',
    ...fields.map(({ name, value }) => `${name}: ${value}`),
  ]);
  const files = [...attachments.values()].map(({ name }) => `(file ${name})`);
  const text = [content, [...inside, ...files].filter((each) => each.trim() !== '').join('\n')].find(
    (each) => each.trim() !== '',
  );
  return {
    message: id,
    channel: channelId,
    author: { id: author.id, name: author.username },
    time: createdAt.toISOString(),
    text: [...(text ?? '')].slice(0, longestNote).join(''),
  };
}

const clickedOf = ({ id, content, embeds }: Message) => ({
  message: id,
  content,
  embeds: embeds.map((embed) => embed.toJSON()),
});

function clickOf(channels: Channels, interaction: ButtonInteraction | ModalSubmitInteraction, message: Message) {
  return {
    interaction: { id: interaction.id, token: interaction.token },
    actor: actorOf(interaction),
    place: { ...placeOf(interaction), message: message.id },
    isPrivate: message.flags.has(MessageFlags.Ephemeral),
    button: interaction.customId,
    offered: message.resolveComponent(interaction.customId) !== null,
    reply: answers(channels, { ...answeringOf(interaction), clicked: clickedOf(message) }),
  };
}

const pressed = (channels: Channels, interaction: ButtonInteraction) =>
  clickOf(channels, interaction, interaction.message);

function submitted(runner: Runner, channels: Channels, interaction: ModalSubmitInteraction): Promise<void> | undefined {
  if (!interaction.isFromMessage()) return undefined;
  const typed = interaction.fields.getTextInputValue(typedField);
  return runner.click({ ...clickOf(channels, interaction, interaction.message), typed });
}

async function suggest(runner: Runner, interaction: AutocompleteInteraction): Promise<void> {
  const focused = interaction.options.getFocused(true);
  const { command, options } = typedOf(interaction);
  const choices = await runner.suggest({
    actor: actorOf(interaction),
    place: placeOf(interaction),
    command,
    option: focused.name,
    typed: String(focused.value),
    options,
  });
  if (choices !== undefined) await interaction.respond([...choices]);
}
