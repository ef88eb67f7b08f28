import pLimit from 'p-limit';
import type { Log } from '../outcome.ts';
import type { Panel } from '../panel/client.ts';
import { type Started, startedAt } from '../runs/follow-up.ts';
import type { Look } from './seen.ts';
import { readQueueItem, readStatus, type StatusSource, statusPath } from './status.ts';
import { createTrouble } from './trouble.ts';

export interface Source {
  /** When the next look may go out, in ms: each call is another look's turn. At once where there is nothing to ask. */
  turn(follow: Started['follow']): Promise<number>;
  /** Whether the panel offers no way to look at such jobs, as far as is known. */
  unreadable(follow: Started['follow']): boolean;
  /** One look at a job, sent once. */
  look(started: Started): Promise<Look>;
  /** What a person should know of it, in a sentence each. */
  troubles(): readonly string[];
}

/** How many looks are under way at a time: after an outage hundreds are due. */
const together = 50;

/** For how long the first answer of the panel is waited for, in ms: a little longer than an answer may take. */
const firstAnswer = 20_000;

/** Where the panel tells how a job goes. Without `restoreStatus`, or after a 404 of the queue, there is no read. */
export function createSource(
  panel: Pick<Panel, 'look' | 'slot'>,
  restoreStatus: StatusSource | undefined,
  log: Log,
  now: () => number = Date.now,
): Source {
  let queueMissing = false;
  let queueThere = false;
  const born = now();
  const turns = createTurns(panel);
  const atOnce = pLimit(together);
  const tell = createTrouble(log);
  const unreadable: Source['unreadable'] = (follow) =>
    follow === 'restore' ? restoreStatus === undefined : queueMissing;

  async function ask(
    parts: readonly (string | number)[],
    read: (answer: unknown) => ReturnType<typeof readStatus>,
  ): Promise<Look | 'not-found'> {
    const answer = await panel.look(parts, { kind: 'follow-up' });
    if (answer.kind === 'not-sent' && answer.again !== undefined) return { kind: 'later', at: answer.again };
    if (answer.kind === 'no' && answer.reason === 'not-found') return 'not-found';
    if (answer.kind !== 'yes') return { kind: 'failed', why: answer.reason };
    const status = read(answer.data);
    return status === undefined ? { kind: 'failed', why: 'not-understood' } : { kind: 'seen', ...status };
  }

  async function lookAtRestore({ server, job }: Started): Promise<Look> {
    if (restoreStatus === undefined || job === undefined) return { kind: 'no-read' };
    const look = await ask(statusPath(restoreStatus, { serverId: server.id, jobId: job }), (answer) =>
      readStatus(restoreStatus, answer),
    );
    return look === 'not-found' ? { kind: 'failed', why: look } : look;
  }

  async function lookAtQueue(started: Started): Promise<Look> {
    if (queueMissing || started.job === undefined) return { kind: 'no-read' };
    const look = await ask(['queue', started.job], readQueueItem);
    if (look !== 'not-found') {
      if (look.kind === 'seen') queueThere = true;
      return look;
    }
    // An item of long ago may be gone by now; a read that worked is there.
    if (queueThere || startedAt(started) < born) return { kind: 'failed', why: look };
    queueMissing = true;
    log.warn({}, 'the panel has no read of its queue (404): power actions are not followed until the next start');
    return { kind: 'no-read' };
  }

  async function lookAt(started: Started): Promise<Look> {
    const look = await (started.follow === 'restore' ? lookAtRestore(started) : lookAtQueue(started));
    tell(started, look);
    return look;
  }

  return {
    turn: (follow) => (unreadable(follow) ? Promise.resolve(0) : turns.next()),
    unreadable,
    look: (started) => atOnce(() => lookAt(started)).finally(turns.begin),
    troubles: () =>
      queueMissing ? ['The panel has no read of its queue (404), so power actions are not followed.'] : [],
  };
}

/**
 * The panel's first answer tells its limit, and with it the pace. Before that a turn is a second, and hundreds that were given together
 * would be minutes away: so until then only one is asked for.
 */
function createTurns({ slot }: Pick<Panel, 'slot'>) {
  let first: Promise<void> | undefined;
  let begin = (): void => undefined;
  return {
    async next(): Promise<number> {
      if (first !== undefined) {
        await first;
        return slot();
      }
      first = new Promise((resolve) => {
        begin = resolve;
        // Whoever has the first turn may not use it.
        setTimeout(resolve, firstAnswer).unref();
      });
      return slot();
    },
    begin: () => begin(),
  };
}
