import { REST, Routes } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { startDiscord } from '../../../src/sandbox/discord/index.ts';
import { call, discordForEach } from '../../helpers/sandbox/discord/raw.ts';

const discord = discordForEach({ limits: { posts: false } });

const ALICE = '<@1400000000000000001>';
const BOB = '<@1400000000000000002>';
const ON_CALL = '<@&1200000000000000002>';

interface Sent {
  mentions: { username: string }[];
  mention_roles: string[];
  mention_everyone: boolean;
}

async function pinged(body: object) {
  const { json } = await call<Sent>(discord, 'POST', `/channels/${discord.channels.ops}/messages`, body);
  return {
    users: json.mentions.map((user) => user.username),
    roles: json.mention_roles,
    everyone: json.mention_everyone,
    people: discord.messages('alice', 'ops').at(-1)?.pinged,
  };
}

test('without allowed_mentions everything in the text pings', async () => {
  expect(await pinged({ content: `${ALICE} ${ON_CALL}` })).toEqual({
    users: ['alice'],
    roles: ['1200000000000000002'],
    everyone: false,
    people: ['alice', 'bob'],
  });
  expect(await pinged({ content: '@everyone' })).toMatchObject({
    everyone: true,
    people: ['alice', 'bob', 'carol', 'mallory'],
  });
});

test('an empty parse pings nobody', async () => {
  const body = { content: `${ALICE} ${ON_CALL} @everyone @here`, allowed_mentions: { parse: [] } };
  expect(await pinged(body)).toEqual({ users: [], roles: [], everyone: false, people: [] });
});

test('only the kinds and the ids that are allowed ping', async () => {
  const content = `${ALICE} ${BOB} ${ON_CALL}`;
  expect(await pinged({ content, allowed_mentions: { parse: ['roles'] } })).toMatchObject({ people: ['bob'] });
  expect(await pinged({ content, allowed_mentions: { users: ['1400000000000000001'] } })).toMatchObject({
    users: ['alice'],
    people: ['alice'],
  });
  const absent = { content: 'nobody', allowed_mentions: { users: ['1400000000000000001'] } };
  expect(await pinged(absent)).toMatchObject({ users: [], people: [] });
});

test('an edit pings nobody', async () => {
  const path = `/channels/${discord.channels.ops}/messages`;
  const { id } = (await call(discord, 'POST', path, { content: 'soon' })).json;
  await call(discord, 'PATCH', `${path}/${id}`, { content: ALICE });
  expect(discord.messages('alice', 'ops')).toMatchObject([
    { pinged: [], mentions: { users: ['1400000000000000001'] } },
  ]);
  expect(discord.view('alice', 'ops')).toBe('panelops: @alice (edited)');
});

test.each([
  ['mentionable', true, true, ['alice'], ['alice']],
  ['not mentionable', false, true, ['alice'], ['alice']],
  ['mentionable, without Mention Everyone', true, false, ['alice'], []],
  ['not mentionable, without Mention Everyone', false, false, [], []],
] as const)('a role that is %s', async (_what, mentionable, mayMention, byRole, byEveryone) => {
  const role = '1200000000000000001';
  const own = await startDiscord({
    limits: { posts: false },
    guild: {
      ...{ id: '1100000000000000001', name: 'Sandbox', roles: [{ id: role, name: 'lead', mentionable }] },
      channels: [{ id: '1300000000000000001', name: 'ops', topic: '' }],
      people: [{ id: '1400000000000000001', name: 'alice', role: 'lead' }],
    },
  });
  onTestFinished(() => own.close());
  if (!mayMention) own.order({ kind: 'forbid-channel', channel: 'ops', right: 'mention' });
  const rest = new REST({ api: own.apiUrl, retries: 0 }).setToken(own.token);
  const pings = async (content: string) => {
    const body = { content, allowed_mentions: { parse: ['everyone'], roles: [role] } };
    await rest.post(Routes.channelMessages('1300000000000000001'), { body });
    return own.messages('alice', 'ops').at(-1)?.pinged;
  };
  expect(await pings(`<@&${role}> look`)).toEqual(byRole);
  expect(await pings('@here look')).toEqual(byEveryone);
});

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
