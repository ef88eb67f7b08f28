import { describe, it } from 'vitest';
import { meeting, meets, sharedWorld } from '../../helpers/every-command/meets.ts';
import { doubts } from '../../helpers/every-command/troubles.ts';

const world = sharedWorld();

describe('unknown', () => {
  it.each(meeting(doubts))('after %s, %s says that nobody knows, and is not sent again', async (name, id) => {
    await meets(world(), id, doubts[name], 'unknown', doubts[name]?.done ? 1 : 0);
  });
});
