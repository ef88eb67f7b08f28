import { expect, it } from 'vitest';
import {
  announced,
  editsOf,
  followed,
  following,
  pingOf,
  repliesTo,
  restores,
  seenOnce,
  stepsOf,
  textSeen,
  wait,
} from '../../helpers/follow-ups/story.ts';

import { messageOf, stateOf } from '../../helpers/messages.ts';

it('a card that is too old to edit continues in a reply to its end, also after a restart', async () => {
  let ahead = 0;
  const world = await following({
    panel: { restoreMs: 4_000 },
    discord: { now: () => Date.now() + ahead, limits: { lateEdits: { count: 1, ms: 3_600_000 }, posts: false } },
  });
  const card = await restores(world, 'web-1');
  await seenOnce(world, card.id, (text) => text.includes('░'));
  // Past the hour: one more edit, and no other.
  ahead = 2 * 3_600_000;
  const moved = await world.discord.until(() => repliesTo(world, card)[0]);
  expect(textSeen(world, moved).replace(/`[█░].*`/, '`BAR`')).toShow(
    'ACCEPTED /backup restore · web-1 (101, production)',
    'The restore of web-1 is under way: `running`',
    '`BAR`',
    'Started T ago as job J. Last news T ago. @alice will be pinged when it ends.',
  );
  expect(moved).toMatchObject({ replyTo: card.id, pinged: [] });
  await wait(() => stepsOf(world, card).includes('moved'), 'the ledger');
  expect(followed(world, card)[1]).toMatchObject({ step: 'moved', place: { message: moved.id } });
  const left = editsOf(world, card.id).length;

  await world.restart();
  const bar = messageOf(world, moved.id).embeds[0]?.description;
  await wait(() => messageOf(world, moved.id).embeds[0]?.description !== bar, 'an edit of the reply');
  const ping = await pingOf(world, card);
  await announced(world, card);
  expect([ping.replyTo, ping.pinged]).toEqual([moved.id, ['alice']]);
  expect(stateOf(messageOf(world, moved.id))).toBe('FINISHED');
  expect(editsOf(world, card.id)).toHaveLength(left);
  expect(repliesTo(world, card).map(({ id }) => id)).toEqual([moved.id, ping.id]);
  expect(stepsOf(world, card)).toEqual(['started', 'moved', 'ended', 'announced']);
});
