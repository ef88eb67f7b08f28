import pLimit from 'p-limit';
import type { Backups } from '../command.ts';
import type { Log, Server } from '../outcome.ts';
import type { Caller } from '../panel/budget.ts';
import type { Panel } from '../panel/client.ts';
import { type Reason, reasons } from '../reasons.ts';
import { type Started, startedAt } from '../runs/follow-up.ts';
import type { JobStatus } from './seen.ts';
import { type BackupList, filledPath, readBackups, readQueueItem, readStatus, type StatusSource } from './status.ts';

export type Source = ReturnType<typeof createSource>;

/** Simultaneous looks: after an outage hundreds are due. */
const maxConcurrent = 50;

/** How long to wait for the panel's first answer, in ms: a little longer than the request timeout. */
const firstAnswerTimeout = 20_000;

/** Reads jobs from the panel; restores need `restoreStatus`, power actions a queue that does not answer 404. */
export function createSource(
  panel: Pick<Panel, 'look' | 'slot'>,
  restoreStatus: () => StatusSource | undefined,
  log: Log,
  now: () => number = Date.now,
) {
  let queueMissing = false;
  let queueFound = false;
  const createdAt = now();
  const turns = createTurns(panel);
  const atOnce = pLimit(maxConcurrent);
  const logTrouble = createTrouble(log);
  const unreadable = (follow: Started['follow']): boolean =>
    follow === 'restore' ? restoreStatus() === undefined : queueMissing;

  async function ask(
    caller: Caller,
    parts: readonly (string | number)[],
    read: (answer: unknown) => ReturnType<typeof readStatus>,
  ): Promise<JobStatus | 'not-found'> {
    const answer = await panel.look(parts, caller);
    if (answer.kind === 'not-sent' && answer.again !== undefined) return { kind: 'later', at: answer.again };
    if (answer.kind === 'no' && answer.reason === 'not-found') return 'not-found';
    if (answer.kind !== 'yes') return { kind: 'failed', why: answer.reason };
    const status = read(answer.data);
    return status === undefined ? { kind: 'failed', why: 'not-understood' } : { kind: 'seen', ...status };
  }

  async function lookAtRestore({ server, job }: Started, caller: Caller): Promise<JobStatus> {
    const status = restoreStatus();
    if (status === undefined || job === undefined) return { kind: 'no-read' };
    const look = await ask(caller, filledPath(status, { serverId: server.id, jobId: job }), (answer) =>
      readStatus(status, answer),
    );
    return look === 'not-found' ? { kind: 'failed', why: look } : look;
  }

  async function lookAtQueue(started: Started, caller: Caller): Promise<JobStatus> {
    if (queueMissing || started.job === undefined) return { kind: 'no-read' };
    const look = await ask(caller, ['queue', started.job], readQueueItem);
    if (look !== 'not-found') {
      if (look.kind === 'seen') queueFound = true;
      return look;
    }
    // An old item may be gone by now, and a person may have mistyped it. If a read has worked before, the endpoint exists.
    if (queueFound || started.given === true || startedAt(started) < createdAt) return { kind: 'failed', why: look };
    queueMissing = true;
    log.warn({}, 'the panel has no read of its queue (404): power actions are not followed until the next start');
    return { kind: 'no-read' };
  }

  async function lookAt(started: Started, caller: Caller): Promise<JobStatus> {
    const look = await (started.follow === 'restore' ? lookAtRestore(started, caller) : lookAtQueue(started, caller));
    logTrouble(started, look);
    return look;
  }

  return {
    /** Reserves a slot for one look and returns its time, in ms. 0 if such jobs cannot be read. */
    turn: (follow: Started['follow']): Promise<number> => (unreadable(follow) ? Promise.resolve(0) : turns.next()),
    /** Whether the panel is known to offer no way to read such jobs. */
    unreadable,
    /** One look at a job, sent once. */
    look: (started: Started, caller: Caller = { kind: 'follow-up' }): Promise<JobStatus> =>
      atOnce(() => lookAt(started, caller)).finally(turns.begin),
    /** Problems that people should know about, one sentence each. */
    troubles: (): readonly string[] =>
      queueMissing ? ['The panel has no read of its queue (404), so power actions are not followed.'] : [],
  };
}

/** Reads when a server's backups were made. */
export const createBackups =
  ({ look }: Pick<Panel, 'look'>, backupList: () => BackupList | undefined) =>
  async ({ id }: Server, caller: Caller): Promise<Backups> => {
    const source = backupList();
    if (source === undefined) return undefined;
    const answer = await look(filledPath(source, { serverId: id }), caller);
    return (answer.kind === 'yes' ? readBackups(source, answer.data) : undefined) ?? 'unread';
  };

/**
 * The panel's first answer carries its rate limit. Before that, slots are a second apart, and hundreds of them would
 * reach minutes ahead. So until then this reserves only one.
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
        // The first slot may stay unused.
        setTimeout(resolve, firstAnswerTimeout).unref();
      });
      return slot();
    },
    begin: () => begin(),
  };
}

/** Failures that concern a single job, because the panel answered. */
const aboutOneJob: readonly Reason[] = ['not-found', 'not-understood'];

const whyOf = (reason: Reason): string =>
  reason === 'not-found' ? 'The panel does not know the job (404).' : reasons[reason].why;

/** Logs once when looks start to fail and once when they recover. A line for each look would bury everything else. */
function createTrouble(log: Log): (started: Started, look: JobStatus) => void {
  /** Failing jobs and kinds of jobs, with the reasons logged so far. */
  const failing = new Map<string, Set<Reason>>();

  /** Without a reason, it works. */
  function note(about: { follow: string } | { run: string }, reason?: Reason): void {
    const [what = ''] = Object.values(about);
    const known = failing.get(what) ?? new Set();
    if (reason === undefined && failing.delete(what)) log.info(about, 'polling follow-ups works again');
    if (reason === undefined || known.has(reason)) return;
    failing.set(what, known.add(reason));
    log.warn({ ...about, reason }, `polling follow-ups fails: ${whyOf(reason)}`);
  }

  return ({ follow, run }, look) => {
    if (look.kind !== 'seen' && look.kind !== 'failed') return;
    const reason = look.kind === 'failed' ? look.why : undefined;
    const isOneJob = reason === undefined || aboutOneJob.includes(reason);
    note({ follow }, isOneJob ? undefined : reason);
    if (isOneJob) note({ run }, reason);
  };
}
