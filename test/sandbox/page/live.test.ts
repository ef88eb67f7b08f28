import { once } from 'node:events';
import { type Client, type Interaction, MessageFlags } from 'discord.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SandboxDiscord, startDiscord } from '../../../src/sandbox/discord/index.ts';
import { type Page, startPage } from '../../../src/sandbox/page/index.ts';
import { until } from '../../helpers/messages.ts';
import { BUTTONS, startBot } from '../../helpers/sandbox/discord/bot.ts';
import { listen, makeBundle, noBot, openWindow, post, type Window } from '../../helpers/sandbox/page/visit.ts';

const bundle = makeBundle();
let discord: SandboxDiscord;
let page: Page;
let client: Client | undefined;
const windows: Window[] = [];
const open = async (as: string, more?: string): Promise<Window> => {
  const window = await openWindow(page.url, as, more);
  windows.push(window);
  return window;
};
const start = (port: number, pace = {}) => startPage({ port, discord, bundle: bundle.folder, bot: noBot, pace });

beforeEach(async () => {
  discord = await startDiscord();
  page = await start(0);
});
afterEach(async () => {
  for (const window of windows.splice(0)) window.close();
  await client?.destroy();
  client = undefined;
  await page.close();
  await discord.close();
});

const ops = '1300000000000000001';

it('shows the whole guild at once: people with their roles, channels, nobody online', async () => {
  const { me, guild, people, roles, channels, messages, commands, online } = (await open('bob')).view();
  expect(me).toBe('bob');
  expect(guild).toEqual({ id: '1100000000000000001', name: 'Sandbox' });
  expect(people).toEqual([
    { id: '1400000000000000001', name: 'alice', roles: ['lead'], bot: false },
    { id: '1400000000000000002', name: 'bob', roles: ['on-call'], bot: false },
    { id: '1400000000000000003', name: 'carol', roles: ['viewer'], bot: false },
    { id: '1400000000000000004', name: 'mallory', roles: [], bot: false },
    { id: '1000000000000000001', name: 'panelops', roles: [], bot: true },
  ]);
  expect(roles.map(({ name }) => name)).toEqual(['lead', 'on-call', 'viewer']);
  expect(channels.map(({ name }) => name)).toEqual(['ops', 'audit', 'random']);
  expect(messages).toEqual({ [ops]: [], '1300000000000000002': [], '1300000000000000003': [] });
  expect([commands, online]).toEqual([[], false]);
});

it('sends whole states over a WebSocket, each under its name', async () => {
  const window = await open('alice');
  expect(window.text()).toMatch(/^\{"event":"view","data":\{.*\}\}$/);
});

it('rejects unknown people', async () => {
  for (const as of ['eve', '', 'constructor', 'panelops']) {
    const [code, reason] = await once(listen(page.url, as), 'close');
    expect([code, String(reason)]).toEqual([4400, 'as: must be one of alice, bob, carol, mallory.']);
  }
});

it('says when the bot comes and goes, and which commands it has', async () => {
  const window = await open('alice');
  client = await startBot(discord);
  const { commands } = await window.until((view) => view.online && view.commands.length > 0 && view);
  expect(commands).toMatchObject([
    { type: 1, name: 'firewall', application_id: '1000000000000000001' },
    { type: 1, name: 'cpu' },
  ]);
  await client.destroy();
  await window.until((view) => !view.online);
});

it('sends two people what each of them sees, live', async () => {
  client = await startBot(discord, (interaction: Interaction) =>
    interaction.isChatInputCommand() && interaction.commandName === 'cpu'
      ? interaction.reply({ content: 'for you', flags: MessageFlags.Ephemeral })
      : interaction.isChatInputCommand() && interaction.reply({ content: 'for all', components: [BUTTONS] }),
  );
  const [alice, bob] = [await open('alice'), await open('bob')];
  await post(page.url, '/act/type', { as: 'alice', channel: ops, line: '/cpu percent:5' });
  await post(page.url, '/act/type', { as: 'bob', channel: 'ops', line: '/firewall flush server:web-1' });
  const seen = await alice.until((view) => view.messages[ops]?.length === 2 && view.messages[ops]);
  const [mine, all] = seen;
  expect(mine).toMatchObject({
    message: { content: 'for you', channel_id: ops, author: { username: 'panelops', bot: true }, flags: 64 },
    onlyMe: true,
    thinking: false,
    used: { who: 'alice', command: '/cpu' },
    pinged: [],
  });
  expect(all).toMatchObject({ onlyMe: false, used: { who: 'bob', command: '/firewall flush' } });
  expect(all?.message.components?.[0]).toMatchObject({ components: [{ label: 'Confirm' }, { label: 'Cancel' }] });
  const other = await bob.until((view) => view.messages[ops]?.length === 1 && view.messages[ops]);
  expect(other[0]?.message.content).toBe('for all');
  expect(bob.text()).not.toContain('for you');
});

