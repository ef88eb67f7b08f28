import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { firstCard, knownOf } from '../../src/cards/draw.ts';
import type { Pace } from '../../src/cards/reconciler.ts';
import { cardsInRedis } from '../../src/cards/redis-store.ts';
import { reminderCard } from '../../src/cards/render/index.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { openRedisLedger } from '../../src/ledger/redis-store.ts';
import { LedgerUnavailable } from '../../src/outcome.ts';
import { connection, ownServer } from '../ledger/places.ts';
import { notes } from '../ledger/samples.ts';
import { describeWithRedisServer } from '../redis-server.ts';
import { createDiscord, type Discord, type Reaction } from './discord.ts';
import { type CardProcess, cardsOn, fastFolder, startProcess } from './process.ts';
import * as story from './story.ts';

const { alice, asks, bob, channel, drawParts, ends, follows, jobEnds, openedOf, sends, typed } = story;

/** Time goes by only where a test says so. */
const clock = {
  get now() {
    return Date.now();
  },
};
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: story.start });
  return () => vi.useRealTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Lets what waits for nothing but itself go on. */
async function rest(): Promise<void> {
  for (let at = 0; at < 10; at += 1) await new Promise((resolve) => setImmediate(resolve));
}

const pace: Pace = { looks: 15_000, again: 200, most: 1_000, patience: 600_000 };

async function scene(discord = createDiscord(), dir = fastFolder()) {
  const bot = await startProcess(dir, { discord, clock, pace });
  onTestFinished(() => bot.bury());
  return { ...bot, discord };
}

/** The message with the card of a command, as Discord has it after the command was typed. */
const posted = (discord: Discord, of: story.Typed, at = channel): story.Typed => ({
  ...of,
  message: discord.post({ channel: at, card: firstCard(of.id, openedOf(of)), answers: openedOf(of).interaction.id }),
});

/** The first lines of what was edited, in order. */
const headlines = ({ edits }: Discord): string[] => edits.map(({ card }) => story.textOf(card)[0] ?? '');
const firstLine = (discord: Discord, message: string | undefined): string => {
  const card = discord.shown(message ?? '');
  return card === undefined ? '' : (story.textOf(card)[0] ?? '');
};
/** Answers the next edits in turn, and then takes all. */
function reactions(discord: Discord, ...list: Reaction[]): void {
  discord.react = () => list.shift() ?? 'edited';
}
/** Holds edits until they are let go, one by one. */
function holding(discord: Discord): (() => Promise<void>)[] {
  const held: (() => Promise<void>)[] = [];
  discord.react = () =>
    new Promise((resolve) =>
      held.push(() => {
        resolve('edited');
        return rest();
      }),
    );
  return held;
}

const flush = typed('flush', '/firewall flush server:101 interface:primary sync:yes');
const restore = typed('restore', '/backup restore server:101 disks:0');
const disable = typed('off', '/firewall disable server:101,102 interface:primary sync:yes');
const enable = typed('on', '/firewall enable server:101,102 interface:primary sync:yes', { by: bob });
const enabling = (server: number) => ({
  undo: { command: 'firewall.enable', options: { server: String(server), interface: 'primary', sync: true } },
});

/** A restore that runs, and shows so. */
async function running(bot: Pick<CardProcess, 'ledger' | 'cards'>, of: story.Typed): Promise<void> {
  await bot.ledger.append([sends(of)]);
  await bot.ledger.append([ends(of, 'accepted'), follows(of, 17)]);
  await rest();
}

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
      'UNKNOWN /firewall flush · web-1 (101, production): it happened',
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
    expect(new Set(log.messages)).toEqual(new Set(['a card cannot be edited yet']));
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

  test('whose edit was taken, but not answered, is edited again', async () => {
    const { ledger, discord } = await scene();
    const of = posted(discord, flush);
    reactions(discord, 'lost');
    await ledger.append([asks(of)]);
    await rest();
    await pass(200);
    expect(discord.edits).toHaveLength(2);
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
    await cards.shown('flush', 1_000);
    expect(firstLine(discord, of.message)).toBe('EXPIRED /firewall flush · web-1 (101, production)');
  });

  test('of which the message is gone is given up', async () => {
    const { ledger, cards, discord } = await scene();
    await ledger.append([asks(flush)]);
    await cards.shown('flush', 1_000);
    await pass(3_600_000);
    expect(discord.edits).toHaveLength(1);
  });
});

