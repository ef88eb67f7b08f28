import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { does, keeping, since, steps, typedName } from './every-command/deeds.ts';
import { changings } from './every-command/lines.ts';
import { doubts, refusals, silences, type Trouble } from './every-command/troubles.ts';
import { startWorld, type World } from './world.ts';

const changes = Object.entries(changings);

let world: World;
let again: () => void;
const inWorld = (options: Parameters<typeof startWorld>[0]): void => {
  beforeAll(async () => {
    world = await startWorld({ hurry: true, ...options });
    again = keeping(world.panel);
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    again();
    world.minutePasses();
  });
  afterEach(() => world.panel.clear());
};

/** What the change came to when its one request met the trouble: the card, and the ledger's last word. */
async function meets(id: string, { fault, ...trouble }: Trouble, outcome: string, effects: number): Promise<void> {
  const row = changings[id];
  if (row === undefined) throw new Error(`no line for ${id}`);
  const { reason, says } = trouble.but?.[id] ?? trouble;
  const news = since(world);
  world.panel.order({ ...fault, match: { changes: true } });
  const card = await does(world.alice, row);

  expect(card).toContain(`panelops: ${outcome.toUpperCase()} ${typedName(id)} · web-1 (101, production)`);
  for (const piece of says) expect(card).toContain(piece);
  expect(card).not.toMatch(/\[(Ask again|Apply now|Confirm|Cancel)]/);
  expect(news.changing()).toMatchObject([row.sends]);
  expect(news.effects()).toHaveLength(effects);
  const entries = news.entries();
  expect(entries.map(({ kind }) => kind)).toEqual(steps(row.asks, 'intent', 'outcome'));
  expect(entries.at(-1)).toMatchObject({ outcome, reason, command: id, server: { id: 101 } });
}

describe('rejected', () => {
  inWorld({});
  describe.each(Object.entries(refusals))('by %s', (_name, trouble) => {
    it.each(changes)('%s says so, and nothing was done', async (id) => {
      await meets(id, trouble, 'rejected', 0);
    });
  });

  it.each(changes)('after a 401, %s is held back for a minute', async (id, row) => {
    world.panel.order({ kind: 'status-before', status: 401, match: { path: '/connect' } });
    await world.alice.types('/panel check');
    const news = since(world);
    const card = await does(world.alice, row.looks ? { ...row, asks: 'no' } : row);
    expect(card).toContain(`panelops: NOT-SENT ${typedName(id)} · web-1 (101, production)`);
    expect(card).toContain('The panel refused the token less than a minute ago');
    expect(card).toContain('[Ask again]');
    expect(news.requests()).toEqual([]);
    expect(news.entries().at(-1)).toMatchObject({
      outcome: 'not-sent',
      reason: row.looks ? 'look-failed' : 'circuit-open',
    });
    world.minutePasses();
    expect(await does(world.alice, row)).toContain(`panelops: ${row.outcome.toUpperCase()} `);
  });

  it.each(changes)('turned away with a short Retry-After, %s waits and is done once', async (_id, row) => {
    const news = since(world);
    const body = { errors: ['Too many requests.'] };
    const headers = { 'retry-after': '5' };
    world.panel.order({ kind: 'status-before', status: 429, headers, body, match: { changes: true } });
    expect(await does(world.alice, row)).toContain(`panelops: ${row.outcome.toUpperCase()} `);
    expect(news.changing()).toMatchObject([{ ...row.sends, status: 429 }, { ...row.sends }]);
    expect(news.effects()).toHaveLength(1);
    expect(news.entries().map(({ kind }) => kind)).toEqual(steps(row.asks, 'intent', 'outcome'));
  });
});

describe('unknown', () => {
  inWorld({});
  describe.each(Object.entries(doubts))('after %s', (_name, trouble) => {
    it.each(changes)('%s says that nobody knows, and is not sent again', async (id) => {
      await meets(id, trouble, 'unknown', trouble.done ? 1 : 0);
    });
  });
});

describe('unknown, for want of an answer', () => {
  inWorld({ timeouts: { connectMs: 5000, answerMs: 350, syncMs: 350 } });
  describe.each(Object.entries(silences))('after %s', (_name, trouble) => {
    it.each(changes)('%s says that nobody knows, and is not sent again', async (id) => {
      await meets(id, trouble, 'unknown', trouble.done ? 1 : 0);
    });
  });
});
