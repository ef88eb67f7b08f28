import type { Log } from '../outcome.ts';
import { type Reason, reasons } from '../reasons.ts';
import type { Started } from '../runs/follow-up.ts';
import type { JobStatus } from './seen.ts';

/** Failures that concern a single job, because the panel answered. */
const aboutOneJob: readonly Reason[] = ['not-found', 'not-understood'];

const whyOf = (reason: Reason): string =>
  reason === 'not-found' ? 'The panel does not know the job (404).' : reasons[reason].why;

/** Logs once when looks start to fail and once when they recover. A line for each look would bury everything else. */
export function createTrouble(log: Log): (started: Started, look: JobStatus) => void {
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
