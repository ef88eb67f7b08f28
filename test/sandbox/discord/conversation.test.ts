import type { Client, Interaction } from 'discord.js';
import { MessageFlags } from 'discord.js';
import { afterEach, expect, test } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { BUTTONS, MODAL, startBot } from '../../helpers/sandbox/discord/bot.ts';

let discord: SandboxDiscord | undefined;
let client: Client | undefined;

afterEach(async () => {
  await client?.destroy();
  await discord?.close();
});

async function talk(answer: (interaction: Interaction) => unknown, answerMs = 3000): Promise<SandboxDiscord> {
  const started = await startDiscord({ deadlines: { answerMs } });
  discord = started;
  client = await startBot(started, answer);
  return started;
}

test('a command is answered, its button is clicked, and the channel shows both', async () => {
  const discord = await talk(async (interaction) => {
    if (interaction.isChatInputCommand()) {
      const server = interaction.options.getString('server', true);
      const sub = interaction.options.getSubcommand();
      await interaction.reply({ content: `${sub} ${server}?`, components: [BUTTONS], withResponse: true });
    } else if (interaction.isButton()) {
      await interaction.update({ content: `Confirmed by ${interaction.user}`, components: [] });
    }
  });
  const id = await discord.type('alice', 'ops', '/firewall flush server:web-1 reason:"two words"');
  const card = await discord.until(() => discord.messages('bob', 'ops').find((one) => one.answers === id));
  expect(discord.view('bob', 'ops')).toMatchInlineSnapshot(`
    "alice used /firewall flush
    panelops: flush web-1?
      [Confirm] [Cancel]"
  `);
  await discord.click('alice', card.id, 'confirm');
  await discord.until(() => discord.messages('bob', 'ops')[0]?.edited);
  expect(discord.view('bob', 'ops')).toMatchInlineSnapshot(`
    "alice used /firewall flush
    panelops: Confirmed by @alice (edited)"
  `);
});

test('a private answer is thought about, edited and followed up, for one person only', async () => {
  const discord = await talk(async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await discord.until(() => discord.messages('alice', 'ops')[0]?.state === 'thinking');
    await interaction.editReply('The answer');
    await interaction.followUp({ content: 'And one thing more', flags: MessageFlags.Ephemeral });
  });
  await discord.type('alice', 'ops', '/cpu percent:50');
  await discord.until(() => discord.messages('alice', 'ops').length === 2);
  expect(discord.view('alice', 'ops')).toMatchInlineSnapshot(`
    "alice used /cpu
    panelops: The answer
      (only alice sees this)

    ↪ reply to panelops: The answer
    panelops: And one thing more
      (only alice sees this)"
  `);
  expect(discord.view('bob', 'ops')).toBe('');
});

test('a button opens a modal, and what is typed into it arrives', async () => {
  const discord = await talk(async (interaction) => {
    if (interaction.isChatInputCommand()) await interaction.reply({ content: 'Sure?', components: [BUTTONS] });
    else if (interaction.isButton()) await interaction.showModal(MODAL);
    else if (interaction.isModalSubmit() && interaction.isFromMessage()) {
      const name = interaction.fields.getTextInputValue('name');
      await interaction.update({ content: `Restoring ${name}`, components: [] });
    }
  });
  await discord.type('bob', 'ops', '/cpu percent:1');
  const card = await discord.until(() => discord.messages('bob', 'ops')[0]);
  await discord.click('bob', card.id, 'confirm');
  await discord.until(() => discord.modalOf('bob'));
  expect(discord.view('bob', 'ops')).toMatchInlineSnapshot(`
    "bob used /cpu
    panelops: Sure?
      [Confirm] [Cancel]

    ┌ Restore web-1
    │ Type the name of the server <>
    └ [Submit] [Cancel]"
  `);
  await discord.submit('bob', 'web-1');
  await discord.until(() => discord.messages('bob', 'ops')[0]?.edited);
  expect(discord.modalOf('bob')).toBeUndefined();
  expect(discord.view('carol', 'ops')).toMatchInlineSnapshot(`
    "bob used /cpu
    panelops: Restoring web-1 (edited)"
  `);
});

test('autocomplete offers what the bot answers for the text typed so far', async () => {
  const discord = await talk(async (interaction) => {
    if (!interaction.isAutocomplete()) return;
    const typed = interaction.options.getFocused();
    await interaction.respond([{ name: `${typed}-1 (101)`, value: '101' }]);
  });
  await expect(discord.autocomplete('alice', 'ops', '/firewall flush server:web', 'server')).resolves.toEqual([
    { name: 'web-1 (101)', value: '101' },
  ]);
});

test('a command without an answer in time is shown as failed to the person who typed it', async () => {
  const discord = await talk(() => undefined, 100);
  await discord.type('alice', 'ops', '/cpu percent:50');
  await discord.until(() => discord.messages('alice', 'ops')[0]?.state === 'failed');
  expect(discord.view('alice', 'ops')).toMatchInlineSnapshot(`
    "alice used /cpu
    panelops: The application did not respond
      (only alice sees this)"
  `);
  expect(discord.view('bob', 'ops')).toBe('');
});
