import { expect, it } from 'vitest';
import { words } from '../../helpers/card-text.ts';
import {
  announced,
  followed,
  following,
  pingOf,
  pingsOf,
  policyWithout,
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

it('a job that was never seen is reported as never seen', async () => {
  world().panel.order({ kind: 'status-before', status: 500, match: { path: '/backupManager/jobs/' }, times: 0 });
  const ping = await pingOf(world(), await restores(world(), 'web-3'));
  expect(textSeen(world(), ping)).toShow(
    'UNKNOWN /backup restore · web-3 (103, staging) @alice(!)',
    'The restore of web-3 was not seen to finish within N s.',
    'It was never seen. It may still be running: check the panel for job J.',
  );
  await world().panel.clear();
});

it('a job that ended unseen is finished, not unknown: there is a last look at the deadline', async () => {
  // In a world of its own: after the 500s of the test before, a bot asks the panel nothing for a while.
  const unseen = await following({ panel: { restoreMs: 800 }, followUps: { deadline: 1_600 } });
  const card = await restores(unseen, 'web-1');
  await unseen.app.stop();
  await wait(() => Date.now() > Date.parse(followed(unseen, card)[0]?.deadline ?? ''), 'the deadline');
  await unseen.restart();
  expect(words((await pingOf(unseen, card)).content)).toMatch(/^FINISHED/);
});

it('without a read, the card says that nobody reported the end', async () => {
  const mute = await following({
    policy: policyWithout('restore-status'),
    followUps: { deadline: 400 },
    announcer: { reminders: [200] },
  });
  const card = await restores(mute, 'web-2');
  const ping = await pingOf(mute, card);
  expect(textSeen(mute, ping)).toShow(
    'UNKNOWN /backup restore · web-2 (102, production) @alice(!)',
    'The restore of web-2 was not seen to finish within N s.',
    'The panel offers no way to read it, and nobody said how it ended. It may still be running: check the panel for job J.',
  );
});
