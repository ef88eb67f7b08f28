import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Card, trusted } from '../../src/card.ts';
import { ChannelClosed } from '../../src/outcome.ts';
import { botForEach, botOn } from '../helpers/discord/own-bot.ts';
import {
  type Connection,
  call,
  discordForEach,
  identified,
  interaction,
  registerPing,
} from '../helpers/sandbox/discord/raw.ts';

const card = (words: string, run = 'abc'): Card => ({
  state: 'accepted',
  command: '/power boot',
  body: [trusted(words)],
  run,
});

const alice = '1400000000000000001';
const bob = '1400000000000000002';
const hour = 3_600_000;

let ahead = 0;
const discord = discordForEach({
  now: () => Date.now() + ahead,
  limits: { posts: false, lateEdits: { count: 0, ms: hour } },
});
const bot = botForEach(discord);
let ops: string;
beforeEach(async () => {
  ahead = 0;
  await bot.connect();
  ops = discord.channels.ops;
});
afterEach(() => expect(bot.refusals).toEqual([]));

const said = (channel = 'ops') =>
  discord.messages('alice', channel).map(({ embeds }) => embeds[0]?.description?.split('\n-# ', 1).join());

/** The bot's own message, in a channel or thread. */
const posted = async (channel = ops) =>
  (await call(discord, 'POST', `/channels/${channel}/messages`, { content: 'the card' })).json.id;

/** A message that answers a command, for everybody or in private. */
async function answered(flags = 0): Promise<{ interaction: { id: string; token: string }; message: string }> {
  const gateway: Connection = await identified(discord);
  await registerPing(discord);
  await discord.type('alice', 'ops', '/ping');
  const known = await interaction(gateway);
  await call(discord, 'POST', `/interactions/${known.id}/${known.token}/callback`, {
    type: 4,
    data: { content: 'pong', flags },
  });
  gateway.ws.close();
  return { interaction: known, message: discord.messages('alice', 'ops').at(-1)?.id ?? '' };
}

const patches = () =>
  discord.requests
    .filter(({ method }) => method === 'PATCH')
    .map(({ path }) => (path.includes('/webhooks/') ? 'token' : 'bot'));

const thread = async () =>
  (await call(discord, 'POST', `/channels/${ops}/threads`, { name: 'disk', type: 11 })).json.id;
const archive = (id: string) => call(discord, 'PATCH', `/channels/${id}`, { archived: true });

