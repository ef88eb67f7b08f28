import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { createDiscord } from '../helpers/cards/discord.ts';
import { fastFolder } from '../helpers/cards/process.ts';
import { firstLine, flush, pass, posted, rest, scene, standingClock } from '../helpers/cards/scene.ts';
import * as story from '../helpers/cards/story.ts';
import { notes } from '../helpers/ledger/samples.ts';
import { openCards } from '../helpers/open-cards.ts';

const { asks, ends, sends, typed } = story;

standingClock();

describe('After a kill', () => {
  test('a card that was over shows what was recorded when there was no time left to keep it', async () => {
    const folder = fastFolder();
    const bot = await scene(createDiscord(), folder);
    const of = posted(bot.discord, flush);
    await bot.ledger.append([sends(of)]);
    await bot.ledger.append([ends(of, 'unknown', 1, { reason: 'bot-stopped' })]);
    await bot.cards.shown('flush', 30_000);
    // No append waits for the file of the cards: it may be there only later.
    await expect.poll(() => readFileSync(join(folder, 'cards.jsonl'), 'utf8')).toContain('"flush"');
    const dir = bot.kill();
    const ledger = await openFileLedger({ dir, log: notes() });
    await ledger.append([story.says(of, true, 'seen')]);
    await ledger.close();
    const next = await scene(bot.discord, dir);
    await next.cards.takeOver();
    await next.cards.shown('flush', 30_000);
    expect(firstLine(bot.discord, of.message)).toBe('HAPPENED /firewall flush · web-1 (101, production)');
  });

  test('a card that is over is kept as long as an edit of it may come late, and an older one does not stay', async () => {
    const folder = fastFolder();
    const bot = await scene(createDiscord(), folder);
    const of = posted(bot.discord, flush);
    await bot.ledger.append([asks(of)]);
    await rest();
    const question = bot.discord.shown(of.message ?? '');
    await bot.ledger.append([ends(of, 'expired', 1, { reason: 'expired' })]);
    await bot.cards.shown('flush', 30_000);
    // No append waits for the file of the cards: that it is over may be there only later.
    await expect.poll(() => readFileSync(join(folder, 'cards.jsonl'), 'utf8')).toContain('"flush"');
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
    // It was edited once more, and so it is kept once more.
    expect(openCards({ dir })).toEqual(['flush']);
    const edits = bot.discord.edits.length;
    await pass(16 * 60_000);
    await expect.poll(() => openCards({ dir })).toEqual([]);
    expect(bot.discord.edits).toHaveLength(edits);
  });

  test('both cards show what one write recorded, though only the first of them was kept', async () => {
    const folder = fastFolder();
    const bot = await scene(createDiscord(), folder);
    const kept = () => readFileSync(join(folder, 'cards.jsonl'), 'utf8');
    const [one, other] = [posted(bot.discord, flush), posted(bot.discord, typed('boot', '/power boot server:102'))];
    bot.discord.react = () => 'refused';
    await Promise.all([bot.ledger.append([asks(one)]), bot.ledger.append([asks(other)])]);
    // No append waits for the file of the cards: it may be there only later.
    await expect.poll(() => ['"flush"', '"boot"'].every((id) => kept().includes(id))).toBe(true);
    const dir = bot.kill();
    const file = join(dir, 'cards.jsonl');
    const [begun = '', first = ''] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, `${begun}\n${first.includes('"boot"') ? '' : first}\n`);
    bot.discord.react = () => 'edited';
    const next = await scene(bot.discord, dir);
    await next.cards.takeOver();
    await rest();
    expect([one, other].map(({ message }) => firstLine(bot.discord, message))).toEqual([
      'QUESTION /firewall flush · web-1 (101, production)',
      'QUESTION /power boot · web-2 (102, production)',
    ]);
  });
});
