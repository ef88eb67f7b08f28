import { describe, expect, test } from 'vitest';
import type { Rejection } from '../../src/reasons.ts';
import { cardOf, describeCards, done, flush, off, offBoth, shutdownAll, undo } from '../helpers/cards/drawing.ts';
import * as story from '../helpers/cards/story.ts';

const { bob, ends, follows, jobEnds, says, sends } = story;

describeCards('A change of one server', [
  {
    title: 'that is sent is under way',
    of: 'flush',
    history: [sends(flush)],
    card: [
      'WORKING /firewall flush · web-1 (101, production)',
      'Flush the rules of web-1 · primary',
      'Under way; no result yet.',
    ],
  },
  {
    title: 'tells what the look before it told',
    of: 'off',
    history: [sends(off, 1, { says: ['3 rules are set now.'] }), ends(off, 'succeeded', 1, done(101))],
    card: [
      'SUCCEEDED /firewall disable · web-1 (101, production)',
      'Primary interface: the firewall is disabled.',
      '3 rules are set now.',
      '[Undo: enable firewall of web-1] undo:off',
    ],
  },
  {
    title: 'that was rejected says why, and what to do',
    of: 'flush',
    history: [sends(flush), ends(flush, 'rejected', 1, { reason: 'conflict', said: 'a `task` runs' })],
    card: [
      'REJECTED /firewall flush · web-1 (101, production)',
      'The panel reports a conflict (409).',
      'The panel says: `a ˋtaskˋ runs`',
      'Asked for: Flush the rules of web-1 · primary.',
      'Look at the server in the panel, then ask again.',
      '[Ask again] again:flush',
    ],
  },
  {
    title: 'that was not sent can be asked again',
    of: 'flush',
    history: [ends(flush, 'not-sent', 1, { reason: 'bot-restarted' })],
    hasDetails: false,
    card: [
      'NOT-SENT /firewall flush · web-1 (101, production)',
      'The bot was restarted, or its ledger failed, before it sent anything.',
      'Asked for: Flush the rules of web-1 · primary.',
      'Ask again.',
      '[Ask again] again:flush',
    ],
  },
  {
    title: 'that another run kept out can be asked again',
    of: 'flush',
    history: [
      ends(flush, 'blocked', 1, { reason: 'server-busy', detail: 'Run off.1 of <@1100000000000000002> has it.' }),
    ],
    hasDetails: false,
    card: [
      'BLOCKED /firewall flush · web-1 (101, production)',
      'Nothing was sent, because another change of this server is under way.',
      'Run off.1 of <@1100000000000000002> has it.',
      'Asked for: Flush the rules of web-1 · primary.',
      'Wait until that is done, then ask again.',
      '[Ask again] again:flush',
    ],
  },
  {
    title: 'that nothing may be recorded of is not done',
    of: 'flush',
    history: [ends(flush, 'unavailable', 1, { reason: 'ledger-unavailable' })],
    hasDetails: false,
    card: [
      'UNAVAILABLE /firewall flush · web-1 (101, production)',
      'The ledger cannot be written, so changes are refused.',
      'Nothing was sent.',
      'Asked for: Flush the rules of web-1 · primary.',
      'Tell whoever runs the bot: the disk of its DATA_DIR, or its Redis, may be full or broken. Reads still work.',
      '[Ask again] again:flush',
    ],
  },
  {
    title: 'of which somebody says that it happened',
    of: 'off',
    history: [
      sends(off),
      ends(off, 'unknown', 1, { reason: 'bot-stopped' }),
      says({ ...off, by: bob }, true, 'seen in the panel', 1, undo(101)),
    ],
    card: [
      'HAPPENED /firewall disable · web-1 (101, production)',
      'It happened, says <@1100000000000000002>.',
      '[Undo: enable firewall of web-1] undo:off',
    ],
  },
  {
    title: 'of which somebody says that it did not happen',
    of: 'flush',
    history: [
      sends(flush),
      ends(flush, 'unknown', 1, { reason: 'bot-stopped' }),
      says({ ...flush, by: bob }, false, 'the rules are there'),
    ],
    card: [
      'DID NOT HAPPEN /firewall flush · web-1 (101, production)',
      'It did not happen, says <@1100000000000000002>.',
      'Asked for: Flush the rules of web-1 · primary.',
      '[Ask again] again:flush',
    ],
  },
]);