describe('an edit', () => {
  it('goes with the token of the interaction while that is good, and then by the bot’s own right', async () => {
    const { interaction: known, message } = await answered();
    const place = { channel: ops, message, interaction: known };
    expect(await bot.messages.edit(place, card('one'))).toBe('edited');
    ahead = 16 * 60_000;
    expect(await bot.messages.edit(place, card('two'))).toBe('edited');
    expect(patches()).toEqual(['token', 'token', 'bot']);
    expect(said()).toEqual(['two']);
  });

  it('is not sent where the message is in doubt, and shows just that', async () => {
    const message = await posted();
    const place = { channel: ops, message };
    await bot.messages.edit(place, card('one'));
    expect(await bot.messages.edit({ ...place, stale: true }, card('one'))).toBe('same');
    await call(discord, 'PATCH', `/channels/${ops}/messages/${message}`, { content: 'late', embeds: [] });
    expect(await bot.messages.edit({ ...place, stale: true }, card('one'))).toBe('edited');
    expect(said()).toEqual(['one']);
  });

  it('is sent where the message is in doubt, and cannot be read', async () => {
    const message = await posted();
    discord.order({ kind: 'status', status: 403, match: { method: 'GET' } });
    const place = { channel: ops, message, doubted: true };
    expect(await bot.messages.edit(place, card('one'))).toBe('edited');
    expect(said()).toEqual(['one']);
  });

  it('finds the message by the interaction that it answers', async () => {
    const { interaction: known } = await answered();
    const place = { channel: ops, answers: known.id };
    expect(await bot.messages.edit(place, card('found'))).toBe('edited');
    expect(said()).toEqual(['found']);
    expect(await bot.messages.edit({ channel: ops, answers: '1' }, card('nothing answers that', 'b2x'))).toBe('gone');
  });

  it('finds the message by its card where a form answered, whose interaction is not the one of the command', async () => {
    const { interaction: form, message } = await answered();
    await bot.messages.edit({ channel: ops, message }, card('working', 'b1x'));
    const command = String(BigInt(form.id) - 1n);
    expect(await bot.messages.edit({ channel: ops, answers: command, run: 'b1x' }, card('found', 'b2x'))).toBe(
      'edited',
    );
    expect(said()).toEqual(['found']);
  });

  it('of a private card ends with its token', async () => {
    const { interaction: known } = await answered(64);
    const place = { channel: ops, interaction: known };
    expect(await bot.messages.edit(place, card('in private'))).toBe('edited');
    ahead = 16 * 60_000;
    expect(await bot.messages.edit(place, card('too late'))).toBe('gone');
    expect(said()).toEqual(['in private']);
  });

  it('of a message of more than an hour ago says that it is too old', async () => {
    const message = await posted();
    ahead = 2 * hour;
    expect(await bot.messages.edit({ channel: ops, message }, card('late'))).toBe('too-old');
  });

  it('in an archived thread says so, whichever way it goes, until a message opens it', async () => {
    const id = await thread();
    const message = await posted(id);
    await archive(id);
    expect(await bot.messages.edit({ channel: id, message }, card('archived'))).toBe('archived');
    const body = { message: 'Thread is archived', code: 50083 };
    discord.order({ kind: 'status', status: 400, body, match: { path: '/webhooks/*' } });
    const place = { channel: id, message, interaction: { id: '1', token: 't' } };
    expect(await bot.messages.edit(place, card('archived'))).toBe('archived');
    await bot.messages.reply({ channel: id, message }, card('opens it', 'other'));
    expect(await bot.messages.edit({ channel: id, message }, card('open'))).toBe('edited');
  });

  it.each([
    ['without the right', () => discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'files' })],
    [
      'too large',
      () => {
        const body = { message: 'Request entity too large', code: 40005 };
        discord.order({ kind: 'status', status: 413, body, match: { method: 'PATCH' } });
      },
    ],
  ])('goes without its file where Discord does not take that (%s), and says so', async (_why, refuse) => {
    const place = await answered(64);
    refuse();
    const file = { name: 'a.txt', type: 'text/plain', bytes: new Uint8Array([1]) };
    expect(await bot.messages.edit({ channel: ops, ...place }, { ...card('read'), files: [file] })).toBe('edited');
    expect(said()).toEqual([
      'read\nIts file is missing, because Discord did not take it: the bot may lack **Attach Files** here, or the file is too large.',
    ]);
  });

  it('of a deleted message says that it is gone; a missing permission may come back', async () => {
    const [message, kept] = [await posted(), await posted()];
    discord.deleteMessage('alice', message);
    expect(await bot.messages.edit({ channel: ops, message }, card('deleted'))).toBe('gone');
    discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'view' });
    await expect(bot.messages.edit({ channel: ops, message: kept }, card('hidden'))).rejects.toThrow('Missing Access');
    discord.clear();
    expect(await bot.messages.edit({ channel: ops, message: kept }, card('shown'))).toBe('edited');
    discord.deleteChannel('ops');
    expect(await bot.messages.edit({ channel: ops, message: kept }, card('deleted'))).toBe('gone');
  });

  it.each([
    ['that anything on the way may answer', { message: '404: Not Found', code: 0 }],
    ['of Discord, where the message can be read all the same', { message: 'Unknown Message', code: 10008 }],
    ['of Discord, where the channel can be read all the same', { message: 'Unknown Channel', code: 10003 }],
  ])('is retried after a 404 %s', async (_which, body) => {
    const { interaction: known, message } = await answered();
    const notFound = () => discord.order({ kind: 'status', status: 404, body });
    notFound();
    await expect(bot.messages.edit({ channel: ops, message }, card('by the bot'))).rejects.toThrow(body.message);
    notFound();
    const place = { channel: ops, answers: known.id };
    await expect(bot.messages.edit(place, card('looked for'))).rejects.toThrow(body.message);
    notFound();
    await expect(bot.messages.reply({ channel: ops, message }, card('over'))).rejects.toThrow(body.message);
    notFound();
    expect(await bot.messages.edit({ ...place, message, interaction: known }, card('by the bot'))).toBe('edited');
    expect(said()).toEqual(['by the bot']);
  });

  it('of a private card is worth another try after a 404 while its token is good', async () => {
    const { interaction: known } = await answered(64);
    for (const body of [
      { message: '404: Not Found', code: 0 },
      { message: 'Unknown Webhook', code: 10015 },
    ]) {
      discord.order({ kind: 'status', status: 404, body });
      const place = { channel: ops, interaction: known };
      await expect(bot.messages.edit(place, card('read'))).rejects.toThrow(body.message);
      expect(await bot.messages.edit(place, card('read'))).toBe('edited');
    }
  });

  it('of a message that is to be looked for rejects where nothing can be read', async () => {
    const { interaction: known } = await answered();
    const place = { channel: ops, answers: known.id };
    discord.order({ kind: 'forbid-channel', channel: 'ops', right: 'history' });
    await expect(bot.messages.edit(place, card('found'))).rejects.toThrow('no message after the command');
    discord.clear();
    expect(await bot.messages.edit(place, card('found'))).toBe('edited');
  });

  it('that Discord refuses for any other reason rejects', async () => {
    const message = await posted();
    discord.order({ kind: 'status', status: 400, match: { method: 'PATCH' } });
    await expect(bot.messages.edit({ channel: ops, message }, card('no'))).rejects.toThrow();
  });
});

