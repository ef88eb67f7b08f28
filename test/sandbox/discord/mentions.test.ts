import { expect, test } from 'vitest';
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
