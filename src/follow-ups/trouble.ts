import type { Log } from '../outcome.ts';
import { type Reason, reasons } from '../reasons.ts';
import type { Started } from '../runs/follow-up.ts';
import type { Look } from './seen.ts';

/** Why a look failed that the panel did answer: that is about its one job. */
const aboutOneJob: readonly Reason[] = ['not-found', 'not-understood'];

const whyOf = (reason: Reason): string =>
  reason === 'not-found' ? 'The panel does not know the job (404).' : reasons[reason].why;

/** Says in the log once that looks fail, and once that they work again. A line for each look would bury everything else. */
export function createTrouble(log: Log): (started: Started, look: Look) => void {
  /** What is known to fail, and with which reasons so far. */
  const failing = new Map<string, Set<Reason>>();

  function fails(what: string, facts: object, reason: Reason): void {
    const known = failing.get(what) ?? new Set();
    if (known.has(reason)) return;
    failing.set(what, known.add(reason));
    log.warn({ ...facts, reason }, `looks at what is followed fail: ${whyOf(reason)}`);
  }

  function works(what: string, facts: object): void {
    if (failing.delete(what)) log.info(facts, 'looks at what is followed work again');
  }

  return ({ follow, run }, look) => {
    const isOneJob = look.kind === 'failed' && aboutOneJob.includes(look.why);
    if (look.kind === 'failed' && !isOneJob) return fails(follow, { follow }, look.why);
    if (look.kind === 'seen' || isOneJob) works(follow, { follow });
    if (look.kind === 'seen') works(run, { run });
    if (look.kind === 'failed') fails(run, { run }, look.why);
  };
}
