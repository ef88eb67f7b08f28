import { describe, expect, test } from 'vitest';
import type { DrawParts } from '../../src/cards/draw.ts';
import { render } from '../../src/cards/render/index.ts';
import {
  describeCards,
  drawing,
  restore,
  running,
  seen,
  shutdownAll,
  shutting,
  unfollowed,
} from '../helpers/cards/drawing.ts';
import * as story from '../helpers/cards/story.ts';

const { ends, follows, jobEnds, says, sends, bob } = story;

describeCards('A job that is followed', [
  {
    title: 'of which nothing was seen is accepted',
    of: 'restore',
    history: running,
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The panel started the restore as job 17.',
      'Started is not finished.',
      'Cannot be undone.',
    ],
  },
  {
    title: 'that was seen shows how far it is',
    of: 'restore',
    history: running,
    looks: { 'restore.1': { word: 'running', progress: 45.9, message: 'disk 0', newsAt: seen, at: seen } },
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The restore of web-1 is under way: `running`',
      '`████░░░░░░ 45\u00a0%`',
      'The panel says: `disk 0`',
      'Started <t:1795125720:R> as job 17. Last news <t:1795125900:R>. <@1100000000000000001> will be pinged when it ends.',
      'Cannot be undone.',
    ],
  },
  {
    title: 'that cannot be seen any more says so',
    of: 'restore',
    history: running,
    looks: { 'restore.1': { word: 'running', progress: 45, at: seen, blind: true } },
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The restore of web-1 has not been visible since <t:1795125900:R>.',
      'Last seen: `running`, 45\u00a0%. The bot keeps trying; not seen does not mean failed.',
      'Started <t:1795125720:R> as job 17. <@1100000000000000001> will be pinged when it ends.',
      'Cannot be undone.',
      "Check the panel. If this keeps happening, tell whoever keeps the bot's policy.",
    ],
  },
  {
    title: 'that takes long offers what can be done about it',
    of: 'down',
    history: shutting,
    looks: { 'down.1': { word: 'queued', late: true } },
    card: [
      'ACCEPTED /power shutdown · web-1 (101, production)',
      'The shutdown of web-1 is under way: `queued`',
      'Started <t:1795125720:R> as queue item 4.',
      'The shutdown is taking long. Power off asks whether to cut the power: anything not yet written to the disks is lost.',
      '[Power off] off:down',
    ],
  },
  {
    title: 'that the panel does not let be read asks people',
    of: 'restore',
    history: running,
    looks: { 'restore.1': 'no-read' },
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The restore of web-1 was started.',
      'The panel offers no way to look at it, so this card cannot show its progress.',
      'Started <t:1795125720:R> as job 17. <@1100000000000000001> will be pinged when somebody says how it ended.',
      'Cannot be undone.',
      'Check the panel, then press what you saw. Until then the bot reminds you, less and less often.',
      '[Finished] follow:restore.1:finished',
      '[Failed] follow:restore.1:failed',
      '[Stop following] follow:restore.1:stopped',
    ],
  },
  {
    title: 'says who is pinged instead of whoever typed it',
    of: 'restore',
    history: [...running, story.handsOver(restore, bob)],
    signed: 'By <@1100000000000000001>, handed over to <@1100000000000000002>',
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The panel started the restore as job 17.',
      'Started is not finished.',
      'Cannot be undone.',
    ],
  },
  {
    title: 'finished',
    of: 'restore',
    history: [...running, jobEnds(restore, 'finished')],
    card: [
      'FINISHED /backup restore · web-1 (101, production)',
      'It worked: the restore of web-1 finished after 1\u00a0min.',
      'Cannot be undone.',
      'Check that the server is on and has the lost data back: the panel does not say.',
    ],
  },
  {
    title: 'finished, says a person',
    of: 'restore',
    history: [...running, jobEnds(restore, 'finished', 1, { actor: bob })],
    card: [
      'FINISHED /backup restore · web-1 (101, production)',
      'It worked: the restore of web-1 finished after 1\u00a0min, says `bob`.',
      'Cannot be undone.',
      'Check that the server is on and has the lost data back: the panel does not say.',
    ],
  },
  {
    title: 'failed',
    of: 'restore',
    history: [...running, jobEnds(restore, 'failed', 1, { said: 'no space left' })],
    card: [
      'FAILED /backup restore · web-1 (101, production)',
      'The restore of web-1 failed after 1\u00a0min.',
      'The panel says: `no space left`',
      'Check in the panel what is on the disks now, before anybody uses them.',
    ],
  },
  {
    title: 'was not seen to end',
    of: 'restore',
    history: [...running, jobEnds(restore, 'unknown', 1, { detail: 'Last seen: `running`, 45 %.' })],
    card: [
      'UNKNOWN /backup restore · web-1 (101, production)',
      'The restore of web-1 was not seen to finish within 1\u00a0min.',
      'Last seen: `running`, 45 %. It may still be running: check the panel for job 17.',
      'Press Check now, or look at the server in the panel.',
      'It stays in /handover until somebody presses Finished or Failed.',
      ...unfollowed,
    ],
  },
  {
    title: 'was not seen to end, and somebody knew, by a button of the first release',
    of: 'restore',
    history: [
      ...running,
      jobEnds(restore, 'unknown', 1, { detail: 'It was never seen.' }),
      says({ ...restore, by: bob }, true, 'the files are back'),
    ],
    card: [
      'HAPPENED /backup restore · web-1 (101, production)',
      'The restore of web-1 was not seen to finish within 1\u00a0min.',
      'It was never seen.',
      'Cannot be undone.',
      '**It happened**, says <@1100000000000000002>.',
    ],
  },
  {
    title: 'was not seen to end, and somebody says how it ended',
    of: 'restore',
    history: [
      ...running,
      jobEnds(restore, 'unknown', 1, { detail: 'It was never seen.' }),
      jobEnds(restore, 'failed', 1, { actor: bob }),
    ],
    card: [
      'FAILED /backup restore · web-1 (101, production)',
      'The restore of web-1 failed after 2\u00a0min, says `bob`.',
      'Check in the panel what is on the disks now, before anybody uses them.',
    ],
  },
  {
    title: 'is followed no more',
    of: 'restore',
    history: [...running, jobEnds(restore, 'stopped', 1, { actor: bob })],
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The restore of web-1 is no longer followed: `bob` stopped that.',
      'It may still be running: check the panel for job 17.',
      'Cannot be undone.',
      'Press Check now, or look at the server in the panel.',
      'It stays in /handover until somebody presses Finished or Failed.',
      ...unfollowed,
    ],
  },
]);

