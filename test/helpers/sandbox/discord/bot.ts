import { once } from 'node:events';
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Client,
  type ClientOptions,
  Events,
  GatewayIntentBits,
  type Interaction,
  SlashCommandBuilder,
} from 'discord.js';
import type { SandboxDiscord } from '../../../../src/sandbox/discord/index.ts';

const COMMANDS = [
  new SlashCommandBuilder()
    .setName('firewall')
    .setDescription('The firewall of a server')
    .addSubcommand((flush) =>
      flush
        .setName('flush')
        .setDescription('Removes all rules')
        .addStringOption((server) =>
          server.setName('server').setDescription('Its name').setRequired(true).setAutocomplete(true),
        )
        .addStringOption((reason) => reason.setName('reason').setDescription('Why').setMaxLength(20)),
    ),
  new SlashCommandBuilder()
    .setName('cpu')
    .setDescription('Limits the CPU')
    .addIntegerOption((percent) =>
      percent.setName('percent').setDescription('0 to 100').setRequired(true).setMinValue(0).setMaxValue(100),
    )
    .addStringOption((face) =>
      face
        .setName('interface')
        .setDescription('Which')
        .addChoices({ name: 'primary', value: 'primary' }, { name: 'secondary', value: 'secondary' }),
    ),
].map((command) => command.toJSON());

export const BUTTONS = new ActionRowBuilder<ButtonBuilder>().addComponents(
  new ButtonBuilder().setCustomId('confirm').setLabel('Confirm').setStyle(ButtonStyle.Danger),
  new ButtonBuilder().setCustomId('cancel').setLabel('Cancel').setStyle(ButtonStyle.Secondary),
);

/** The unmodified discord.js, logged in, with its commands registered; `answer` gets every interaction. */
export async function startBot(
  discord: SandboxDiscord,
  answer: (interaction: Interaction) => unknown = () => undefined,
  options: Partial<ClientOptions> = {},
): Promise<Client<true>> {
  const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discord.apiUrl }, ...options });
  const ready = once(client, Events.ClientReady);
  client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
  await client.login(discord.token);
  await ready;
  if (!client.isReady()) throw new Error('not ready');
  await client.application.commands.set(COMMANDS, discord.guildId);
  return client;
}
