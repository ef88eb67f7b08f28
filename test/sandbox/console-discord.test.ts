import type { Client, Interaction } from 'discord.js';
import { MessageFlags } from 'discord.js';
import { afterEach, expect, it } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';
import { BUTTONS, MODAL, startBot } from '../helpers/sandbox/discord/bot.ts';
import { openTerminal } from '../helpers/sandbox/terminal.ts';

let discord: SandboxDiscord | undefined;
let client: Client | undefined;
let terminal: { close(): void } | undefined;

afterEach(async () => {
  terminal?.close();
  await client?.destroy();
  await discord?.close();
});

async function answer(interaction: Interaction): Promise<void> {
  if (interaction.isChatInputCommand()) {
    // Deferred like a real bot's, so that the button comes only with the edit.
    await interaction.deferReply();
    await interaction.editReply({ content: 'CONFIRM? flush web-1', components: [BUTTONS] });
  } else if (interaction.isButton()) {
    if (interaction.user.username === 'alice') await interaction.showModal(MODAL);
    else await interaction.reply({ content: 'Only alice can confirm this.', flags: MessageFlags.Ephemeral });
  } else if (interaction.isModalSubmit() && interaction.isFromMessage()) {
    await interaction.update({ content: `ACCEPTED ${interaction.fields.getTextInputValue('name')}`, components: [] });
  }
}

it('knows threads by name: what is typed there, what happens there, and the buttons there', async () => {
  discord = await startDiscord();
  client = await startBot(discord, answer);
  const thread = discord.startThread('alice', 'ops', 'disk full');
  const session = openTerminal(discord, { button: 5000, answer: 5000, quiet: 100 });
  terminal = session.console;
  session.write('alice #disk full /firewall flush server:web-1\nalice click Confirm\nalice type web-1\nas carol\n');
  const screen = await session.printed(
    '> as carol\n\n#disk full\nalice used /firewall flush\npanelops: ACCEPTED web-1',
  );
  expect(screen).toContain('#disk full (changed)\nalice used /firewall flush\npanelops: ACCEPTED web-1 (edited)');
  discord.closeThread('alice', thread);
  session.write('alice #disk full /firewall flush server:web-1\n');
  await session.printed('#disk full: this thread is archived.');
});
