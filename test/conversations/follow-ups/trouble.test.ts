import { describe, expect, it } from 'vitest';
import {
  announced,
  followed,
  repliesTo,
  restores,
  sharedFollowing,
  stepsOf,
  wait,
} from '../../helpers/follow-ups/story.ts';
import { messageOf, stateOf } from '../../helpers/messages.ts';

describe('while a restore is followed', () => {
  const world = sharedFollowing({ panel: { restoreMs: 2_000 }, discord: { limits: { posts: false } } });
  const posts = { method: 'POST', path: '/channels/*/messages' };

  it('Discord goes away until after the end: then the card is terminal, and one message pings', async () => {
    const card = await restores(world(), 'web-1');
    world().discord.order({ kind: 'outage' });
    await wait(() => stepsOf(world(), card).includes('ended'), 'the end in the ledger');
    expect(stateOf(messageOf(world(), card.id))).toBe('ACCEPTED');
    world().discord.clear();
    await announced(world(), card);
    expect(stateOf(messageOf(world(), card.id))).toBe('FINISHED');
    expect(repliesTo(world(), card).map(({ pinged }) => pinged)).toEqual([['alice']]);
  });

  it.each(['reset', 'close'] as const)(
    'the answer to the message that pings is lost (%s): it is posted once',
    async (by) => {
      const card = await restores(world(), by === 'reset' ? 'web-2' : 'web-3');
      world().discord.order({ kind: 'lose-request', by, match: posts });
      await announced(world(), card);
      expect(repliesTo(world(), card).map(({ pinged }) => pinged)).toEqual([['alice']]);
      expect(followed(world(), card).at(-1)?.place.message).toBe(repliesTo(world(), card)[0]?.id);
    },
  );
});
