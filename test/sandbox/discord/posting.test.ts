import { beforeEach, expect, test } from 'vitest';
import {
  type Connection,
  call,
  discordForEach,
  identified,
  interaction,
  registerPing,
} from '../../helpers/sandbox/discord/raw.ts';

const discord = discordForEach({ limits: { posts: false } });
let bot: Connection;
let messages: string;

beforeEach(async () => {
  await registerPing(discord);
  bot = await identified(discord);
  messages = `/channels/${discord.channels.ops}/messages`;
});

test('a silent message mentions and notifies nobody', async () => {
  const content = '<@1400000000000000001> has a line';
  const { json } = await call(discord, 'POST', messages, { content, flags: 4096 });
  expect(json).toMatchObject({ flags: 4096, mentions: [{ username: 'alice' }] });
  await call(discord, 'POST', messages, { content });
  expect(discord.messages('bob', 'ops')).toMatchObject([
    { silent: true, pinged: [], mentions: { users: ['1400000000000000001'] } },
    { silent: false, pinged: ['alice'] },
  ]);
  expect(discord.view('bob', 'ops')).toBe('panelops: @alice has a line\n\npanelops: @alice(!) has a line');
});

test('flags that are Discord’s own to set are ignored', async () => {
  const { json } = await call(discord, 'POST', messages, { content: 'x', flags: 64 | 128 | 32 | 4 });
  expect(json).toMatchObject({ flags: 4 });
});

test('embeds can be hidden, and an edit neither silences nor wakes', async () => {
  const body = { content: 'x', embeds: [{ title: 'Details' }], flags: 4 | 4096 };
  const { id } = (await call(discord, 'POST', messages, body)).json;
  expect(discord.messages('bob', 'ops')).toMatchObject([{ embeds: [], silent: true, edited: false }]);
  await call(discord, 'PATCH', `${messages}/${id}`, { flags: 0 });
  expect(discord.messages('bob', 'ops')).toMatchObject([
    { embeds: [{ title: 'Details' }], silent: true, edited: true },
  ]);
});

function form(body: object, name: string, text: string, type = ''): FormData {
  const data = new FormData();
  data.set('payload_json', JSON.stringify(body));
  data.set('files[0]', new Blob([text], type === '' ? {} : { type }), name);
  return data;
}

/** The only file of each message in #ops, and what its address serves. */
async function files() {
  return await Promise.all(
    discord.messages('alice', 'ops').map(async ({ files: [file] }) => {
      if (!file) return undefined;
      expect(new URL(file.url).hostname).toBe('127.0.0.1');
      const served = await fetch(file.url);
      const said = served.headers.get('content-type');
      return { name: file.name, size: file.size, type: file.type, said, text: await served.text() };
    }),
  );
}

test('files come with posts, first answers, edits and follow-ups, and are served', async () => {
  await call(discord, 'POST', messages, form({ content: 'post' }, 'timeline.md', '# 21:40'));
  await discord.type('alice', 'ops', '/ping');
  const first = await interaction(bot);
  const answer = { type: 4, data: { content: 'answer' } };
  await call(discord, 'POST', `/interactions/${first.id}/${first.token}/callback`, form(answer, 'a.csv', 'a,b'));
  const hook = `/webhooks/${discord.applicationId}/${first.token}`;
  const followUp = form({ content: 'more', flags: 64, attachments: [{ id: 0, filename: 'b.json' }] }, 'x', '{}');
  await call(discord, 'POST', hook, followUp);
  await discord.type('alice', 'ops', '/ping');
  const second = await interaction(bot, 1);
  await call(discord, 'POST', `/interactions/${second.id}/${second.token}/callback`, { type: 5 });
  const edit = form({ content: 'later' }, 'chart.png', 'PNG', 'image/png');
  await call(discord, 'PATCH', `/webhooks/${discord.applicationId}/${second.token}/messages/@original`, edit);
  const [markdown, csv, json] = ['text/markdown', 'text/csv', 'application/json'].map(
    (type) => `${type}; charset=utf-8`,
  );
  expect(await files()).toEqual([
    { name: 'timeline.md', size: 7, type: markdown, said: markdown, text: '# 21:40' },
    { name: 'a.csv', size: 3, type: csv, said: csv, text: 'a,b' },
    { name: 'b.json', size: 2, type: json, said: json, text: '{}' },
    { name: 'chart.png', size: 3, type: 'image/png', said: 'image/png', text: 'PNG' },
  ]);
  expect(discord.view('bob', 'ops')).toBe(
    [
      'panelops: post\n  📎 timeline.md (7 bytes)',
      'alice used /ping\npanelops: answer\n  📎 a.csv (3 bytes)',
      'alice used /ping\npanelops: later\n  📎 chart.png (3 bytes)',
    ].join('\n\n'),
  );
});

test('an edit keeps the files that it lists and adds those that it brings', async () => {
  const { id } = (await call(discord, 'POST', messages, form({ content: 'x' }, 'one.txt', '1'))).json;
  await call(discord, 'PATCH', `${messages}/${id}`, form({}, 'two.txt', '22'));
  const both = discord.messages('bob', 'ops')[0]?.files ?? [];
  expect(both.map(({ name, type, size }) => [name, type, size])).toEqual([
    ['one.txt', 'text/plain; charset=utf-8', 1],
    ['two.txt', 'text/plain; charset=utf-8', 2],
  ]);
  const address = both[0]?.url ?? '';
  const kept = { attachments: [{ id: both[1]?.url.split('/').at(-2) }] };
  await call(discord, 'PATCH', `${messages}/${id}`, kept);
  expect(discord.messages('bob', 'ops')[0]?.files.map((file) => file.name)).toEqual(['two.txt']);
  expect((await fetch(address)).status).toBe(404);
});

test.each([
  ['white space around it', ' \n two words\u00a0\n', 'two words'],
  ['what is no character, or private', 'a\u0378b\ue000c\u{10fffd}d\uffffe', 'abcde'],
  ['half a character', 'a\ud83db', 'ab'],
  ['a stack of marks', `a${'\u0301'.repeat(40)}b`, `a${'\u0301'.repeat(5)}b`],
  ['more than 150 marks in all', `e${'\u0301'.repeat(151)}`, 'e'],
  ['what it leaves alone', 'é e\u0301 👩‍🚒 \u200b\u202e.', 'é e\u0301 👩‍🚒 \u200b\u202e.'],
])('Discord stores a text without %s, wherever it stands in a message, and answers so', async (_what, sent, stored) => {
  const text = (of: string) => ({
    content: of,
    embeds: [{ title: of, description: of, footer: { text: of }, fields: [{ name: of, value: of }] }],
  });
  const posted = await call(discord, 'POST', messages, text(sent));
  expect(posted.json).toMatchObject(text(stored));
  await call(discord, 'PATCH', `${messages}/${posted.json.id}`, { content: 'other', embeds: [] });
  expect((await call(discord, 'PATCH', `${messages}/${posted.json.id}`, text(sent))).json).toMatchObject(text(stored));
  const read = await call(discord, 'GET', `${messages}/${posted.json.id}`);
  expect(read.json).toMatchObject(text(stored));
});
