import { describe, expect, test } from 'vitest';
import type { Card } from '../../src/card.ts';
import { beside } from '../../src/cards/render/index.ts';
import {
  describeCards,
  done,
  drawing,
  fifth,
  half,
  off,
  offAgain,
  offBoth,
  offSecond,
  on,
  restore,
  running,
  type Step,
  stored,
  sync,
  undo,
  waits,
} from '../helpers/cards/drawing.ts';
import * as story from '../helpers/cards/story.ts';

const { bob, ends, jobEnds, says, sends } = story;

describeCards('What became of a change since', [
  {
    title: 'undone on one of two servers',
    of: 'offboth',
    history: [1, 2]
      .flatMap((n) => [sends(offBoth, n), ends(offBoth, 'succeeded', n, done(100 + n))])
      .concat([sends(on), ends(on, 'succeeded')]),
    card: [
      'SUCCEEDED /firewall disable · 2 servers',
      'Disable firewall of 2 servers: 2 succeeded.',
      '**SUCCEEDED** web-1 (101): Primary interface: the firewall is disabled.',
      '**SUCCEEDED** web-2 (102): Primary interface: the firewall is disabled.',
      'Undone since for web-1 (101), by <@1100000000000000002>: see [the newer card](https://discord.com/channels/1000000000000000001/1300000000000000001/1400000000000000001).',
      '[Undo: enable firewall of web-2] undo:offboth',
    ],
  },
  {
    title: 'nothing, while what would undo it ended unknown',
    of: 'off',
    history: [
      sends(off),
      ends(off, 'succeeded', 1, done(101)),
      sends(on),
      ends(on, 'unknown', 1, { reason: 'bot-stopped' }),
    ],
    card: [
      'SUCCEEDED /firewall disable · web-1 (101, production)',
      'Primary interface: the firewall is disabled.',
      '[Undo: enable firewall of web-1] undo:off',
    ],
  },
  {
    title: 'applied',
    of: 'stored',
    history: [
      sends(stored),
      ends(stored, 'accepted', 1, { ...undo(101), detail: waits }),
      sends(sync),
      ends(sync, 'succeeded'),
    ],
    card: [
      'ACCEPTED /firewall disable · web-1 (101, production)',
      'Primary interface: stored, not applied.',
      'The running server is as it was.',
      'Applied since, by <@1100000000000000002>: see [the newer card](https://discord.com/channels/1000000000000000001/1300000000000000001/1400000000000000001).',
      '[Undo: enable firewall of web-1] undo:stored',
    ],
  },
  {
    title: 'done by somebody else, where nothing was sent',
    of: 'off',
    history: [
      ends(off, 'not-sent', 1, { reason: 'circuit-open' }),
      sends(offAgain),
      ends(offAgain, 'succeeded', 1, done(101)),
    ],
    hasDetails: false,
    card: [
      'NOT-SENT /firewall disable · web-1 (101, production)',
      "The bot's token was refused, or its address locked out.",
      'For a minute after that, or as long as the panel said, the bot asks the panel nothing: more failures would lock it out.',
      'Asked for: Disable the firewall of web-1 · primary.',
      'Done since, by <@1100000000000000002>: see [the newer card](https://discord.com/channels/1000000000000000001/1300000000000000001/1400000000000000001).',
    ],
  },
  {
    title: 'done by somebody else on one of two servers, where nothing was sent to either',
    of: 'offboth',
    history: [1, 2]
      .map((n) => ends(offBoth, 'not-sent', n, { reason: 'circuit-open' }))
      .concat([sends(offAgain), ends(offAgain, 'succeeded', 1, done(101))]),
    hasDetails: false,
    card: [
      'NOT-SENT /firewall disable · 2 servers',
      'Disable firewall of 2 servers: 1 done since and 1 not-sent.',
      "**NOT-SENT** web-1 (101) and web-2 (102): The bot's token was refused, or its address locked out. For a minute after that, or as long as the panel said, the bot asks the panel nothing: more failures would lock it out.",
      'Asked for: Disable the firewall of 2 servers · primary.',
      'Done since for web-1 (101), by <@1100000000000000002>: see [the newer card](https://discord.com/channels/1000000000000000001/1300000000000000001/1400000000000000001).',
      "Tell whoever keeps the bot's PANEL_TOKEN. Then wait a minute and run /panel check.",
      '[Ask again] again:offboth',
    ],
  },
  {
    title: 'done on one of two servers, once somebody said that the other happened: nothing is left that was not sent',
    of: 'offboth',
    history: [
      sends(offBoth),
      ends(offBoth, 'unknown', 1, { reason: 'timeout' }),
      ends(offBoth, 'not-sent', 2, { reason: 'earlier-unknown' }),
      says(offBoth, true, 'seen', 1, undo(101)),
      sends(offSecond),
      ends(offSecond, 'succeeded', 1, done(102)),
    ],
    card: [
      'HAPPENED /firewall disable · 2 servers',
      'Disable firewall of 2 servers: 1 happened and 1 done since.',
      '**HAPPENED** web-1 (101), says <@1100000000000000001>.',
      '**NOT-SENT** web-2 (102): Nothing was sent, because an earlier server of this command ended unknown.',
      'Done since for web-2 (102), by <@1100000000000000002>: see [the newer card](https://discord.com/channels/1000000000000000001/1300000000000000001/1400000000000000001).',
      '[Undo: enable firewall of web-1] undo:offboth',
    ],
  },
  {
    title: 'set again',
    of: 'half',
    history: [
      sends(half),
      ends(half, 'succeeded', 1, { detail: 'Limited to 50 % of its allocated CPU, from now on.' }),
      sends(fifth),
      ends(fifth, 'succeeded', 1, {
        undo: { command: 'cpu.throttle', options: { server: '101', percent: 50, sync: true } },
      }),
    ],
    card: [
      'SUCCEEDED /cpu throttle · web-1 (101, production)',
      'Limited to 50 % of its allocated CPU, from now on.',
      'Set again since, by <@1100000000000000002>: see [the newer card](https://discord.com/channels/1000000000000000001/1300000000000000001/1400000000000000001).',
    ],
  },
]);

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
]);

