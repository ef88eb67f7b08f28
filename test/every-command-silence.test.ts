import { describe, it } from 'vitest';
import { changings } from './every-command/lines.ts';
import { meets, sharedWorld } from './every-command/meets.ts';
import { silences } from './every-command/troubles.ts';

const changes = Object.entries(changings);
const world = sharedWorld({ timeouts: { connectMs: 5000, answerMs: 350, syncMs: 350 } });

describe('unknown, for want of an answer', () => {
  describe.each(Object.entries(silences))('after %s', (_name, trouble) => {
    it.each(changes)('%s says that nobody knows, and is not sent again', async (id) => {
      await meets(world(), id, trouble, 'unknown', trouble.done ? 1 : 0);
    });
  });
});
