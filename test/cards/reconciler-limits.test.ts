import { describe, expect, test } from 'vitest';
import { LedgerUnavailable } from '../../src/outcome.ts';
import { createDiscord, type Discord } from '../helpers/cards/discord.ts';
import {
  fastFolder,
  firstLine,
  flush,
  pass,
  posted,
  reactions,
  rest,
  restore,
  running,
  scene,
  standingClock,
} from '../helpers/cards/scene.ts';
import * as story from '../helpers/cards/story.ts';

const { asks, channel, ends, jobEnds, openedOf, sends } = story;

standingClock();

describe("An interaction's token", () => {
  async function asked(discord: Discord) {
    const bot = await scene(discord);
    const of = posted(discord, flush);
    await bot.cards.open(
      'flush',
      openedOf({ ...flush, message: '' }, { place: { guild: '1', channel } }),
      discord.shown(of.message ?? '') ?? story.firstCard('flush', openedOf(of)),
    );
    bot.cards.placed('flush', of.message ?? '');
    return { ...bot, of };
  }

  test('is used while it is good, and then the bot edits', async () => {
    const { ledger, discord, of } = await asked(createDiscord());
    await ledger.append([asks(of)]);
    await rest();
    await pass(14 * 60_000);
    await ledger.append([ends(of, 'expired', 1, { reason: 'expired' })]);
    await rest();
    expect(discord.edits.map(({ by }) => by)).toEqual(['token', 'bot']);
  });

  test('of a click is used instead of an older one', async () => {
    const { ledger, cards, discord, of } = await asked(createDiscord());
    await pass(14 * 60_000);
    cards.touched('flush', { id: '77', token: 'of-the-click', at: Date.now(), message: of.message });
    await ledger.append([asks(of)]);
    await rest();
    expect(discord.edits[0]?.place.interaction).toEqual({ id: '77', token: 'of-the-click' });
  });

  test('of a click on another message is not used for the card', async () => {
    const { ledger, cards, discord, of } = await asked(createDiscord());
    cards.touched('flush', { id: '77', token: 'of-the-click', at: Date.now(), message: '1400000000000000999' });
    await ledger.append([asks(of)]);
    await rest();
    expect(discord.edits.map(({ by, message }) => [by, message])).toEqual([['bot', of.message]]);
  });

  test('of a click on a card that is over is used when something becomes of it, and keeps nothing open', async () => {
    const { ledger, cards, discord } = await scene();
    const of = posted(discord, flush);
    await ledger.append([sends(of)]);
    await ledger.append([ends(of, 'unknown', 1, { reason: 'bot-stopped' })]);
    await cards.shown('flush', 30_000);
    cards.touched('flush', { id: '77', token: 'of-the-click', at: Date.now(), message: of.message });
    expect(cards.opened('flush')).toBeUndefined();
    await ledger.append([story.says(of, true, 'seen')]);
    await rest();
    expect(discord.edits.at(-1)?.by).toBe('token');
  });
});

