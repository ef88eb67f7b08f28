/** The least that does the same as the bot: discord.js, a first answer, one request, one edit. Nothing is checked or recorded. */
import { Client, GatewayIntentBits, type Interaction, MessageFlags } from 'discord.js';

const {
  DISCORD_TOKEN: token = '',
  DISCORD_API_URL: api = '',
  PANEL_URL: panel = '',
  PANEL_TOKEN: secret = '',
} = process.env;
const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
  rest: { api, globalRequestsPerSecond: 10_000 },
});
const headers = { authorization: `Bearer ${secret}`, accept: 'application/json' };

async function handle(interaction: Interaction): Promise<void> {
  if (interaction.isAutocomplete()) return interaction.respond([{ name: 's-1', value: 's-1' }]);
  if (!interaction.isChatInputCommand()) return;
  const isRead = interaction.commandName === 'firewall';
  const name = interaction.options.getString('server') ?? '';
  if (isRead) await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  else await interaction.reply({ content: 'WORKING' });
  // Loaded with the first command, so that a start pays for nothing but discord.js.
  const { request } = await import('undici');
  const path = `/servers/${name.slice(2)}/${isRead ? 'firewall/primary' : 'power/boot'}`;
  const answer = await request(`${panel}${path}`, { method: isRead ? 'GET' : 'POST', headers });
  const body = await answer.body.text();
  await interaction.editReply({ content: isRead ? `Firewall of ${name}: ${body}` : `ACCEPTED ${body}` });
}

client.on('interactionCreate', (interaction) => {
  handle(interaction).catch((error: unknown) => process.stderr.write(`${error}\n`));
});
client.once('clientReady', () => process.stdout.write('ready {}\n'));
await client.login(token);
process.once('SIGTERM', () => process.exit(0));
