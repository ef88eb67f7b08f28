import { describe, it } from 'vitest';
import { meeting, meets, sharedWorld } from '../../helpers/every-command/meets.ts';
import { doubts } from '../../helpers/every-command/troubles.ts';

const world = sharedWorld();

describe('unknown', () => {
  describe.each(Object.entries(doubts))('after %s', (_name, trouble) => {
    it.each(meeting(trouble))('%s says that nobody knows, and is not sent again', async (id) => {
      await meets(world(), id, trouble, 'unknown', trouble.done ? 1 : 0);
    });
  });
});