describe('A card that Discord takes no more edits of', () => {
  test('gives its place to a reply when it is followed, and the ledger says so', async () => {
    const bot = await scene();
    const { ledger, discord } = bot;
    const of = posted(discord, restore);
    await running(bot, of);
    reactions(discord, 'too-old');
    await ledger.append([jobEnds(of, 'finished')]);
    const reply = () => discord.posts.find(({ replyTo }) => replyTo === of.message)?.id ?? 'none';
    await expect.poll(() => ledger.run('restore.1')?.followUp?.card === reply()).toBe(true);
    expect(firstLine(discord, reply())).toBe('FINISHED /backup restore · web-1 (101, production)');
    await ledger.append([story.announces(of)]);
    await pass(60_000);
    expect(discord.posts).toHaveLength(2);
  });

  test('has one reply, with what is known now, also when the bot was killed before the ledger said so', async () => {
    const discord = createDiscord();
    const bot = await scene(discord);
    const of = posted(discord, restore);
    await running(bot, of);
    // What was posted just before the kill.
    const reply = discord.post({
      channel,
      card: { ...story.firstCard('restore', openedOf(of)) },
      replyTo: of.message ?? '',
    });
    discord.react = ({ message }) => (message === of.message ? 'too-old' : 'edited');
    const next = await scene(discord, bot.kill());
    await next.ledger.append([jobEnds(of, 'failed')]);
    await next.cards.takeOver();
    await expect.poll(() => next.ledger.run('restore.1')?.followUp?.card).toBe(reply);
    await rest();
    expect(discord.posts).toHaveLength(2);
    expect(firstLine(discord, reply)).toBe('FAILED /backup restore · web-1 (101, production)');
  });

  test('has one reply, which becomes the card also where the ledger takes that only later', async () => {
    const bot = await scene();
    const { ledger, discord } = bot;
    const of = posted(discord, restore);
    await running(bot, of);
    discord.react = ({ message }) => (message === of.message ? 'too-old' : 'edited');
    const { append } = ledger;
    let refusals = 1;
    ledger.append = (entries) => {
      const isMove = entries.some((entry) => entry.kind === 'follow-up' && entry.step === 'moved');
      if (!isMove || refusals === 0) return append(entries);
      refusals -= 1;
      return Promise.reject(new LedgerUnavailable());
    };
    await ledger.append([jobEnds(of, 'finished')]);
    await expect.poll(() => refusals).toBe(0);
    await pass(60_000);
    const [, reply] = discord.posts;
    await expect.poll(() => ledger.run('restore.1')?.followUp?.card).toBe(reply?.id);
    expect(discord.posts).toHaveLength(2);
  });

  test('is tried again later when it is not followed', async () => {
    const { ledger, discord } = await scene();
    const of = posted(discord, flush);
    reactions(discord, 'too-old', 'too-old');
    await ledger.append([asks(of)]);
    await rest();
    expect(discord.posts).toHaveLength(1);
    await pass(600);
    expect(firstLine(discord, of.message)).toBe('QUESTION /firewall flush · web-1 (101, production)');
  });

  test('in an archived thread is shown once Discord takes edits there again', async () => {
    const { ledger, discord } = await scene();
    const of = posted(discord, flush);
    discord.react = () => 'archived';
    await ledger.append([asks(of)]);
    await rest();
    await pass(300_000);
    discord.react = () => 'edited';
    await pass(1_000);
    expect(firstLine(discord, of.message)).toBe('QUESTION /firewall flush · web-1 (101, production)');
  });

  test('in an archived thread has one reply that says what it cannot, also after a crash', async () => {
    const discord = createDiscord();
    const bot = await scene(discord);
    const of = posted(discord, flush);
    discord.react = () => 'archived';
    await bot.ledger.append([sends(of)]);
    await bot.ledger.append([ends(of, 'succeeded')]);
    const replies = () => discord.posts.filter(({ replyTo }) => replyTo === of.message);
    await expect.poll(replies).toHaveLength(1);
    expect(replies()[0]).toMatchObject({
      pings: [],
      card: { state: 'succeeded', run: 'flush · entry 2', buttons: [] },
    });
    await pass(60_000);
    const next = await scene(discord, bot.kill());
    await next.cards.takeOver();
    const edits = discord.edits.length;
    await pass(60_000);
    expect(discord.edits.length).toBeGreaterThan(edits);
    expect(replies()).toHaveLength(1);
  });

  test('in an archived thread is told and edited, also where a crash came before Discord said which message it is', async () => {
    const { ledger, discord } = await scene();
    const of = posted(discord, flush);
    discord.react = () => (discord.posts.length > 1 ? 'edited' : 'archived');
    await ledger.append([ends({ ...flush, message: undefined }, 'not-sent', 1, { reason: 'bot-restarted' })]);
    await expect.poll(() => firstLine(discord, of.message)).toBe('NOT-SENT /firewall flush · web-1 (101, production)');
    expect(discord.posts.slice(1)).toMatchObject([
      { replyTo: of.message, pings: [], card: { state: 'not-sent', run: 'flush · entry 1' } },
    ]);
  });

  test('in a thread that is archived, and closed to the bot, is told elsewhere', async () => {
    const discord = createDiscord();
    const { ledger } = await scene(discord, fastFolder(), { elsewhere: () => ['audit'] });
    const of = posted(discord, flush);
    discord.react = () => 'archived';
    discord.closed.add(channel);
    await ledger.append([ends({ ...flush, message: undefined }, 'not-sent', 1, { reason: 'bot-restarted' })]);
    await expect.poll(() => discord.posts.slice(1)).toMatchObject([{ channel: 'audit', card: { state: 'not-sent' } }]);
    expect(firstLine(discord, of.message)).toMatch(/^WORKING/);
  });

  test('in an archived thread leaves the end of a job to the message that pings', async () => {
    const bot = await scene();
    const { ledger, discord } = bot;
    const of = posted(discord, restore);
    await running(bot, of);
    discord.react = () => 'archived';
    await ledger.append([jobEnds(of, 'finished')]);
    await pass(60_000);
    await ledger.append([{ ...story.announces(of), place: { guild: '1', channel, message: '1700000000000000000' } }]);
    await pass(60_000);
    expect(discord.posts).toHaveLength(1);
  });
});