describe('a reply', () => {
  it('notifies those who are named and nobody else, once however often it is sent', async () => {
    const message = await posted();
    const to = { channel: ops, message };
    const first = await bot.messages.reply(to, card('over'), [alice, bob]);
    expect(await bot.messages.reply(to, card('over'), [alice, bob])).toBe(first);
    const [, reply, ...others] = discord.messages('alice', 'ops');
    expect(reply).toMatchObject({ id: first, replyTo: message, pinged: ['alice', 'bob'] });
    expect(others).toEqual([]);
  });

  it('without Read Message History is the same message without the reference', async () => {
    const message = await posted();
    const body = { message: 'Cannot reply without permission to read message history', code: 160002 };
    discord.order({ kind: 'status', status: 400, body, match: { method: 'POST' } });
    const id = await bot.messages.reply({ channel: ops, message }, card('over'), [alice]);
    const [, reply, ...others] = discord.messages('alice', 'ops');
    expect(reply).toMatchObject({ id, pinged: ['alice'] });
    expect([reply?.replyTo, others]).toEqual([undefined, []]);
  });

  it('has no place in a channel that is no more, and none in one where the bot may not write', async () => {
    const to = { channel: ops, message: await posted() };
    discord.order({ kind: 'forbid-channel', channel: 'ops' });
    await expect(bot.messages.reply(to, card('over'))).rejects.toThrow(ChannelClosed);
    discord.clear();
    discord.deleteChannel('ops');
    expect(await bot.messages.reply(to, card('over'))).toBeUndefined();
  });
});

describe('what was posted', () => {
  it('is found by its run and by whether it pings, whomever, the newest, above a message', async () => {
    const message = await posted();
    const to = { channel: ops, message };
    const silent = await bot.messages.reply(to, card('silent'));
    const other = await bot.messages.reply(to, card('over', 'other'), [alice]);
    const ping = await bot.messages.reply(to, card('over'), [alice]);
    for (let n = 0; n < 120; n += 1) await discord.type('carol', 'ops', `message ${n}`);
    expect(await bot.messages.find(to, card('another text'), [alice])).toBe(ping);
    expect(await bot.messages.find(to, card('another text'))).toBe(silent);
    expect(await bot.messages.find({ channel: ops, message: ping ?? '' }, card('over'), [alice])).toBeUndefined();
    expect(await bot.messages.find(to, card('over', 'other'), [alice])).toBe(other);
    expect(await bot.messages.find(to, card('over'), [bob])).toBe(ping);
  });

  it('is nowhere in a channel that is no more', async () => {
    const to = { channel: ops, message: await posted() };
    discord.deleteChannel('ops');
    expect(await bot.messages.find(to, card('over'))).toBeUndefined();
  });
});

it('Before the login nothing is taken for gone', async () => {
  const early = botOn(discord);
  const place = { channel: ops, message: await posted() };
  await expect(early.messages.edit(place, card('early'))).rejects.toThrow('not logged in');
  await expect(early.messages.reply(place, card('early'))).rejects.toThrow('not logged in');
  await expect(early.messages.find(place, card('early'))).rejects.toThrow('not logged in');
  await early.close();
});
