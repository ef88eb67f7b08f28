import { expect, it } from 'vitest';
import {
  announced,
  followed,
  pingOf,
  pingsOf,
  restores,
  sharedFollowing,
  textSeen,
  wait,
} from '../../helpers/follow-ups/story.ts';

import { messageOf } from '../../helpers/messages.ts';

const world = sharedFollowing({ panel: { restoreMs: 800 }, followUps: { deadline: 1_600 } });

it('a restore that does not end by its deadline is unknown: the card says what was last seen, and pings', async () => {
  const card = await restores(world(), 'cache-1');
  const ping = await pingOf(world(), card);
  await wait(() => messageOf(world(), ping.id).buttons.length > 0, 'its buttons');
  expect(textSeen(world(), messageOf(world(), ping.id))).toShow(
    'UNKNOWN /backup restore · cache-1 (131, staging) @alice',
    'The restore of cache-1 was not seen to finish within N s.',
    'Last seen: `running`, 40 %, T ago. It may still be running: check the panel for job J.',
    'Check the panel, then press what you saw.',
    '[Check now] [Finished] [Failed]',
  );
  await announced(world(), card);
  await wait(() => messageOf(world(), card.id).buttons.length === 0, 'the card without them');
  expect(textSeen(world(), messageOf(world(), card.id))).toShow(
    'UNKNOWN /backup restore · cache-1 (131, staging)',
    'The restore of cache-1 was not seen to finish within N s.',
    'Last seen: `running`, 40 %, T ago. It may still be running: check the panel for job J.',
    'It stays in /handover until somebody presses Finished or Failed.',
    'The buttons are on [the message that pinged]',
  );
  expect(followed(world(), card)).toMatchObject([{ step: 'started' }, { step: 'ended', end: 'unknown' }, {}]);
  expect(pingsOf(world(), card).map(({ pinged }) => pinged)).toEqual([['alice']]);
  expect(ping.createdAt - Date.parse(followed(world(), card)[0]?.time ?? '')).toBeGreaterThanOrEqual(1_600);
});