describeCards('Jobs of several servers', [
  {
    title: 'have a line each',
    of: 'downall',
    history: [1, 2]
      .flatMap((n) => [sends(shutdownAll, n), ends(shutdownAll, 'accepted', n), follows(shutdownAll, 20 + n, n)])
      .concat([
        ends(shutdownAll, 'rejected', 3, { reason: 'tasks-pending', said: 'a backup runs' }),
        jobEnds(shutdownAll, 'finished', 1),
      ]),
    card: [
      'REJECTED /power shutdown · 3 servers',
      'Shut down 3 servers: 1 of 3 finished.',
      '**FINISHED** web-1 (101) after 5\u00a0min.',
      "**ACCEPTED** web-2 (102): in the panel's queue, item 22.",
      '**REJECTED** db-1 (201): Other tasks are pending for this server (423). The panel says: `a backup runs`',
      'Wait until they are done, then ask again.',
      '[Ask again] again:downall',
    ],
  },
  {
    title: 'are over when all have ended',
    of: 'downall',
    history: [1, 2, 3]
      .flatMap((n) => [sends(shutdownAll, n), ends(shutdownAll, 'accepted', n), follows(shutdownAll, 20 + n, n)])
      .concat([
        jobEnds(shutdownAll, 'finished', 1),
        jobEnds(shutdownAll, 'failed', 2),
        jobEnds(shutdownAll, 'unknown', 3, { detail: 'It was never seen.' }),
      ]),
    card: [
      'UNKNOWN /power shutdown · 3 servers',
      'Shut down 3 servers: 1 of 3 finished.',
      '**FINISHED** web-1 (101) after 7\u00a0min.',
      '**FAILED** web-2 (102) after 5\u00a0min.',
      '**UNKNOWN** db-1 (201): not seen to finish within 3\u00a0min. It was never seen.',
      'Press Check now, or look at the server in the panel.',
      'It stays in /handover until somebody presses Finished or Failed.',
      'Anything not seen to finish may still be running.',
      '[Check now: db-1] check:downall.3',
      '[Finished: db-1] follow:downall.3:finished',
      '[Failed: db-1] follow:downall.3:failed',
    ],
  },
]);

describe('Who is pinged at the end of a restore', () => {
  const lines = (recipients: DrawParts['recipients']): string[] => {
    const { parts, known } = drawing(running, { 'restore.1': { word: 'running' } });
    const of = known('restore');
    return of === undefined ? [] : story.textOf(render(of, { ...parts, recipients }));
  };

  test('is said as the policy has it', () => {
    expect(lines((news, requester) => (news.includes('restore') ? [requester, '&12'] : []))).toContain(
      'Started <t:1795125720:R> as job 17. <@1100000000000000001> and <@&12> will be pinged when it ends.',
    );
  });

  test('is not promised where the policy pings nobody', () => {
    expect(lines(() => [])).toContain('Started <t:1795125720:R> as job 17.');
  });
});
