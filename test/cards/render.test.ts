import { describe, expect, test } from 'vitest';
import type { Card } from '../../src/card.ts';
import { knownOf } from '../../src/cards/draw.ts';
import { announcement, type JobLook, reminderCard, render } from '../../src/cards/render/index.ts';
import { genesis, seal } from '../../src/ledger/chain.ts';
import { openBook } from '../../src/runs/book.ts';
import type { Entry, NewRunEntry } from '../../src/runs/entry.ts';
import * as story from './story.ts';

/**
 * What any card looks like after any history. `history` is what the ledger holds, oldest first, a minute between each two entries;
 * the lines are all that a person sees: the headline, the text, the buttons, and the run.
 */

const { asks, bob, confirms, ends, follows, jobEnds, says, sends, typed } = story;

/** What is appended, or made from what is there: a confirmation names the hash of its question. */
type Step = NewRunEntry | ((entries: readonly Entry[]) => NewRunEntry);

function drawing(history: readonly Step[], looks: Record<string, JobLook>) {
  const book = openBook();
  let { hash } = genesis;
  for (const [at, step] of history.entries()) {
    const entry = typeof step === 'function' ? step(book.records.entries()) : step;
    const sealed = seal(entry, at + 1, new Date(story.start + at * story.minute).toISOString(), hash);
    book.add(sealed);
    hash = sealed.hash;
  }
  const parts = story.drawParts(book.records);
  const seen = new Map(Object.entries(looks));
  return { parts, known: (id: string) => knownOf(parts, id, undefined, seen) };
}

/** The card of that invocation; `looks`: what was last seen of the jobs of its runs. */
function cardOf(id: string, history: readonly Step[], looks: Record<string, JobLook> = {}): string[] {
  const { parts, known } = drawing(history, looks);
  const all = known(id);
  return all === undefined ? ['no card'] : story.textOf(render(all, parts));
}
const confirmed =
  (of: story.Typed, n = 1): Step =>
  (entries) =>
    confirms(of, entries.find(({ kind }) => kind === 'asked')?.hash ?? '', n);

const reason = 'customer asked';
const flush = typed('flush', '/firewall flush server:101 interface:primary sync:yes', { reason });
const off = typed('off', '/firewall disable server:101 interface:primary sync:yes');
const stored = typed('stored', '/firewall disable server:101 interface:primary sync:no');
const offBoth = typed('offboth', '/firewall disable server:101,102 interface:primary sync:yes');
const on = typed('on', '/firewall enable server:101 interface:primary sync:yes', { by: bob });
const sync = typed('sync', '/firewall sync server:101 interface:primary', { by: bob });
const half = typed('half', '/cpu throttle server:101 percent:50 sync:yes');
const fifth = typed('fifth', '/cpu throttle server:101 percent:20 sync:yes', { by: bob });
const shutdown = typed('down', '/power shutdown server:101');
const shutdownAll = typed('downall', '/power shutdown server:101,102,201');
const restore = typed('restore', '/backup restore server:101 disks:0');

const undo = (server: number) => ({
  undo: { command: 'firewall.enable', options: { server: String(server), interface: 'primary', sync: true } },
});
/** What a yes to a disable records. */
const done = (server: number) => ({ detail: 'Primary interface: the firewall is disabled.', ...undo(server) });
const waits = 'Primary interface: stored, not applied. The running server is as it was.';
const question = {
  says: ['All firewall rules of web-1 (101), primary interface, will be removed.', '4 rules are set now.'],
};
const running = [
  sends(restore),
  ends(restore, 'accepted', 1, { detail: 'The panel started the restore as job 17. Started is not finished.' }),
  follows(restore, 17),
];
const shutting = [sends(shutdown), ends(shutdown, 'accepted'), follows(shutdown, 4)];
const seen = story.start + 5 * story.minute;

interface Case {
  title: string;
  of: string;
  history: readonly Step[];
  looks?: Record<string, JobLook>;
  card: readonly string[];
}

