import { once } from 'node:events';
import { Client, Events, type Interaction } from 'discord.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openWindow, pageForAll, post, send, type Window } from '../../helpers/sandbox/page/visit.ts';

const page = pageForAll();
let client: Client;
let window: Window;
/** What the bot of this test does. */
let answer: (interaction: Interaction) => unknown;

beforeAll(async () => {
  const { apiUrl, token, guildId } = page.discord;
  client = new Client({ intents: [], rest: { api: apiUrl } });
  const ready = once(client, Events.ClientReady);
  client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
  await client.login(token);
  await ready;
  await client.application?.commands.set([{ name: 'flush', description: 'Removes all rules' }], guildId);
  window = await openWindow(page.url, 'alice');
});
beforeEach(() => {
  answer = (interaction) => interaction.isChatInputCommand() && interaction.reply('sure?');
});
afterEach(() => {
  for (const { id } of page.discord.messages('alice', 'ops')) page.discord.deleteMessage('alice', id);
});
afterAll(async () => {
  window.close();
  await client.destroy();
});

const ops = '1300000000000000001';
const act = (what: string, body: unknown) => post(page.url, `/act/${what}`, body);
const flush = { as: 'alice', channel: ops, line: '/flush' };
/** What a typed line came to: the message itself, or the answer to it. */
const outcomeOf = ({ result }: { result?: unknown }) =>
  window.until((view) =>
    view.messages[ops]?.find(({ message }) => [message.id, message.interaction_metadata?.id].includes(String(result))),
  );

it('does not let people touch what is not theirs', async () => {
  const message = (await outcomeOf(await act('type', flush))).message.id;
  expect(await act('delete', { as: 'bob', message })).toMatchObject({
    status: 409,
    problem: 'bob may delete only their own messages.',
  });
  expect(await act('edit', { as: 'bob', message, content: 'x' })).toMatchObject({
    status: 409,
    problem: 'bob may edit only their own messages.',
  });
});

it('carries markup and odd characters as data, exactly, in one line', async () => {
  const line =
    '</script><script>alert(1)</script>\n{"event":"view","data":{"me":"eve"}}\n<img src=x onerror=alert(1)>\u202e\u2028\u200bfin';
  const { message } = await outcomeOf(await act('type', { as: 'mallory', channel: ops, line }));
  expect(message.content).toBe(line);
  expect(window.view().me).toBe('alice');
  expect(window.text()).not.toContain('"me":"eve"');
});

it('serves attachments from its own address: pictures inline, the rest as downloads', async () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex');
  answer = (interaction) =>
    interaction.isChatInputCommand() &&
    interaction.reply({
      content: 'two files',
      files: [
        { attachment: png, name: 'chart.png', contentType: 'image/png' },
        { attachment: Buffer.from('<script>alert(1)</script>'), name: 'page.html', contentType: 'text/html' },
      ],
    });
  const [picture, markup] = (await outcomeOf(await act('type', flush))).message.attachments;
  expect(picture?.url).toMatch(/^\/attachments\/\d+\/\d+\/chart\.png$/);
  const seen = await send(`${page.url}${picture?.url}`);
  expect([seen.status, seen.headers['content-type']]).toEqual([200, 'image/png']);
  const kept = await send(`${page.url}${markup?.url}`);
  expect(kept.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''page.html",
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  expect((await send(`${page.url}/attachments/1/2/none.png`)).status).toBe(404);
});
