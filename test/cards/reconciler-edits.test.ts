import { describe, expect, test } from 'vitest';
import { createDiscord } from '../helpers/cards/discord.ts';
import {
  firstLine,
  flush,
  headlines,
  holding,
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

const { asks, channel, ends, jobEnds, openedOf, sends, typed } = story;

standingClock();

describe('A card', () => {
  test('is edited once for an append', async () => {
    const { ledger, discord } = await scene();
    const of = posted(discord, flush);
    await ledger.append([asks(of)]);
    await rest();
    expect(headlines(discord)).toEqual(['QUESTION /firewall flush · web-1 (101, production)']);
    expect(discord.edits[0]?.message).toBe(of.message);
  });

  test('is not edited where nothing changed', async () => {
    const { ledger, cards, discord } = await scene();
    await ledger.append([asks(posted(discord, flush))]);
    await rest();
    cards.mark('flush');
    cards.mark('flush', 'later');
    await pass(60_000);
    expect(discord.edits).toHaveLength(1);
  });

  test('that is being edited while two more steps are recorded is edited once more, with the newest', async () => {
    const { ledger, discord } = await scene();
    const of = posted(discord, flush);
    const held = holding(discord);
    await ledger.append([sends(of)]);
    await rest();
    await ledger.append([ends(of, 'unknown', 1, { reason: 'bot-stopped' })]);
    await ledger.append([story.says(of, true, 'seen in the panel')]);
    await rest();
    expect(headlines(discord)).toEqual(['WORKING /firewall flush · web-1 (101, production)']);
    await held[0]?.();
    await held[1]?.();
    expect(headlines(discord)).toEqual([
      'WORKING /firewall flush · web-1 (101, production)',
      'HAPPENED /firewall flush · web-1 (101, production)',
    ]);
  });

  test('whose edit is refused is tried again after pauses that grow, until it is shown', async () => {
    const { ledger, discord, log } = await scene();
    const of = posted(discord, flush);
    const at: number[] = [];
    discord.react = () => (at.push(Date.now() - story.start) < 6 ? 'refused' : 'edited');
    await ledger.append([asks(of)]);
    await rest();
    await pass(60_000);
    expect(at).toEqual([0, 200, 600, 1_400, 2_400, 3_400]);
    expect(firstLine(discord, of.message)).toBe('QUESTION /firewall flush · web-1 (101, production)');
    expect(new Set(log.messages)).toEqual(new Set(['cannot edit a card yet: will retry']));
  });

  test('is tried again in time however often there is news meanwhile', async () => {
    const { ledger, cards, discord } = await scene();
    reactions(discord, 'refused', 'refused', 'refused');
    await ledger.append([asks(posted(discord, flush))]);
    await rest();
    for (let at = 0; at < 14; at += 1) {
      cards.mark('flush', 'later');
      await pass(100);
    }
    expect(discord.edits).toHaveLength(4);
  });

  test('that Discord does not take for too long is given up, until something else is recorded of it', async () => {
    const { ledger, cards, discord } = await scene();
    const of = posted(discord, flush);
    discord.react = () => 'refused';
    await ledger.append([asks(of)]);
    await rest();
    await pass(602_000);
    const before = discord.edits.length;
    await pass(3_600_000);
    expect(discord.edits).toHaveLength(before);
    discord.react = () => 'edited';
    await ledger.append([ends(of, 'expired', 1, { reason: 'expired' })]);
    await cards.shown('flush', 30_000);
    expect(firstLine(discord, of.message)).toBe('EXPIRED /firewall flush · web-1 (101, production)');
  });

  test('of which the message is gone is given up', async () => {
    const { ledger, cards, discord } = await scene();
    await ledger.append([asks(flush)]);
    await cards.shown('flush', 30_000);
    await pass(3_600_000);
    expect(discord.edits).toHaveLength(1);
  });
});

test('A card that another process may have drawn waits until it is certain that none does; private words do not', async () => {
  let isCertain = false;
  const { ledger, cards, discord } = await scene(undefined, undefined, { mayDraw: () => Promise.resolve(isCertain) });
  const of = posted(discord, flush);
  const refused = { state: 'unavailable', command: '/firewall flush', body: [] } as const;
  await cards.open('flush', openedOf(of), story.firstCard('flush', openedOf(of)));
  cards.placed('flush', of.message ?? '');
  cards.answer('flush', openedOf(of), refused);
  await pass(1_000);
  expect(discord.edits).toEqual([]);
  const own = openedOf(typed('own', '/firewall show server:101'), { audience: 'private', servers: [] });
  discord.post({ channel, card: story.firstCard('own', own), answers: own.interaction.id });
  await cards.open('own', own, story.firstCard('own', own));
  cards.placed('own');
  cards.answer('own', own, { ...refused, command: '/firewall show' });
  await pass(1_000);
  expect(discord.edits.map(({ card }) => card.command)).toEqual(['/firewall show']);
  // Somebody confirmed it elsewhere meanwhile: what is drawn then is that.
  await ledger.append([asks(of)]);
  isCertain = true;
  await pass(60_000);
  expect(headlines(discord).at(-1)).toBe('QUESTION /firewall flush · web-1 (101, production)');
  expect(discord.edits).toHaveLength(2);
});

describe('News of a job', () => {
  test('are shown at once, then every 15 seconds at most, and its end at once', async () => {
    const bot = await scene();
    const { ledger, cards, discord, looks } = bot;
    const of = posted(discord, restore);
    await running(bot, of);
    const before = discord.edits.length;
    for (let percent = 1; percent <= 30; percent += 1) {
      looks.set('restore.1', { word: 'running', progress: percent });
      cards.mark('restore', 'later');
      await pass(1_000);
    }
    expect(discord.edits.length - before).toBe(3);
    await ledger.append([jobEnds(of, 'finished')]);
    await rest();
    expect(firstLine(discord, of.message)).toBe('FINISHED /backup restore · web-1 (101, production)');
  });
});

test('The end of a job is shown at once where it is recorded while news of the job is shown', async () => {
  const bot = await scene();
  const { ledger, cards, discord, looks } = bot;
  const of = posted(discord, restore);
  await running(bot, of);
  await pass(60_000);
  const held = holding(discord);
  looks.set('restore.1', { word: 'running', progress: 5 });
  cards.mark('restore', 'later');
  await rest();
  await ledger.append([jobEnds(of, 'finished')]);
  await held[0]?.();
  await held[1]?.();
  expect(firstLine(discord, of.message)).toBe('FINISHED /backup restore · web-1 (101, production)');
});

test('News of a job that comes with each edit waits all the same', async () => {
  const bot = await scene();
  const { cards, discord, looks } = bot;
  await running(bot, posted(discord, restore));
  await pass(60_000);
  const held = holding(discord);
  for (const [at, when] of (['now', 'later', 'later'] as const).entries()) {
    looks.set('restore.1', { word: 'running', progress: 5 + at });
    cards.mark('restore', when);
    await rest();
    if (at > 0) await held[at - 1]?.();
    await rest();
  }
  await held[1]?.();
  await pass(1_000);
  expect(held).toHaveLength(2);
  await pass(15_000);
  expect(held).toHaveLength(3);
});

describe('Edits of a channel', () => {
  test('go one after another, ends before news', async () => {
    const discord = createDiscord();
    const { ledger, cards, looks } = await scene(discord);
    const all = ['first', 'second', 'third'].map((id) => posted(discord, { ...restore, id }));
    const [first = restore, second = restore, third = restore] = all;
    for (const of of all)
      await running({ ledger, cards }, { ...of, options: { server: String(100 + all.indexOf(of) + 1) } });
    await pass(60_000);
    discord.edits.length = 0;
    const held = holding(discord);
    for (const of of all) {
      looks.set(`${of.id}.1`, { word: 'running' });
      cards.mark(of.id, 'later');
    }
    await rest();
    expect(discord.edits.map(({ message }) => message)).toEqual([first.message]);
    await ledger.append([jobEnds(third, 'finished')]);
    await rest();
    for (let at = 0; at < 3; at += 1) await held[at]?.();
    expect(discord.edits.map(({ message }) => message)).toEqual([first.message, third.message, second.message]);
  });
});

describe('What is no change', () => {
  const show = typed('show', '/firewall show server:101 interface:primary');
  const answer = { state: 'succeeded', command: '/firewall show', body: [{ markup: '4 rules.' }] } as const;

  test('is answered once, privately, and forgotten', async () => {
    const { cards, discord } = await scene();
    const opened = openedOf(show, { audience: 'private', servers: [] });
    discord.post({ channel, card: story.firstCard('show', opened), answers: opened.interaction.id });
    await cards.open('show', opened, story.firstCard('show', opened));
    cards.placed('show', '1400000000000000999');
    cards.answer('show', opened, answer);
    await cards.shown('show', 1_000);
    expect(discord.edits.map(({ by, card }) => [by, card])).toEqual([['token', answer]]);
    expect(cards.opened('show')).toBeUndefined();
  });

  test('is not shown before Discord took the first answer', async () => {
    const { cards, discord } = await scene();
    const of = posted(discord, show);
    await cards.open('show', openedOf(of), story.firstCard('show', openedOf(of)));
    cards.answer('show', openedOf(of), answer);
    await pass(1_000);
    expect(discord.edits).toHaveLength(0);
    cards.placed('show', of.message ?? '');
    await rest();
    expect(discord.shown(of.message ?? '')).toEqual(answer);
  });

  test('is shown where Discord took it, of two answers to the same press', async () => {
    const { cards, discord } = await scene();
    const first = openedOf(posted(discord, show));
    await cards.open('show', first, story.firstCard('show', first));
    cards.answer('show', first, answer);
    const of = posted(discord, show);
    const second = openedOf(of, { interaction: { ...first.interaction, id: '1400000000000000777', token: 'second' } });
    await cards.open('show', second, story.firstCard('show', second));
    cards.placed('show', of.message ?? '');
    cards.answer('show', second, answer);
    await cards.shown('show', 1_000);
    expect(discord.edits.map(({ message, place }) => [message, place.interaction?.token])).toEqual([
      [of.message, 'second'],
    ]);
  });

  test('is shown of the second press, also where an edit for the first is under way', async () => {
    const { cards, discord } = await scene();
    const first = openedOf(posted(discord, show));
    await cards.open('show', first, story.firstCard('show', first));
    const held = holding(discord);
    cards.placed('show', first.place.message);
    cards.answer('show', first, answer);
    await rest();
    const of = posted(discord, show);
    const second = openedOf(of, { interaction: { ...first.interaction, id: '1400000000000000777', token: 'second' } });
    await cards.open('show', second, story.firstCard('show', second));
    await held[0]?.();
    cards.placed('show', of.message ?? '');
    cards.answer('show', second, answer);
    await rest();
    expect(discord.edits.map(({ message, place }) => [message, place.interaction?.token])).toEqual([
      [first.place.message, 'token-of-show'],
      [of.message, 'second'],
    ]);
  });

  test('A card that another process has is forgotten, and not edited', async () => {
    const { cards, discord } = await scene();
    const of = posted(discord, show);
    await cards.open('show', openedOf(of), story.firstCard('show', openedOf(of)));
    cards.answer('show', openedOf(of), answer);
    cards.forget('show');
    await pass(1_000);
    expect(discord.edits).toHaveLength(0);
  });
});