const cases: Record<string, readonly Case[]> = {
  'A question': [
    {
      title: 'asks, and says who confirms and until when',
      of: 'flush',
      history: [asks(flush, 1, question)],
      card: [
        'QUESTION /firewall flush · web-1 (101, production)',
        'All firewall rules of web-1 (101), primary interface, will be removed.',
        '4 rules are set now.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        'Nothing is sent until <@1100000000000000001> confirms. Runs out <t:1795125720:R>.',
        '[Confirm] confirm:flush.seal-of-confirm',
        '[Cancel] cancel:flush.seal-of-cancel',
        'run flush',
      ],
    },
    {
      title: 'may want something typed',
      of: 'flush',
      history: [asks(flush, 1, { ...question, typed: 'web-1' })],
      card: [
        'QUESTION /firewall flush · web-1 (101, production)',
        'All firewall rules of web-1 (101), primary interface, will be removed.',
        '4 rules are set now.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        'To confirm you will be asked to type `web-1`.',
        'Nothing is sent until <@1100000000000000001> confirms. Runs out <t:1795125720:R>.',
        '[Confirm] typed:flush.seal-of-typed',
        '[Cancel] cancel:flush.seal-of-cancel',
        'run flush',
      ],
    },
    {
      title: 'of the first release, which did not record what it said, is asked in the words of today',
      of: 'flush',
      history: [asks(flush)],
      card: [
        'QUESTION /firewall flush · web-1 (101, production)',
        'All firewall rules of web-1 (101), primary interface, will be removed.',
        'Applied to the running server at once.',
        'Not touched: the secondary interface, and every other server.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        'Nothing is sent until <@1100000000000000001> confirms. Runs out <t:1795125720:R>.',
        '[Confirm] confirm:flush.seal-of-confirm',
        '[Cancel] cancel:flush.seal-of-cancel',
        'run flush',
      ],
    },
    {
      title: 'is under way once it is confirmed',
      of: 'flush',
      history: [asks(flush, 1, question), confirmed(flush)],
      card: [
        'WORKING /firewall flush · web-1 (101, production)',
        'Under way; nothing is known yet.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        'run flush',
      ],
    },
    {
      title: 'that was cancelled says by whom',
      of: 'flush',
      history: [
        asks(flush),
        ends({ ...flush, by: bob }, 'cancelled', 1, {
          reason: 'cancelled',
          detail: 'Cancelled by <@1100000000000000002>.',
        }),
      ],
      card: [
        'CANCELLED /firewall flush · web-1 (101, production)',
        'Nothing was sent.',
        'Cancelled by <@1100000000000000002>.',
        'Reason: `customer asked`',
        'Asked by <@1100000000000000001>.',
        'run flush',
      ],
    },
    {
      title: 'that ran out can be asked again',
      of: 'flush',
      history: [asks(flush), ends(flush, 'expired', 1, { reason: 'expired' })],
      card: [
        'EXPIRED /firewall flush · web-1 (101, production)',
        'Nobody confirmed in time. Nothing was sent.',
        'Reason: `customer asked`',
        'Asked by <@1100000000000000001>.',
        '[Ask again] again:flush',
        'run flush',
      ],
    },
  ],
  'A change of one server': [
    {
      title: 'that is sent is under way',
      of: 'flush',
      history: [sends(flush)],
      card: [
        'WORKING /firewall flush · web-1 (101, production)',
        'Under way; nothing is known yet.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        'run flush',
      ],
    },
    {
      title: 'that succeeded says what is so now',
      of: 'flush',
      history: [sends(flush), ends(flush, 'succeeded', 1, { detail: 'Primary interface: all rules were removed.' })],
      card: [
        'SUCCEEDED /firewall flush · web-1 (101, production)',
        'Primary interface: all rules were removed.',
        'There is no undo for this.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        'run flush',
      ],
    },
    {
      title: 'that succeeded can be undone',
      of: 'off',
      history: [sends(off), ends(off, 'succeeded', 1, done(101))],
      card: [
        'SUCCEEDED /firewall disable · web-1 (101, production)',
        'Primary interface: the firewall is disabled.',
        'By <@1100000000000000001>.',
        '[Undo] undo:off',
        'run off',
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
        'By <@1100000000000000001>.',
        '[Undo] undo:off',
        'run off',
      ],
    },
    {
      title: 'says when it reminds',
      of: 'off',
      history: [sends(off), ends(off, 'succeeded', 1, { ...done(101), remind: '2026-11-20T08:00:00.000Z' })],
      card: [
        'SUCCEEDED /firewall disable · web-1 (101, production)',
        'Primary interface: the firewall is disabled.',
        'Reminds <@1100000000000000001> <t:1795161600:R>.',
        'By <@1100000000000000001>.',
        '[Undo] undo:off',
        'run off',
      ],
    },
    {
      title: 'that is stored can be applied',
      of: 'stored',
      history: [sends(stored), ends(stored, 'accepted', 1, { ...undo(101), detail: waits })],
      card: [
        'ACCEPTED /firewall disable · web-1 (101, production)',
        'Primary interface: stored, not applied. The running server is as it was.',
        'By <@1100000000000000001>.',
        '[Apply now] apply:stored',
        '[Undo] undo:stored',
        'run stored',
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
        'Look at the server in the panel, then ask again.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        'run flush',
      ],
    },
    {
      title: 'that was not sent can be asked again',
      of: 'flush',
      history: [ends(flush, 'not-sent', 1, { reason: 'bot-restarted' })],
      card: [
        'NOT-SENT /firewall flush · web-1 (101, production)',
        'The bot was restarted before it sent anything.',
        'Ask again.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        '[Ask again] again:flush',
        'run flush',
      ],
    },
    {
      title: 'that another run kept out can be asked again',
      of: 'flush',
      history: [
        ends(flush, 'blocked', 1, { reason: 'server-busy', detail: 'Run off.1 of <@1100000000000000002> has it.' }),
      ],
      card: [
        'BLOCKED /firewall flush · web-1 (101, production)',
        'Nothing was sent, because another change of this server is under way.',
        'Run off.1 of <@1100000000000000002> has it.',
        'Wait until that is done, then ask again.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        '[Ask again] again:flush',
        'run flush',
      ],
    },
    {
      title: 'that nothing may be recorded of is not done',
      of: 'flush',
      history: [ends(flush, 'unavailable', 1, { reason: 'ledger-unavailable' })],
      card: [
        'UNAVAILABLE /firewall flush · web-1 (101, production)',
        'The ledger cannot be written, so nothing may change. Nothing was sent.',
        "Free space on, or repair, the disk of the bot's DATA_DIR. Reads go on.",
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        'run flush',
      ],
    },
    {
      title: 'whose end is unknown asks people how it ended',
      of: 'flush',
      history: [sends(flush), ends(flush, 'unknown', 1, { reason: 'bot-stopped' })],
      card: [
        'UNKNOWN /firewall flush · web-1 (101, production)',
        'The bot stopped while the request was under way.',
        'It may have been done, or not.',
        'Look at the server in the panel before anything else. The bot will not send it again.',
        'To check: `/firewall show server:web-1 interface:primary`.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        '[It happened] happened:flush.1',
        '[It did not] not-happened:flush.1',
        'run flush',
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
        'UNKNOWN /firewall disable · web-1 (101, production): it happened',
        '**It happened**, says <@1100000000000000002>: `seen in the panel`. It was unknown: The bot stopped while the request was under way.',
        'By <@1100000000000000001>.',
        '[Undo] undo:off',
        'run off',
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
        'UNKNOWN /firewall flush · web-1 (101, production): it did not happen',
        '**It did not happen**, says <@1100000000000000002>: `the rules are there`. It was unknown: The bot stopped while the request was under way.',
        'Reason: `customer asked`',
        'By <@1100000000000000001>.',
        'run flush',
      ],
    },
  ],
  'A change of several servers': [
    {
      title: 'says what is done, and what is still to do',
      of: 'offboth',
      history: [sends(offBoth), ends(offBoth, 'succeeded', 1, done(101)), sends(offBoth, 2)],
      card: [
        'WORKING /firewall disable · 2 servers',
        '1 server: 1 succeeded.',
        '**SUCCEEDED** web-1 (101): Primary interface: the firewall is disabled.',
        '1 still to do.',
        'By <@1100000000000000001>.',
        'run offboth',
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
        '2 servers: 1 succeeded and 1 rejected.',
        '**SUCCEEDED** web-1 (101): Primary interface: the firewall is disabled.',
        '**REJECTED** web-2 (102): Other tasks are pending for this server (423).',
        'Wait until they are done, then ask again.',
        'By <@1100000000000000001>.',
        '[Undo] undo:offboth',
        'run offboth',
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
        '2 servers: 1 unknown and 1 not-sent.',
        '**UNKNOWN** web-1 (101): The bot stopped while the request was under way. It may have been done, or not.',
        '**NOT-SENT** web-2 (102): Nothing was sent, because an earlier server of this command ended unknown.',
        'Look at the server in the panel before anything else. The bot will not send it again.',
        'When you know about that one, ask again for the rest.',
        'To check: `/firewall show server:web-1 interface:primary`.',
        'By <@1100000000000000001>.',
        '[Ask again] again:offboth',
        '[It happened] happened:offboth.1',
        '[It did not] not-happened:offboth.1',
        'run offboth',
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
        '2 servers: 2 unknown.',
        '**UNKNOWN** web-1 (101): **It happened**, says <@1100000000000000001>: `seen`. It was unknown: The bot stopped while the request was under way.',
        '**UNKNOWN** web-2 (102): The bot stopped while the request was under way. It may have been done, or not.',
        'Look at the server in the panel before anything else. The bot will not send it again.',
        'To check: `/firewall show server:web-2 interface:primary`.',
        'By <@1100000000000000001>.',
        '[Undo] undo:offboth',
        '[It happened] happened:offboth.2',
        '[It did not] not-happened:offboth.2',
        'run offboth',
      ],
    },
  ],
  'A job that is followed': [
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
        'By <@1100000000000000001>.',
        '[It happened] happened:restore.1',
        '[It did not] not-happened:restore.1',
        'run restore',
      ],
    },
    {
      title: 'was not seen to end, and somebody knows',
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
      title: 'is followed no more',
      of: 'restore',
      history: [...running, jobEnds(restore, 'stopped', 1, { actor: bob })],
      card: [
        'ACCEPTED /backup restore · web-1 (101, production)',
        '`bob` stopped following Restore job 17. This card cannot know what becomes of it: look in the panel.',
        'There is no undo for this.',
        'By <@1100000000000000001>.',
        'run restore',
      ],
    },
  ],
  'Jobs of several servers': [
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
        'By <@1100000000000000001>.',
        '[It happened] happened:downall.3',
        '[It did not] not-happened:downall.3',
        'run downall',
      ],
    },
  ],
  'What became of a change since': [
    {
      title: 'undone',
      of: 'off',
      history: [sends(off), ends(off, 'succeeded', 1, done(101)), sends(on), ends(on, 'succeeded')],
      card: [
        'SUCCEEDED /firewall disable · web-1 (101, production)',
        'Primary interface: the firewall is disabled.',
        'Undone since, by <@1100000000000000002>: see the newer card.',
        'By <@1100000000000000001>.',
        'run off',
      ],
    },
    {
      title: 'undone on one of two servers',
      of: 'offboth',
      history: [1, 2]
        .flatMap((n) => [sends(offBoth, n), ends(offBoth, 'succeeded', n, done(100 + n))])
        .concat([sends(on), ends(on, 'succeeded')]),
      card: [
        'SUCCEEDED /firewall disable · 2 servers',
        '2 servers: 2 succeeded.',
        '**SUCCEEDED** web-1 (101): Primary interface: the firewall is disabled.',
        '**SUCCEEDED** web-2 (102): Primary interface: the firewall is disabled.',
        'Undone since for web-1 (101), by <@1100000000000000002>: see the newer card.',
        'By <@1100000000000000001>.',
        '[Undo] undo:offboth',
        'run offboth',
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
        'By <@1100000000000000001>.',
        '[Undo] undo:off',
        'run off',
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
        'Primary interface: stored, not applied. The running server is as it was.',
        'Applied since, by <@1100000000000000002>: see the newer card.',
        'By <@1100000000000000001>.',
        '[Undo] undo:stored',
        'run stored',
      ],
    },
    {
      title: 'set anew',
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
        'Set anew since, by <@1100000000000000002>: see the newer card.',
        'By <@1100000000000000001>.',
        'run half',
      ],
    },
  ],
};

