import { describe, it } from 'vitest';
import { meeting, meets, oneOfEach, sharedWorld } from '../../helpers/every-command/meets.ts';
import { doubts, silences } from '../../helpers/every-command/troubles.ts';

describe('unknown', () => {
  const world = sharedWorld();

  it.each(meeting(doubts))('after %s, %s says that nobody knows, and is not sent again', async (name, id) => {
    await meets(world, id, doubts[name], 'unknown', doubts[name]?.done ? 1 : 0);
  });
});

describe('unknown, for want of an answer', () => {
  // Each costs the whole timeout.
  const world = sharedWorld({ timeouts: { connectMs: 5000, answerMs: 500, syncMs: 500 } });

  it.each(oneOfEach)('%s, although it was done, says that nobody knows, and is not sent again', async (id) => {
    await meets(world, id, silences.after, 'unknown', 1);
  });

  it.each(oneOfEach)('%s, although it was not done, says the same', async (id) => {
    await meets(world, id, silences.before, 'unknown', 0);
  });
});
