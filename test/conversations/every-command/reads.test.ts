import { describe, expect, it } from 'vitest';
import { since, titled, typedName } from '../../helpers/every-command/deeds.ts';
import { readings } from '../../helpers/every-command/lines.ts';
import { sharedWorld } from '../../helpers/every-command/meets.ts';
import { doubts, refusals } from '../../helpers/every-command/troubles.ts';
import type { World } from '../../helpers/world.ts';

/** The reads that ask the panel, and show nothing without its answer. */
const reads = readings.filter(([, row]) => row.reads.length > 0 && row.gathers === undefined);

/** How often a read is asked for in all when it fails so; once where it is not listed. */
const asked: Readonly<Record<string, number>> = {
  '500 before the effect': 3,
  '500 after the effect': 3,
  'an answer cut off': 3,
  'a reset before the effect': 3,
  'a reset after the effect': 3,
};

/** What a failing read comes to: a private card without any worry about what it may have done, and nothing in the ledger. */
async function fails(
  world: World,
  id: string,
  line: string,
  state: string,
): Promise<{ card: string; paths: string[] }> {
  const news = since(world);
  const before = world.bob.sees();
  const card = await world.carol.types(line);
  expect(card).toContain(`panelops: ${state} ${typedName(id)}`);
  if (state === 'UNKNOWN') expect(card).toContain('A read changes nothing: ask again.');
  expect(card).toContain('(only carol sees this)');
  expect(card).not.toContain('It may have been done');
  expect(card).not.toContain('press what you saw');
  expect(card).not.toContain('will not send it again');
  expect(world.bob.sees()).toBe(before);
  expect([news.changing(), news.effects(), news.entries()]).toEqual([[], [], []]);
  return { card, paths: news.requests().map(({ method, path }) => `${method} ${path}`) };
}

describe('a read', () => {
  const world = sharedWorld();

  describe.each(reads)('%s', (id, row) => {
    const first = row.reads[0] ?? '';

    it.each(Object.entries(refusals))('is rejected by %s', async (_name, { fault, says }) => {
      world.panel.order({ ...fault, times: 0 });
      const { card, paths } = await fails(world, id, row.line, 'REJECTED');
      for (const piece of says) expect(card).toContain(piece);
      expect(paths).toEqual([first]);
    });

    it.each(Object.entries(doubts))('ends unknown after %s', async (name, { fault, says }) => {
      world.panel.order({ ...fault, times: 0 });
      const { card, paths } = await fails(world, id, row.line, 'UNKNOWN');
      expect(card).toContain(says[0]);
      expect(paths).toEqual(Array(asked[name] ?? 1).fill(first));
    });

    it('is not sent when the panel refuses the connection', async () => {
      world.panel.order({ kind: 'refuse' });
      const { card, paths } = await fails(world, id, row.line, 'NOT-SENT');
      expect(card).toContain('The panel could not be reached: it refused the connection.');
      expect(card).toContain(
        'Ask again in a minute. If it keeps failing, tell whoever runs the bot: the panel may be down, or PANEL_URL wrong.',
      );
      expect(paths).toEqual([]);
    });

    it('works again after two broken attempts', async () => {
      world.panel.order({ kind: 'reset-before', times: 2 });
      const news = since(world);
      expect(await world.carol.types(row.line)).toMatch(titled);
      expect(news.requests()).toHaveLength(row.reads.length + 2);
    });
  });
});

describe('a read that is not answered', () => {
  const world = sharedWorld({ timeouts: { connectMs: 5000, answerMs: 500, syncMs: 500 } });

  it.each(reads)('%s ends unknown, privately, and is not asked for again', async (id, row) => {
    world.panel.order({ kind: 'hang-before', times: 0 });
    const { card, paths } = await fails(world, id, row.line, 'UNKNOWN');
    expect(card).toContain('The panel did not answer in time.');
    expect(paths).toHaveLength(1);
  });
});
