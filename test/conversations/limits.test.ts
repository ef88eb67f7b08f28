import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/discord/index.ts';
import { defaultLimits } from '../../src/shell/limits.ts';
import { answerTo, asks, changes, ended, idOf, stateOf, textOf, until, whispers } from '../helpers/messages.ts';
import { worldForAll, worldForEach } from '../helpers/world.ts';

const world = worldForEach({ still: true, limits: defaultLimits, clockStands: true });

const seen = (who: string): SeenMessage[] => world.discord.messages(who, 'ops');
const own = (who: string, words: string): SeenMessage[] => seen(who).filter((each) => textOf(each).includes(words));
/** All at once; none waits for the one before. */
const flood = (count: number, line = '/power boot server:web-1'): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, () => world.discord.type('mallory', 'ops', line)));
const tooMany = 'Too many at once. Nothing was sent. Wait 10 seconds, then try again.';

describe('who types and clicks as people do in an incident', () => {
  it('is never held up: ten commands at once, and a button on each of ten cards', async () => {
    const questions = await Promise.all(Array.from({ length: 10 }, () => asks(world, '/power poweroff server:web-1')));
    const cancels = questions.map((card) => world.discord.click('alice', card.id, idOf(card, 'Cancel')));
    await Promise.all(cancels);
    expect((await Promise.all(questions.map((card) => ended(world, card)))).map(stateOf)).toEqual(
      Array.from({ length: 10 }, () => 'CANCELLED'),
    );
  });

  it('may type a long word, and still confirms', async () => {
    const question = await asks(world, '/power poweroff server:web-1');
    const offers = Array.from({ length: 200 }, () => world.alice.chooses('/power boot server:web', 'server'));
    const all = await Promise.allSettled(offers);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
    const refused = all.filter(({ status }) => status === 'rejected');
    expect(refused[0]).toMatchObject({ reason: { message: 'Loading options failed' } });
    await world.discord.click('alice', question.id, idOf(question, 'Confirm'));
    expect(stateOf(await ended(world, question))).toBe('ACCEPTED');
  });
});

describe('who asks for much more than that', () => {
  it('is told so once, privately, and the rest costs nothing', async () => {
    const answers = (): number => world.discord.requests.filter(({ path }) => path.startsWith('/interactions/')).length;
    await flood(100);
    await until(() => own('mallory', tooMany).length === 1, 'the word about it');
    await until(() => own('mallory', 'Not allowed: none of your roles').length === 40, 'the answers before it');
    await world.discord.until(() => seen('mallory').filter(({ state }) => state === 'failed').length === 59);
    expect(own('mallory', tooMany)).toHaveLength(1);
    expect(answers()).toBe(41);
    expect(seen('alice')).toEqual([]);
    expect(world.ledger().map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'denied'));
    expect(world.panel.requests).toEqual([]);
    world.timePasses(10 * 60_000);
    await expect.poll(() => world.ledger().at(-1)?.folded?.count).toBe(35);
  });

  it('changes nothing by a click too many: the question stays open', async () => {
    const question = await asks(world, '/power poweroff server:web-1');
    const help = Array.from({ length: 60 }, () => world.discord.type('alice', 'ops', '/help'));
    await Promise.all(help);
    await world.discord.click('alice', question.id, idOf(question, 'Confirm'));
    await until(() => own('alice', tooMany).length + whispers(world, question).length > 0, 'the word about it');
    expect(changes(world)).toEqual([]);
    world.timePasses(10_000);
    await world.discord.click('alice', question.id, idOf(question, 'Confirm'));
    expect(stateOf(await ended(world, question))).toBe('ACCEPTED');
  });
});

describe("what is left of the token's minute", () => {
  // Twenty requests a minute, of which two are kept.
  const world = worldForAll({ still: true, panel: { requestsPerMinute: 20 } });

  const reads = (): number => world.panel.requests.length - changes(world).length;

  it('is for changes that somebody confirmed: who reads stops before it is used up', async () => {
    const first = await asks(world, '/power poweroff server:web-1');
    const second = await asks(world, '/power poweroff server:web-2');
    // The first tells how many there are.
    await world.carol.types('/firewall show server:web-1');
    const shows = Array.from({ length: 19 }, () => world.discord.type('carol', 'ops', '/firewall show server:web-1'));
    const cards = await Promise.all(
      (await Promise.all(shows)).map((id) => answerTo(world, id, ['SUCCEEDED', 'NOT-SENT'], 'carol')),
    );
    const refused = cards.filter((card) => stateOf(card) === 'NOT-SENT');
    expect(refused).toHaveLength(2);
    for (const card of refused)
      expect(textOf(card)).toContain(
        'The bot has few requests to the panel left this minute, and keeps them for changes that somebody confirmed.',
      );
    expect(reads()).toBe(18);
    for (const card of [first, second]) {
      await world.discord.click('alice', card.id, idOf(card, 'Confirm'));
      expect(stateOf(await ended(world, card))).toBe('ACCEPTED');
    }
    expect(changes(world)).toHaveLength(2);
  });
});

describe('questions that wait for one person', () => {
  const world = worldForAll({ still: true, limits: defaultLimits });

  const line = '/power poweroff server:web-1,web-2';
  it('are ten at most: the next is not asked, and says why, privately', async () => {
    const ids = await Promise.all(Array.from({ length: 15 }, () => world.discord.type('bob', 'ops', line)));
    const cards = await Promise.all(ids.map((id) => answerTo(world, id, ['QUESTION', 'NOT-SENT'], 'bob')));
    expect(cards.filter((card) => stateOf(card) === 'QUESTION')).toHaveLength(10);
    const [refused] = cards.filter((card) => stateOf(card) === 'NOT-SENT');
    expect(refused?.ephemeral).toBe(true);
    expect(refused && textOf(refused)).toMatch(
      /^NOT-SENT \/power poweroff\n10 of your questions wait for Confirm, which is the most allowed\. Nothing was sent\.\nConfirm or cancel one first\./,
    );
    // Two servers each.
    expect(world.ledger().map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => 'asked'));
  });
});
