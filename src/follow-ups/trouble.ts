import type { Log } from '../outcome.ts';
import { type Reason, reasons } from '../reasons.ts';
import type { Started } from '../runs/follow-up.ts';
import type { JobStatus } from './seen.ts';

/** Failures that concern a single job, because the panel answered. */
const aboutOneJob: readonly Reason[] = ['not-found', 'not-understood'];

const whyOf = (reason: Reason): string =>
  reason === 'not-found' ? 'The panel does not know the job (404).' : reasons[reason].why;

export type Told = ReturnType<typeof toldOnce>;

/** Says each trouble once until it is over, however often it shows. */
export function toldOnce(log: Pick<Log, 'warn'>, message: string) {
  const told = new Set<string>();
  let isEnded = false;
  return {
    warn(problem: string, facts = {}): void {
      if (isEnded) return;
      // What an error adds to its words, such as a command's arguments, differs each time.
      const cause = problem.split(' ').slice(0, 6).join(' ');
      if (told.has(cause)) return;
      told.add(cause);
      log.warn({ ...facts, problem }, message);
    },
    over: (): void => told.clear(),
    /** From now on nothing is said: a connection that is closed on purpose is no trouble. */
    end(): void {
      isEnded = true;
    },
  };
}

/** Logs once when looks start to fail and once when they recover. A line for each look would bury everything else. */
export function createTrouble(log: Log): (started: Started, look: JobStatus) => void {
  /** Failing jobs and kinds of jobs, with the reasons logged so far. */
  const failing = new Map<string, Set<Reason>>();

  function logFailure(what: string, facts: object, reason: Reason): void {
    const known = failing.get(what) ?? new Set();
    if (known.has(reason)) return;
    failing.set(what, known.add(reason));
    log.warn({ ...facts, reason }, `polling follow-ups fails: ${whyOf(reason)}`);
  }

  function logRecovery(what: string, facts: object): void {
    if (failing.delete(what)) log.info(facts, 'polling follow-ups works again');
  }

  return ({ follow, run }, look) => {
    const isOneJob = look.kind === 'failed' && aboutOneJob.includes(look.why);
    if (look.kind === 'failed' && !isOneJob) return logFailure(follow, { follow }, look.why);
    if (look.kind === 'seen' || isOneJob) logRecovery(follow, { follow });
    if (look.kind === 'seen') logRecovery(run, { run });
    if (look.kind === 'failed') logFailure(run, { run }, look.why);
  };
}