describeCards('A change of several servers', [
  {
    title: 'says what is done, and what is still to do',
    of: 'offboth',
    history: [sends(offBoth), ends(offBoth, 'succeeded', 1, done(101)), sends(offBoth, 2)],
    card: [
      'WORKING /firewall disable · 2 servers',
      'Disable the firewall of 2 servers · primary',
      'So far 1 succeeded; 1 still to do.',
      '**SUCCEEDED** web-1 (101): Primary interface: the firewall is disabled.',
    ],
  },
  {
    title: 'is headed by the worst',
    of: 'offboth',
    history: [
      sends(offBoth),
      ends(offBoth, 'succeeded', 1, done(101)),
      sends(offBoth, 2),
      ends(offBoth, 'rejected', 2, { reason: 'tasks-pending' }),
    ],
    card: [
      'REJECTED /firewall disable · 2 servers',
      'Disable firewall of 2 servers: 1 succeeded and 1 rejected.',
      '**SUCCEEDED** web-1 (101): Primary interface: the firewall is disabled.',
      '**REJECTED** web-2 (102): Other tasks are pending for this server (423). Nothing was changed.',
      'Asked for: Disable the firewall of 2 servers · primary.',
      'Wait until they are done, then ask again.',
      '[Ask again] again:offboth',
      '[Undo: enable firewall of web-1] undo:offboth',
    ],
  },
  {
    title: 'asks about the one whose end is unknown',
    of: 'offboth',
    history: [
      sends(offBoth),
      ends(offBoth, 'unknown', 1, { reason: 'bot-stopped' }),
      ends(offBoth, 'not-sent', 2, { reason: 'earlier-unknown' }),
    ],
    card: [
      'UNKNOWN /firewall disable · 2 servers',
      'Disable firewall of 2 servers: 1 unknown and 1 not-sent.',
      '**UNKNOWN** web-1 (101): The bot stopped while the request was under way. It may or may not have been done.',
      '**NOT-SENT** web-2 (102): Nothing was sent, because an earlier server of this command ended unknown.',
      'Asked for: Disable the firewall of 2 servers · primary.',
      'Press Check now, or look at the server in the panel.',
      'Then press Say what happened. The bot will not send it again.',
      'Once you know how that one ended, ask again for the rest.',
      '[Check now: web-1] check:offboth.1',
      '[Say what happened: web-1] say:offboth.1',
      '[Ask again] again:offboth',
    ],
  },
  {
    title: 'asks about the next when one is known',
    of: 'offboth',
    history: [
      sends(offBoth),
      sends(offBoth, 2),
      ends(offBoth, 'unknown', 1, { reason: 'bot-stopped' }),
      ends(offBoth, 'unknown', 2, { reason: 'bot-stopped' }),
      says(offBoth, true, 'seen', 1, undo(101)),
    ],
    card: [
      'UNKNOWN /firewall disable · 2 servers',
      'Disable firewall of 2 servers: 1 happened and 1 unknown.',
      '**HAPPENED** web-1 (101), says <@1100000000000000001>.',
      '**UNKNOWN** web-2 (102): The bot stopped while the request was under way. It may or may not have been done.',
      'Asked for: Disable the firewall of 2 servers · primary.',
      'Press Check now, or look at the server in the panel.',
      'Then press Say what happened. The bot will not send it again.',
      '[Check now: web-2] check:offboth.2',
      '[Say what happened: web-2] say:offboth.2',
      '[Undo: enable firewall of web-1] undo:offboth',
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
      'Shut down 3 servers: 1 finished, 1 accepted and 1 rejected.',
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
      'Shut down 3 servers: 1 finished, 1 failed and 1 unknown.',
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

describe('Nothing was changed', () => {
  const said = (reason: Rejection): boolean =>
    cardOf('flush', [sends(flush), ends(flush, 'rejected', 1, { reason })]).includes('Nothing was changed.');

  test.each([
    'token-refused',
    'token-lacks-permission',
    'no-backups',
    'protected',
    'tasks-pending',
    'rate-limited',
    'authentication-limited',
    'maintenance',
  ] as const)('is said of %s: the panel did not begin', (reason) => expect(said(reason)).toBe(true));

  test.each(['not-found', 'vlan-not-found', 'conflict', 'validation', 'refused'] as const)(
    'is not said of %s, of which nobody knows it',
    (reason) => expect(said(reason)).toBe(false),
  );
});

test('Several servers that ended unknown: each has its buttons, by its name', () => {
  const both = [1, 2].flatMap((n) => [sends(offBoth, n), ends(offBoth, 'unknown', n, { reason: 'bot-stopped' })]);
  expect(cardOf('offboth', both).filter((line) => /^\[|Say what happened/.test(line))).toEqual([
    'Then press Say what happened. The bot will not send it again.',
    '[Check now: web-1] check:offboth.1',
    '[Say what happened: web-1] say:offboth.1',
    '[Check now: web-2] check:offboth.2',
    '[Say what happened: web-2] say:offboth.2',
    '[Details] details:offboth',
  ]);
});