it('shows a missing answer only to the person who typed, until they dismiss it', async () => {
  await page.close();
  await discord.close();
  discord = await startDiscord({ deadlines: { answerMs: 300 } });
  page = await start(0);
  client = await startBot(discord);
  const [alice, bob] = [await open('alice'), await open('bob')];
  const { result } = await post(page.url, '/act/type', { as: 'alice', channel: ops, line: '/cpu percent:5' });
  const [failed] = await alice.until((view) => view.messages[ops]?.length === 1 && view.messages[ops]);
  expect(failed).toMatchObject({
    message: { id: result, content: '' },
    onlyMe: true,
    failed: 'The application did not respond',
    used: { who: 'alice', command: '/cpu' },
  });
  expect(bob.view().messages[ops]).toEqual([]);
  expect(await post(page.url, '/act/delete', { as: 'bob', message: result })).toMatchObject({ status: 409 });
  expect(await post(page.url, '/act/delete', { as: 'alice', message: result })).toMatchObject({ status: 200 });
  await alice.until((view) => view.messages[ops]?.length === 0);
});

it('batches events, and skips those that change nothing for this person', async () => {
  const window = await open('alice');
  for (let n = 1; n <= 100; n += 1) void discord.type('bob', 'ops', `message ${n}`);
  await window.until((view) => view.messages[ops]?.length === 100);
  expect(window.events()).toBeLessThan(10);
  const before = window.text().length;
  discord.setRoles('bob', ['on-call']);
  void discord.type('bob', 'ops', 'last');
  await window.until((view) => view.messages[ops]?.length === 101);
  expect(
    window
      .text()
      .slice(before)
      .match(/^\{"event":"view"/gm),
  ).toHaveLength(1);
});

it('waits for a slow page, then sends only the newest state', async () => {
  const [quick, slow] = [await open('bob'), listen(page.url, 'alice', '', { autoPong: false })];
  const came: string[] = [];
  slow.on('message', (data) => came.push(String(data)));
  await once(slow, 'message');
  for (let n = 1; n <= 3; n += 1) {
    await discord.type('bob', 'ops', `message ${n}`);
    await quick.until((view) => view.messages[ops]?.length === n);
  }
  expect(came).toHaveLength(1);
  slow.pong();
  await once(slow, 'message');
  expect(came[1]).toContain('message 3');
  slow.terminate();
});

it('shows the newest 200 messages of a channel', async () => {
  for (let n = 1; n <= 230; n += 1) void discord.type('bob', 'ops', `message ${n}`);
  const shown = (await open('alice')).view().messages[ops]?.map(({ message }) => message.content);
  expect([shown?.length, shown?.[0], shown?.at(-1)]).toEqual([200, 'message 31', 'message 230']);
});

it('sends a returning page all that it missed, also from a new server on the same port', async () => {
  const before = await open('alice');
  before.close();
  await discord.type('bob', 'ops', 'while you were away');
  const again = await open('alice');
  expect(again.view().messages[ops]?.map(({ message }) => message.content)).toEqual(['while you were away']);
  await page.close();
  page = await start(Number(new URL(page.url).port));
  const third = await open('alice');
  expect(third.view().messages[ops]).toHaveLength(1);
});

it('sends heartbeats while nothing happens', async () => {
  await page.close();
  page = await start(0, { heartbeat: 20 });
  const window = await open('alice');
  await until(() => window.beats() > 2, 'signs of life');
  expect(window.events()).toBe(1);
});

it('sends the side panel only to pages that have it open', async () => {
  const [closed, opened] = [await open('alice'), await open('alice', '&behind=1')];
  expect(opened.behind()).toMatchObject({ requests: [], entries: [], followUps: [] });
  await discord.type('bob', 'ops', 'hello');
  await closed.until((view) => view.messages[ops]?.length === 1);
  expect(closed.text()).not.toContain('"event":"behind"');
});
