import { describe, expect, it } from 'vitest';
import { since, typedName } from '../../helpers/every-command/deeds.ts';
import { readings } from '../../helpers/every-command/lines.ts';
import { meets, oneOfEach, sharedWorld } from '../../helpers/every-command/meets.ts';
import { silences } from '../../helpers/every-command/troubles.ts';

/** The reads that ask the panel, and show nothing without its answer. */
const reads = readings.filter(([, row]) => row.reads.length > 0 && row.gathers === undefined);
const world = sharedWorld({ timeouts: { connectMs: 5000, answerMs: 500, syncMs: 500 } });

describe('unknown, for want of an answer', () => {
  const { before, after } = silences;

  // Each costs the whole timeout.
  it.each(oneOfEach)('%s, although it was done, says that nobody knows, and is not sent again', async (id) => {
    await meets(world(), id, after, 'unknown', 1);
  });

  it.each(oneOfEach)('%s, although it was not done, says the same', async (id) => {
    await meets(world(), id, before, 'unknown', 0);
  });
});

describe('a read that is not answered', () => {
  it.each(reads)('%s ends unknown, privately, and is not asked for again', async (id, row) => {
    const news = since(world());
    world().panel.order({ kind: 'hang-before', times: 0 });
    const card = await world().carol.types(row.line);
    expect(card).toContain(`panelops: UNKNOWN ${typedName(id)}`);
    expect(card).toContain('The panel did not answer in time.');
    expect(card).toContain('A read changes nothing: ask again.');
    expect(card).toContain('(only carol sees this)');
    expect(news.requests()).toHaveLength(1);
    expect(news.entries()).toEqual([]);
  });
});
