import { describe, expect, test } from 'vitest';
import { createDiscord } from '../helpers/cards/discord.ts';
import { fastFolder, firstLine, flush, pass, posted, rest, scene, standingClock } from '../helpers/cards/scene.ts';
import * as story from '../helpers/cards/story.ts';
import { openCards } from '../helpers/ledger/reading.ts';

const { asks, ends, openedOf } = story;

standingClock();

test('What is kept of a change goes once the ledger has something of it', async () => {
  const dir = fastFolder();
  const bot = await scene(createDiscord(), dir);
  const of = posted(bot.discord, flush);
  expect(await bot.cards.open('flush', openedOf(of), story.firstCard('flush', openedOf(of)))).toBe(true);
  expect(openCards({ dir })).toEqual(['flush']);
  bot.cards.placed('flush', of.message);
  await bot.ledger.append([asks(of)]);
  await expect.poll(() => openCards({ dir })).toEqual([]);
});

describe('After a kill', () => {
  test('a first answer that Discord takes only then is looked for again', async () => {
    const discord = createDiscord();
    const bot = await scene(discord);
    const opened = openedOf({ ...flush, message: undefined });
    await bot.cards.open('flush', opened, story.firstCard('flush', opened));
    const next = await scene(discord, bot.kill());
    await next.cards.takeOver();
    await next.cards.shown('flush', 1_000);
    await next.ledger.append([ends({ ...flush, message: undefined }, 'not-sent', 1, { reason: 'bot-restarted' })]);
    await next.cards.shown('flush', 1_000);
    const of = posted(discord, flush);
    await pass(16 * 60_000);
    await expect.poll(() => firstLine(discord, of.message)).toBe('NOT-SENT /firewall flush · web-1 (101, production)');
  });

  test('a card that is over is watched as long as an edit of it may come late, and an older one does not stay', async () => {
    const folder = fastFolder();
    const bot = await scene(createDiscord(), folder);
    const of = posted(bot.discord, flush);
    await bot.ledger.append([asks(of)]);
    await rest();
    const question = bot.discord.shown(of.message ?? '');
    await bot.ledger.append([ends(of, 'expired', 1, { reason: 'expired' })]);
    await bot.cards.shown('flush', 30_000);
    // Nobody hears of it, and the process is killed.
    const late = (): void => {
      for (const post of bot.discord.posts) if (post.id === of.message && question !== undefined) post.card = question;
    };
    late();
    const dir = bot.kill();
    const next = await scene(bot.discord, dir);
    await next.cards.takeOver();
    await next.cards.shown('flush', 30_000);
    expect(firstLine(bot.discord, of.message)).toBe('EXPIRED /firewall flush · web-1 (101, production)');
    late();
    await pass(16 * 60_000);
    await rest();
    expect(firstLine(bot.discord, of.message)).toBe('EXPIRED /firewall flush · web-1 (101, production)');
    // It was edited once more, and so it is looked at once more.
    const edits = bot.discord.edits.length;
    await pass(16 * 60_000);
    expect(bot.discord.edits).toHaveLength(edits);
  });
});