describe('A message beside the card', () => {
  const textOf = (card: Card | undefined): string[] => (card === undefined ? [] : story.textOf(card));
  const announced = (id: string, history: readonly Step[]): string[] => {
    const { parts, known } = drawing(history, {});
    const all = known(id);
    return textOf(all && beside.end(all, parts));
  };
  const reminded = (history: readonly Step[]): string[] => {
    const { parts, known } = drawing(history, {});
    const all = known('off');
    return textOf(all && beside.reminder(all, parts));
  };
  const due = [sends(off), ends(off, 'succeeded', 1, { ...done(101), remind: '2026-11-20T08:00:00.000Z' })];

  test('announces the end of what was followed, without buttons', () => {
    expect(announced('restore', [...running, jobEnds(restore, 'failed', 1, { said: 'no space left' })])).toEqual([
      'FAILED /backup restore · web-1 (101, production)',
      'The restore of web-1 failed after 1\u00a0min.',
      'The panel says: `no space left`',
      'Check in the panel what is on the disks now, before anybody uses them.',
      'run restore',
    ]);
  });

  test('announces nothing while something runs', () => {
    expect(announced('restore', running)).toEqual([]);
  });

  test('reminds of what is still open', () => {
    expect(reminded(due)).toEqual([
      'REMINDER /firewall disable · web-1 (101, production): not undone since <t:1795125660:t>',
      'Done on web-1 (101) <t:1795125660:R>, and not undone since.',
      'You asked for this reminder.',
      '[Undo: enable firewall of web-1] undo:off',
      'run off · reminder',
    ]);
  });

  test('reminds of nothing that was undone since', () => {
    expect(reminded([...due, sends(on), ends(on, 'succeeded')])).toEqual([
      'REMINDER /firewall disable · web-1 (101, production)',
      'Nothing is left to undo.',
      'Undone since, by <@1100000000000000002>: see [the newer card](https://discord.com/channels/1000000000000000001/1300000000000000001/1400000000000000001).',
      'run off · reminder',
    ]);
  });
});
