import { describe, expect, it } from 'vitest';
import { announced, pingsOf, power, seenOnce, sharedFollowing } from '../../helpers/follow-ups/story.ts';
import { idOf, labelsOf, stateOf } from '../../helpers/messages.ts';

describe('the card of a follow-up', () => {
  const world = sharedFollowing();

  it('offers to undo a shutdown to its end and after it, which pings nobody', async () => {
    const card = await power(world(), 'shutdown server:web-1');
    expect(labelsOf(card)).toEqual(['Undo']);
    const finished = await seenOnce(world(), card.id, (text) => text.startsWith('FINISHED'));
    expect(labelsOf(finished)).toEqual(['Undo']);
    await announced(world(), card);
    expect(pingsOf(world(), card)).toEqual([]);
    await world().discord.click('bob', card.id, idOf(finished, 'Undo'));
    const undone = await seenOnce(world(), card.id, (text) => text.includes('Undone since, by <@'));
    expect([stateOf(undone), labelsOf(undone)]).toEqual(['FINISHED', []]);
    expect(world().panel.effects.at(-1)?.path).toBe('/servers/101/power/boot');
  });
});