describe('After a kill', () => {
  test('a card that was over shows what was recorded when there was no time left to keep it', async () => {
    const bot = await scene();
    const of = posted(bot.discord, flush);
    await bot.ledger.append([sends(of)]);
    await bot.ledger.append([ends(of, 'unknown', 1, { reason: 'bot-stopped' })]);
    await bot.cards.shown('flush', 1_000);
    const dir = bot.kill();
    const ledger = await openFileLedger({ dir, log: notes() });
    await ledger.append([story.says(of, true, 'seen')]);
    await ledger.close();
    const next = await scene(bot.discord, dir);
    await next.cards.takeOver();
    await next.cards.shown('flush', 1_000);
    expect(firstLine(bot.discord, of.message)).toBe('UNKNOWN /firewall flush · web-1 (101, production): it happened');
  });

  test('both cards show what one write recorded, though only the first of them was kept', async () => {
    const bot = await scene();
    const [one, other] = [posted(bot.discord, flush), posted(bot.discord, typed('boot', '/power boot server:102'))];
    bot.discord.react = () => 'refused';
    await Promise.all([bot.ledger.append([asks(one)]), bot.ledger.append([asks(other)])]);
    await rest();
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

describe('News of a job', () => {
  test('are shown every 15 seconds at most, and its end at once', async () => {
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
    expect(discord.edits.length - before).toBe(2);
    await ledger.append([jobEnds(of, 'finished')]);
    await rest();
    expect(firstLine(discord, of.message)).toBe('FINISHED /backup restore · web-1 (101, production)');
  });
});

describe("An interaction's token", () => {
  async function asked(discord: Discord) {
    const bot = await scene(discord);
    const of = posted(discord, flush);
    await bot.cards.open(
      'flush',
      openedOf({ ...flush, message: '' }, { place: { guild: '1', channel } }),
      discord.shown(of.message ?? '') ?? firstCard('flush', openedOf(of)),
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
    await cards.shown('flush', 1_000);
    cards.touched('flush', { id: '77', token: 'of-the-click', at: Date.now(), message: of.message });
    expect(cards.opened('flush')).toBeUndefined();
    await ledger.append([story.says(of, true, 'seen')]);
    await rest();
    expect(discord.edits.at(-1)?.by).toBe('token');
  });
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
    const reply = discord.post({ channel, card: { ...firstCard('restore', openedOf(of)) }, replyTo: of.message ?? '' });
    await bot.ledger.append([jobEnds(of, 'failed')]);
    const next = await scene(discord, bot.kill());
    discord.react = ({ message }) => (message === of.message ? 'too-old' : 'edited');
    await next.cards.takeOver();
    await expect.poll(() => next.ledger.run('restore.1')?.followUp?.card).toBe(reply);
    await rest();
    expect(discord.posts).toHaveLength(2);
    expect(firstLine(discord, reply)).toBe('FAILED /backup restore · web-1 (101, production)');
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

  test('in an archived thread is shown when that was opened again', async () => {
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
});

describe('Other cards', () => {
  test('say what became of them when the command that did it is over on all its servers', async () => {
    const { ledger, discord } = await scene();
    const off = posted(discord, disable);
    const on = posted(discord, enable);
    await ledger.append([sends(off, 1), sends(off, 2)]);
    await ledger.append([ends(off, 'succeeded', 1, enabling(101)), ends(off, 'succeeded', 2, enabling(102))]);
    await ledger.append([sends(on, 1), sends(on, 2)]);
    await ledger.append([ends(on, 'succeeded', 1)]);
    await rest();
    const said = () => story.textOf(discord.shown(off.message ?? '') ?? { state: 'working', command: '', body: [] });
    expect(said()).toContain('[Undo] undo:off');
    await ledger.append([ends(on, 'succeeded', 2)]);
    await rest();
    expect(said()).toContain('Undone since, by <@1100000000000000002>: see the newer card.');
  });

  test('say that they were applied', async () => {
    const { ledger, discord } = await scene();
    const off = posted(discord, typed('off', '/firewall disable server:101 interface:primary sync:no'));
    const sync = posted(discord, typed('sync', '/firewall sync server:101 interface:primary', { by: bob }));
    await ledger.append([sends(off)]);
    await ledger.append([ends(off, 'accepted', 1, enabling(101))]);
    await ledger.append([sends(sync)]);
    await ledger.append([ends(sync, 'succeeded')]);
    await rest();
    expect(story.textOf(discord.shown(off.message ?? '') ?? firstCard('off', openedOf(off)))).toContain(
      'Applied since, by <@1100000000000000002>: see the newer card.',
    );
  });

  test('name who undid it now, when the job that had undone it first came to nothing', async () => {
    const { ledger, discord } = await scene();
    const shutdown = posted(discord, typed('down', '/power shutdown server:101'));
    const boots = ['up', 'upagain'].map((id) =>
      posted(discord, typed(id, '/power boot server:101', { by: id === 'up' ? alice : bob })),
    );
    await ledger.append([sends(shutdown)]);
    await ledger.append([ends(shutdown, 'accepted')]);
    for (const boot of boots) {
      await ledger.append([sends(boot)]);
      await ledger.append([ends(boot, 'accepted'), follows(boot, 4)]);
    }
    await rest();
    const said = () => story.textOf(discord.shown(shutdown.message ?? '') ?? firstCard('down', openedOf(shutdown)));
    expect(said()).toContain('Undo accepted, by <@1100000000000000001>: see the newer card.');
    await ledger.append([jobEnds(boots[0] ?? shutdown, 'failed')]);
    await rest();
    expect(said()).toContain('Undo accepted, by <@1100000000000000002>: see the newer card.');
  });

  test("the reminder's message is drawn, too, and tried again where Discord does not take it", async () => {
    const { ledger, discord } = await scene();
    const off = posted(discord, typed('off', '/firewall disable server:101 interface:primary sync:yes'));
    const on = posted(discord, typed('on', '/firewall enable server:101 interface:primary sync:yes', { by: bob }));
    await ledger.append([sends(off)]);
    await ledger.append([ends(off, 'succeeded', 1, { ...enabling(101), remind: '2026-11-20T08:00:00.000Z' })]);
    const known = knownOf(drawParts(ledger), 'off');
    const card = known && reminderCard(known, drawParts(ledger));
    const reminder = discord.post({ channel, card: card ?? firstCard('off', openedOf(off)), pings: [alice.id] });
    await ledger.append([story.reminds(off, reminder)]);
    await rest();
    await ledger.append([sends(on)]);
    // The card itself is too old for good.
    discord.react = ({ message }) => (message === off.message || message === reminder ? 'too-old' : 'edited');
    await ledger.append([ends(on, 'succeeded')]);
    await rest();
    discord.react = ({ message }) => (message === off.message ? 'too-old' : 'edited');
    await pass(200);
    expect(story.textOf(discord.shown(reminder) ?? firstCard('off', openedOf(off)))).toEqual([
      'REMINDER /firewall disable · web-1 (101, production)',
      'Undone since, by <@1100000000000000002>: see the newer card.',
      'run off · reminder',
    ]);
  });
});

describe('What is no change', () => {
  const show = typed('show', '/firewall show server:101 interface:primary');
  const answer = { state: 'succeeded', command: '/firewall show', body: [{ markup: '4 rules.' }] } as const;

  test('is answered once, privately, and forgotten', async () => {
    const { cards, discord } = await scene();
    const opened = openedOf(show, { audience: 'private', servers: [] });
    discord.post({ channel, card: firstCard('show', opened), answers: opened.interaction.id });
    await cards.open('show', opened, firstCard('show', opened));
    cards.placed('show', '1400000000000000999');
    cards.answer('show', opened, answer);
    await cards.shown('show', 1_000);
    expect(discord.edits.map(({ by, card }) => [by, card])).toEqual([['token', answer]]);
    expect(cards.opened('show')).toBeUndefined();
  });

  test('is not shown before Discord took the first answer', async () => {
    const { cards, discord } = await scene();
    const of = posted(discord, show);
    await cards.open('show', openedOf(of), firstCard('show', openedOf(of)));
    cards.answer('show', openedOf(of), answer);
    await pass(1_000);
    expect(discord.edits).toHaveLength(0);
    cards.placed('show', of.message ?? '');
    await rest();
    expect(discord.shown(of.message ?? '')).toEqual(answer);
  });

  test('A card that another process has is forgotten, and not edited', async () => {
    const { cards, discord } = await scene();
    const of = posted(discord, show);
    await cards.open('show', openedOf(of), firstCard('show', openedOf(of)));
    cards.answer('show', openedOf(of), answer);
    cards.forget('show');
    await pass(1_000);
    expect(discord.edits).toHaveLength(0);
  });
});

test('A provisional answer gives way to what the ledger has', async () => {
  const { ledger, cards, discord } = await scene();
  const of = posted(discord, flush);
  const opened = openedOf(of);
  let isAway = true;
  const refresh = vi
    .spyOn(ledger, 'refresh')
    .mockImplementation(() => (isAway ? Promise.reject(new LedgerUnavailable()) : Promise.resolve()));
  await cards.open('flush', opened, firstCard('flush', opened));
  cards.placed('flush', of.message ?? '');
  cards.answer(
    'flush',
    opened,
    { state: 'unavailable', command: '/firewall flush', body: [], run: 'flush' },
    'provisional',
  );
  await pass(5_000);
  expect(headlines(discord)).toEqual(['UNAVAILABLE /firewall flush']);
  expect(refresh).toHaveBeenCalled();
  isAway = false;
  await ledger.append([asks(of)]);
  await rest();
  expect(headlines(discord)).toEqual([
    'UNAVAILABLE /firewall flush',
    'QUESTION /firewall flush · web-1 (101, production)',
  ]);
});

describeWithRedisServer('Two processes on one ledger', () => {
  const server = ownServer();

  async function two() {
    vi.useRealTimers();
    const prefix = `${randomUUID()}:`;
    const discord = createDiscord();
    const living = new Set(['one', 'two']);
    const alive = (ids: readonly string[]) => Promise.resolve(new Set(ids.filter((id) => living.has(id))));
    const start = async (processId: string) => {
      const redis = await connection(server().url);
      const ledger = await openRedisLedger({ redis: await connection(server().url), log: notes(), prefix });
      onTestFinished(() => ledger.close());
      const store = cardsInRedis({ redis, processId, alive, log: notes(), prefix });
      return { ledger, ...cardsOn({ discord, clock, pace: { ...pace, again: 5 } }, { ledger, store, processId }) };
    };
    return { discord, living, one: await start('one'), two: await start('two') };
  }
  const shows = (discord: Discord, of: story.Typed, line: string) =>
    expect.poll(() => firstLine(discord, of.message)).toBe(line);
  const expired = 'EXPIRED /firewall flush · web-1 (101, production)';
  const question = 'QUESTION /firewall flush · web-1 (101, production)';

  test('A late edit of the one does not cover for ever what the other showed', async () => {
    const { discord, one, two: other } = await two();
    const of = posted(discord, flush);
    const held = holding(discord);
    await one.ledger.append([asks(of, 1, { expires: new Date(Date.now() + 60_000).toISOString() })]);
    await expect.poll(() => held.length).toBe(1);
    discord.react = () => 'edited';
    await other.ledger.refresh();
    await other.ledger.append([ends(of, 'expired', 1, { reason: 'expired' })]);
    await shows(discord, of, expired);
    // Now the first edit lands, and covers it.
    await held[0]?.();
    await shows(discord, of, expired);
    expect(headlines(discord)).toEqual([question, expired, expired]);
  });

  test('also where the ledger could not be read when it landed', async () => {
    const { discord, one, two: other } = await two();
    const of = posted(discord, flush);
    const held = holding(discord);
    await one.ledger.append([asks(of)]);
    await expect.poll(() => held.length).toBe(1);
    discord.react = () => 'edited';
    await other.ledger.refresh();
    await other.ledger.append([ends(of, 'expired', 1, { reason: 'expired' })]);
    await shows(discord, of, expired);
    const refresh = vi.spyOn(one.ledger, 'refresh').mockRejectedValueOnce(new LedgerUnavailable());
    await held[0]?.();
    await shows(discord, of, expired);
    expect(refresh.mock.calls.length).toBeGreaterThan(1);
  });

  test('What one showed is drawn again when the other showed something else since', async () => {
    const { discord, one, two: other } = await two();
    const down = posted(discord, typed('down', '/power shutdown server:101'));
    const up = posted(discord, typed('up', '/power boot server:101', { by: bob }));
    const said = () => story.textOf(discord.shown(down.message ?? '') ?? firstCard('down', openedOf(down)));
    await one.ledger.append([sends(down)]);
    await one.ledger.append([ends(down, 'accepted')]);
    await one.cards.shown('down', 5_000);
    const before = said();
    await other.ledger.refresh();
    await other.ledger.append([sends(up)]);
    await other.ledger.append([ends(up, 'accepted'), follows(up, 4)]);
    await expect.poll(said).toContain('Undo accepted, by <@1100000000000000002>: see the newer card.');
    // It is the first that learns how the job ended.
    await one.ledger.refresh();
    await one.ledger.append([jobEnds(up, 'failed')]);
    await expect.poll(said).toEqual(before);
  });

  test('What an edit of a process that died covered is drawn again by whoever takes over', async () => {
    const { discord, living, one, two: other } = await two();
    const of = posted(discord, flush);
    const held = holding(discord);
    await one.ledger.append([asks(of)]);
    await expect.poll(() => held.length).toBe(1);
    discord.react = () => 'edited';
    await other.ledger.refresh();
    other.cards.touched('flush', { id: '77', token: 'of-the-click', at: 0, message: of.message });
    await other.ledger.append([ends(of, 'expired', 1, { reason: 'expired' })]);
    await shows(discord, of, expired);
    one.cut();
    living.delete('one');
    await held[0]?.();
    await shows(discord, of, question);
    await other.cards.takeOver();
    await shows(discord, of, expired);
  });
});
