import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../src/shell/limits.ts';
import { answerTo, stateOf, textOf } from '../helpers/messages.ts';
import { worldForAll } from '../helpers/world.ts';

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