for (const [name, list] of Object.entries(cases))
  describe(name, () => {
    for (const { title, of, history, looks, card } of list)
      test(title, () => expect(cardOf(of, history, looks)).toEqual(card));
  });

describe('A message beside the card', () => {
  const textOf = (card: Card | undefined): string[] => (card === undefined ? [] : story.textOf(card));
  const announced = (id: string, history: readonly Step[]): string[] => {
    const { parts, known } = drawing(history, {});
    const all = known(id);
    return textOf(all && announcement(all, parts));
  };
  const reminded = (history: readonly Step[]): string[] => {
    const { parts, known } = drawing(history, {});
    const all = known('off');
    return textOf(all && reminderCard(all, parts));
  };
  const due = [sends(off), ends(off, 'succeeded', 1, { ...done(101), remind: '2026-11-20T08:00:00.000Z' })];

  test('announces the end of what was followed, without buttons', () => {
    expect(announced('restore', [...running, jobEnds(restore, 'failed', 1, { said: 'no space left' })])).toEqual([
      'FAILED /backup restore · web-1 (101, production)',
      'Restore job 17 **failed**, seen after 1 min.',
      'The panel says: `no space left`',
      'run restore',
    ]);
  });

  test('announces nothing while something runs', () => {
    expect(announced('restore', running)).toEqual([]);
  });

  test('reminds of what is still open', () => {
    expect(reminded(due)).toEqual([
      'REMINDER /firewall disable · web-1 (101, production): not undone since <t:1795125660:t>',
      'You wanted to be reminded: web-1 (101), done <t:1795125660:R>, not undone since.',
      '[Undo] undo:off',
      'run off · reminder',
    ]);
  });

  test('reminds of nothing that was undone since', () => {
    expect(reminded([...due, sends(on), ends(on, 'succeeded')])).toEqual([
      'REMINDER /firewall disable · web-1 (101, production)',
      'Undone since, by <@1100000000000000002>: see the newer card.',
      'run off · reminder',
    ]);
  });
});

describe('No card', () => {
  test('is made of what was denied', () => {
    expect(
      cardOf('flush', [{ ...ends(flush, 'denied', 1, { reason: 'denied' }), kind: 'denied' } as NewRunEntry]),
    ).toEqual(['no card']);
  });

  test('is made of what nobody typed', () => {
    expect(cardOf('flush', [])).toEqual(['no card']);
  });
});
