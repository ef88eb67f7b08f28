import { afterEach, beforeEach, expect, test } from 'vitest';
import { trusted } from '../../src/card.ts';
import { type SandboxDiscord, startDiscord } from '../../src/sandbox/discord/index.ts';
import { botOn } from '../helpers/discord/own-bot.ts';
import { call } from '../helpers/sandbox/discord/raw.ts';

let discord: SandboxDiscord;
let bot: ReturnType<typeof botOn>;
let refusals: string[];
let place: { channel: string; message: string };
beforeEach(async () => {
  discord = await startDiscord();
  refusals = [];
  bot = botOn(discord, (problem) => refusals.push(problem));
  await bot.connect();
  const posted = await call(discord, 'POST', `/channels/${discord.channels.ops}/messages`, { content: 'the card' });
  place = { channel: discord.channels.ops, message: posted.json.id };
});
afterEach(async () => {
  await bot.close();
  await discord.close();
});

const edit = () => bot.messages.edit(place, { state: 'accepted', command: '/power boot', body: [trusted('news')] });

test('A token that Discord refuses once, and not the next time, is good: the bot goes on with it', async () => {
  discord.order({ kind: 'status', status: 401, match: { method: 'PATCH' } });
  await expect(edit()).rejects.toThrow();
  await expect.poll(edit).toBe('edited');
  expect(refusals).toEqual([]);
});

test('A token that Discord refuses twice, on requests of two kinds, is refused', async () => {
  discord.order({ kind: 'status', status: 401, times: 100 });
  await expect(edit()).rejects.toThrow();
  await expect.poll(() => refusals).toEqual(['the token is not valid']);
});
