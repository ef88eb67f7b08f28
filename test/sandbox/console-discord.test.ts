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

it('drives the real sandbox and the real discord.js from lines that arrive all at once', async () => {
  discord = await startDiscord();
  client = await startBot(discord, answer);
  const session = openTerminal(discord, { button: 5000, answer: 5000, quiet: 100 });
  terminal = session.console;
  session.write(
    [
      'alice /firewall flush',
      'alice /firewall flush server:web-1 reason:"two words"',
      'bob click Confirm',
      'alice click Confirm',
      'alice type web-1',
      'as carol',
      '',
    ].join('\n'),
  );
  const carols = '> as carol\n\n#ops\nalice used /firewall flush\npanelops: ACCEPTED web-1 (edited)\n';
  expect(await session.printed(carols)).toMatchInlineSnapshot(`
    "> alice /firewall flush

    server: This option is required. Specify a value.

    > alice /firewall flush server:web-1 reason:"two words"

    #ops
    alice used /firewall flush
    panelops: CONFIRM? flush web-1
      [Confirm] [Cancel]

    > bob click Confirm

    #ops
    ↪ reply to panelops: CONFIRM? flush web-1
    panelops: Only alice can confirm this.
      (only bob sees this)

    > alice click Confirm

    alice has a form open: Restore web-1
      Type the name of the server:
    Answer with: alice type TEXT

    > alice type web-1

    #ops (changed)
    alice used /firewall flush
    panelops: ACCEPTED web-1 (edited)

    > as carol

    #ops
    alice used /firewall flush
    panelops: ACCEPTED web-1 (edited)

    "
  `);

  // What the bot does by itself later appears as well.
  const [card] = discord.messages('carol', 'ops');
  const channel = await client.channels.fetch(discord.channels.ops);
  if (!card || !channel?.isSendable()) throw new Error('no card');
  await channel.messages.edit(card.id, 'FINISHED web-1');
  expect((await session.printed('FINISHED')).split(carols)[1]).toBe(
    '\n#ops (changed)\nalice used /firewall flush\npanelops: FINISHED web-1 (edited)\n\n',
  );
});
