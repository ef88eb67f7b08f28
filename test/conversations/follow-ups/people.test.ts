import { describe, expect, it } from 'vitest';
import {
  announced,
  answerOf,
  followed,
  looks,
  pingOf,
  pingsOf,
  repliesTo,
  restores,
  seenOnce,
  sharedFollowing,
  stepsOf,
  wait,
} from '../../helpers/follow-ups/story.ts';

const world = sharedFollowing({ panel: { restoreMs: 2_000 } });

describe('/follow-ups', () => {
  it('hands a restore over: the card says so, and the ping goes to bob alone', async () => {
    const card = await restores(world(), 'web-1');
    await answerOf(world(), 'alice', '/follow-ups hand-over server:web-1 user:@bob');
    const handed = await seenOnce(world(), card.id, (text) => text.includes('handed over'));
    expect(handed.embeds[0]?.description).toMatch(/By <@\d+>, handed over to <@1400000000000000002> · run \w+$/);
    expect(handed.pinged).toEqual([]);
    const ping = await pingOf(world(), card);
    expect([ping.pinged, ping.replyTo]).toEqual([['bob'], card.id]);
    await announced(world(), card);
    expect(followed(world(), card)).toMatchObject([
      { step: 'started', actor: { name: 'alice' } },
      { step: 'handed-over', actor: { name: 'alice' }, to: { name: 'bob' } },
      { step: 'ended' },
      { step: 'announced' },
    ]);
    expect(pingsOf(world(), card)).toHaveLength(1);
  });

  it('stops following: nothing pings, the panel is asked no more, and the card claims no end', async () => {
    const card = await restores(world(), 'web-2');
    await wait(() => looks(world()).some(({ path }) => path.includes('/102/')), 'a look');
    expect(await answerOf(world(), 'bob', '/follow-ups stop server:web-2')).toContain('SUCCEEDED /follow-ups stop');
    await announced(world(), card);
    await seenOnce(world(), card.id, (text) => text.includes('is no longer followed'));
    const looked = looks(world()).filter(({ path }) => path.includes('/102/')).length;
    const other = await restores(world(), 'web-3');
    await announced(world(), other);
    expect(looks(world()).filter(({ path }) => path.includes('/102/'))).toHaveLength(looked);
    expect(stepsOf(world(), card)).toEqual(['started', 'ended', 'announced']);
    expect(repliesTo(world(), card)).toEqual([]);
    expect(await answerOf(world(), 'alice', '/follow-ups stop server:web-2')).toContain(
      'Nothing of web-2 (102) is being followed.',
    );
  });
});
