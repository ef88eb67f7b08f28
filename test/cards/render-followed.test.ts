import { describeCards, restore, running, seen, shutdownAll, shutting } from '../helpers/cards/drawing.ts';
import * as story from '../helpers/cards/story.ts';

const { ends, follows, jobEnds, says, sends, bob } = story;

describeCards('A job that is followed', [
  {
    title: 'of which nothing was seen is accepted',
    of: 'restore',
    history: running,
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The panel started the restore as job 17. Started is not finished.',
      'There is no undo for this.',
      'By <@1100000000000000001>.',
      'run restore',
    ],
  },
  {
    title: 'that was seen shows how far it is',
    of: 'restore',
    history: running,
    looks: { 'restore.1': { word: 'running', progress: 45.9, message: 'disk 0', newsAt: seen, at: seen } },
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'Restore job 17: `running`',
      '`████░░░░░░ 45 %`',
      'The panel says: `disk 0`',
      'First seen so <t:1795125900:R>.',
      'Started <t:1795125720:R>.',
      'There is no undo for this.',
      'By <@1100000000000000001>.',
      'run restore',
    ],
  },
  {
    title: 'that cannot be seen any more says so',
    of: 'restore',
    history: running,
    looks: { 'restore.1': { word: 'running', progress: 45, at: seen, blind: true } },
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'Restore job 17: **cannot see it since** <t:1795125900:R>. Last seen: `running`, 45 %.',
      'The bot goes on trying; not seen is not failed. Look in the panel; if this stays so, also at the policy of the bot.',
      'Started <t:1795125720:R>.',
      'There is no undo for this.',
      'By <@1100000000000000001>.',
      'run restore',
    ],
  },
  {
    title: 'that takes long offers what can be done about it',
    of: 'down',
    history: shutting,
    looks: { 'down.1': { word: 'queued', late: true } },
    card: [
      'ACCEPTED /power shutdown · web-1 (101, production)',
      'Queue item 4: `queued`',
      'Started <t:1795125720:R>.',
      'The shutdown takes long. Power off asks whether to cut the power: what is not on the disks yet is lost.',
      'By <@1100000000000000001>.',
      '[Power off] off:down',
      'run down',
    ],
  },
  {
    title: 'that the panel does not let be read asks people',
    of: 'restore',
    history: running,
    looks: { 'restore.1': 'no-read' },
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'Restore job 17 was started. The panel offers no way to read it, so this card cannot know how it goes.',
      'Look in the panel, and press what you see. Reminders come until then, more and more seldom.',
      'Started <t:1795125720:R>.',
      'There is no undo for this.',
      'By <@1100000000000000001>.',
      '[Finished] follow:restore.1:finished',
      '[Failed] follow:restore.1:failed',
      '[Stop following] follow:restore.1:stopped',
      'run restore',
    ],
  },
  {
    title: 'says who is pinged instead of whoever typed it',
    of: 'restore',
    history: [...running, story.handsOver(restore, bob)],
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'The panel started the restore as job 17. Started is not finished.',
      'There is no undo for this.',
      'By <@1100000000000000001>, handed over to <@1100000000000000002>.',
      'run restore',
    ],
  },
  {
    title: 'finished',
    of: 'restore',
    history: [...running, jobEnds(restore, 'finished')],
    card: [
      'FINISHED /backup restore · web-1 (101, production)',
      'Restore job 17 **finished**, seen after 1 min.',
      'There is no undo for this.',
      'By <@1100000000000000001>.',
      'run restore',
    ],
  },
  {
    title: 'finished, says a person',
    of: 'restore',
    history: [...running, jobEnds(restore, 'finished', 1, { actor: bob })],
    card: [
      'FINISHED /backup restore · web-1 (101, production)',
      '`bob` says: Restore job 17 **finished**, after 1 min.',
      'There is no undo for this.',
      'By <@1100000000000000001>.',
      'run restore',
    ],
  },
  {
    title: 'failed',
    of: 'restore',
    history: [...running, jobEnds(restore, 'failed', 1, { said: 'no space left' })],
    card: [
      'FAILED /backup restore · web-1 (101, production)',
      'Restore job 17 **failed**, seen after 1 min.',
      'The panel says: `no space left`',
      'By <@1100000000000000001>.',
      'run restore',
    ],
  },
  {
    title: 'was not seen to end',
    of: 'restore',
    history: [...running, jobEnds(restore, 'unknown', 1, { detail: 'Last seen: `running`, 45 %.' })],
    card: [
      'UNKNOWN /backup restore · web-1 (101, production)',
      'Restore job 17 was **not seen to finish** within 1 min. Last seen: `running`, 45 %. It may still run: look in the panel.',
      'To check: look in the panel, at the backups and tasks of web-1 (101): a restore that runs is listed there.',
      'It stays in /handover until somebody presses Finished or Failed.',
      'By <@1100000000000000001>.',
      '[Finished] follow:restore.1:finished',
      '[Failed] follow:restore.1:failed',
      'run restore',
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
      'UNKNOWN /backup restore · web-1 (101, production): it happened',
      'Restore job 17 was **not seen to finish** within 1 min. It was never seen.',
      'There is no undo for this.',
      '**It happened**, says <@1100000000000000002>: `the files are back`.',
      'By <@1100000000000000001>.',
      'run restore',
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
      '`bob` says: Restore job 17 **failed**, after 2 min.',
      'By <@1100000000000000001>.',
      'run restore',
    ],
  },
  {
    title: 'is followed no more',
    of: 'restore',
    history: [...running, jobEnds(restore, 'stopped', 1, { actor: bob })],
    card: [
      'ACCEPTED /backup restore · web-1 (101, production)',
      'Restore job 17 is not followed any more: `bob` stopped that. It may still run: look in the panel.',
      'There is no undo for this.',
      'To check: look in the panel, at the backups and tasks of web-1 (101): a restore that runs is listed there.',
      'It stays in /handover until somebody presses Finished or Failed.',
      'By <@1100000000000000001>.',
      '[Finished] follow:restore.1:finished',
      '[Failed] follow:restore.1:failed',
      'run restore',
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
      '1 server not done yet: accepted is not done.',
      '**FINISHED** web-1 (101) after 5 min.',
      '**ACCEPTED** web-2 (102): queue item 22.',
      '**REJECTED** db-1 (201): Other tasks are pending for this server (423). The panel says: `a backup runs`',
      'Wait until they are done, then ask again.',
      'By <@1100000000000000001>.',
      'run downall',
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
      'None of them is under way any more.',
      '**FINISHED** web-1 (101) after 7 min.',
      '**FAILED** web-2 (102) after 5 min.',
      '**UNKNOWN** db-1 (201): not seen to finish within 3 min. It was never seen.',
      'What was not seen to finish may still run: look in the panel.',
      'To check: look in the panel, at the tasks of db-1 (201), and whether it still runs.',
      'It stays in /handover until somebody presses Finished or Failed.',
      'By <@1100000000000000001>.',
      '[Finished] follow:downall.3:finished',
      '[Failed] follow:downall.3:failed',
      'run downall',
    ],
  },
]);
