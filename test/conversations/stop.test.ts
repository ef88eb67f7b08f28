import { describe, expect, it } from 'vitest';
import { usual } from '../../src/app/options.ts';
import { openCards } from '../helpers/ledger/reading.ts';
import { answerTo, changes, historyOf, textOf, until } from '../helpers/messages.ts';
import { openWorld, startWorld, worldForAll } from '../helpers/world.ts';

it('a bot that stops lets a look at a follow-up finish, and logs no problem', async () => {
  const world = await startWorld();
  world.panel.order({ kind: 'delay', ms: 400, match: { path: '/queue/' } });
  await world.alice.types('/power boot server:web-1');
  await world.panel.until(() => world.panel.requests.some(({ path }) => path.startsWith('/queue/')));
  await world.stop();
  expect(world.logged()).toContain('"msg":"stopping"');
  // Pino's levels: 40 is a warning.
  const complaints = world
    .logged()
    .split('\n')
    .filter((line) => /^\{"level":[456]0,/.test(line));
  expect(complaints).toEqual([]);
});

it("a bot that stops waits a limited time for the panel's answer, then the outcome is unknown", async () => {
  const world = await openWorld({ still: true, intervals: { drain: 1_500 } });
  world.panel.order({ kind: 'hang-before', match: { changes: true } });
  const id = await world.discord.type('alice', 'ops', '/firewall enable server:web-1,web-2');
  await world.panel.until(() => changes(world).length === 1);
  const from = performance.now();
  const stopped = world.app.stop();
  const card = await answerTo(world, id, ['UNKNOWN']);
  expect(performance.now() - from).toBeGreaterThan(1_400);
  await stopped;
  expect(textOf(card)).toContain('The bot stopped while the request was under way.');
  expect(historyOf(world, card)).toEqual(['intent', 'unknown', 'not-sent']);
  expect(world.ledger().find(({ outcome }) => outcome === 'unknown')?.reason).toBe('bot-stopped');
  expect(changes(world)).toHaveLength(1);
});

it('the limit is 20 seconds by default', () => {
  expect(usual.drain).toBe(20_000);
});

/** What Discord does not keep: private use, unassigned, and letters under a pile of marks. */
const strange = `a\ue000b\u0378c${'\u0301'.repeat(30)}d\u{10fffd}`;

describe('text that Discord does not keep as it is', () => {
  const world = worldForAll({ audit: true, still: true, intervals: { cards: { late: 0 } } });

  it('is written as Discord keeps it, so that nothing has to be edited again', async () => {
    const card = await world.alice.types(`/firewall enable server:web-1 reason:"${strange}"`);
    expect(card).toContain(`Reason: \`a\ufffdb\ufffdc${'\u0301'.repeat(5)}d\ufffd\``);
    await until(() => openCards(world).length === 0, 'the card to be done');
    const edits = (): number => world.discord.requests.filter(({ method }) => method === 'PATCH').length;
    const before = edits();
    // A read edits once.
    await world.carol.types('/firewall show server:web-1');
    expect(edits()).toBe(before + 1);
  });

  it('is no false finding: the trail says what its messages say', async () => {
    await until(
      () => world.discord.messages('alice', 'audit').some(({ content }) => content.includes('SUCCEEDED')),
      'it',
    );
    await world.restart();
    expect(await world.alice.types('/audit verify')).toMatch(/^panelops: Check of ledger and trail/m);
    expect(world.entries().map(({ kind }) => kind)).not.toContain('tampered');
  });
});
