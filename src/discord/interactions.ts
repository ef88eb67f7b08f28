import type {
  AutocompleteInteraction,
  BaseInteraction,
  ButtonInteraction,
  ChatInputCommandInteraction,
  CommandInteractionOption,
  Interaction,
  Message,
  ModalSubmitInteraction,
} from 'discord.js';
import type { Actor, Log, Place, RawOptions } from '../outcome.ts';
import type { Runner } from '../run/index.ts';
import { answers, type Channels, typedField } from './answers.ts';

/** Hands each interaction to the runner in the runner's own terms. */
export function listen(runner: Runner, channels: () => Channels, log: Log): (interaction: Interaction) => void {
  return (interaction) => {
    const handled = interaction.isAutocomplete()
      ? suggest(runner, interaction)
      : interaction.isChatInputCommand()
        ? runner.command(invocation(channels(), interaction))
        : interaction.isButton()
          ? runner.click(pressed(channels(), interaction))
          : interaction.isModalSubmit()
            ? submitted(runner, channels(), interaction)
            : undefined;
    handled?.catch((error: unknown) =>
      log.error({ interaction: interaction.id, problem: String(error) }, 'an interaction could not be handled'),
    );
  };
}

/** Who acts. The role ids are copied: discord.js changes the member's object when later events come. */
function actorOf(interaction: BaseInteraction): Actor {
  const { user, member, guildId } = interaction;
  const roles = member === null ? [] : Array.isArray(member.roles) ? [...member.roles] : [...member.roles.cache.keys()];
  return { id: user.id, name: user.username, roles: roles.filter((role) => role !== guildId) };
}

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

const answeringOf = ({ id, token, channelId }: BaseInteraction) => ({ id, token, channel: channelId ?? '' });

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
  return {
    interaction: { id: interaction.id, token: interaction.token },
    actor: actorOf(interaction),
    place: placeOf(interaction),
    ...typedOf(interaction),
    reply: answers(channels, answeringOf(interaction)),
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
    button: interaction.customId,
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
  await interaction.respond([...choices]);
}
