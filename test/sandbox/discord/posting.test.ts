import { expect, test } from 'vitest';
import { call, discordForEach } from '../../helpers/sandbox/discord/raw.ts';

const discord = discordForEach({ limits: { posts: false } });

test.each([
  ['white space around it', ' \n two words\u00a0\n', 'two words'],
  ['what is no character, or private', 'a\u0378b\ue000c\u{10fffd}d\uffffe', 'abcde'],
  ['half a character', 'a\ud83db', 'ab'],
  ['a stack of marks', `a${'\u0301'.repeat(40)}b`, `a${'\u0301'.repeat(5)}b`],
  ['more than 150 marks in all', `e${'\u0301'.repeat(151)}`, 'e'],
  ['what it leaves alone', 'é e\u0301 👩‍🚒 \u200b\u202e.', 'é e\u0301 👩‍🚒 \u200b\u202e.'],
])('Discord stores a text without %s, wherever it stands in a message, and answers so', async (_what, sent, stored) => {
  const messages = `/channels/${discord.channels.ops}/messages`;
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
