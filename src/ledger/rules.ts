import type { End } from '../outcome.ts';
import { isNeverBegun } from '../reasons.ts';
import type { Heads } from '../runs/book.ts';
import { type Entry, isOfRun, type Kind, type RunEntry } from '../runs/entry.ts';
import { toldUpTo } from '../runs/findings.ts';
import { isUnknown, mayStillRun, type RunState } from '../runs/state.ts';
import { Refused } from './ledger.ts';

/**
 * Why an entry may not be appended now, naming the entry it conflicts with; undefined when it may. Applied when an
 * entry is staged, never when a ledger is opened: old ledgers stay valid.
 */
export function refusalOf(entry: Entry, heads: Heads): Refused | undefined {
  if (entry.kind === 'incident') return ofIncident(entry, heads);
  if (entry.kind === 'acknowledged') return ofAcknowledged(entry, heads);
  if (entry.kind === 'alerted') return ofAlerted(entry, heads);
  if (!isOfRun(entry)) return undefined;
  const state: RunState = heads.run(entry.run) ?? { run: entry.run };
  switch (entry.kind) {
    case 'asked':
      return second(entry, state.outcome ?? state.intent ?? state.asked);
    case 'confirmed':
      return ofConfirmed(entry, state);
    case 'intent':
      return ofIntent(entry, state, heads);
    case 'outcome':
    case 'denied':
      return ofOutcome(entry, state);
    case 'follow-up':
      return ofFollowUp(entry, state);
    case 'resolved':
      if (state.resolved !== undefined) return new Refused('second', entry, state.resolved);
      return isUnknown(state) ? undefined : new Refused('out-of-order', entry, state.outcome);
    case 'pinged':
      return (
        second(entry, state.pinged) ?? (state.outcome === undefined ? new Refused('out-of-order', entry) : undefined)
      );
    case 'reminded':
      if (state.reminded !== undefined) return new Refused('second', entry, state.reminded);
      return state.remind === undefined ? new Refused('out-of-order', entry, state.outcome) : undefined;
  }
}

/** Refuses a step that has already been taken. */
const second = (entry: Entry, before: RunEntry | undefined): Refused | undefined =>
  before === undefined ? undefined : new Refused('second', entry, before);

function ofConfirmed(entry: Kind<'confirmed'>, state: RunState): Refused | undefined {
  const { asked } = state;
  const refused = second(entry, state.outcome ?? state.confirmed ?? state.intent);
  if (refused !== undefined) return refused;
  if (asked === undefined || asked.hash !== entry.question) return new Refused('out-of-order', entry, asked);
  return Date.parse(entry.time) < Date.parse(asked.expires) ? undefined : new Refused('expired', entry, asked);
}

/** One change at a time per server, and none decided before the last one ended. */
function ofIntent(entry: Kind<'intent'>, state: RunState, heads: Heads): Refused | undefined {
  const refused = second(entry, state.outcome ?? state.intent);
  if (refused !== undefined) return refused;
  if (state.asked !== undefined && state.confirmed === undefined)
    return new Refused('out-of-order', entry, state.asked);
  if (entry.server === undefined) return undefined;
  const [other] = heads.intents(entry.server.id);
  if (other !== undefined) return new Refused('server-busy', entry, other);
  const touched = heads.touched(entry.server.id);
  return touched !== undefined && entry.seen !== undefined && touched.seq > entry.seen
    ? new Refused('stale', entry, touched)
    : undefined;
}

function ofOutcome(entry: Kind<'outcome' | 'denied'>, state: RunState): Refused | undefined {
  if (state.outcome !== undefined) return new Refused('second', entry, state.outcome);
  // Written by a process that did not know that another had already started.
  const isNever = entry.reason !== undefined && isNeverBegun(entry.reason);
  if (state.intent !== undefined && isNever) return new Refused('second', entry, state.intent);
  const closes = entry.outcome === 'cancelled' || entry.outcome === 'expired';
  return closes ? second(entry, state.confirmed ?? state.intent) : undefined;
}

function ofStarted(entry: Kind<'follow-up'>, { outcome, resolved, followUp }: RunState): Refused | undefined {
  if (followUp !== undefined) return new Refused('second', entry, followUp.started);
  const isTaken = outcome?.outcome === 'accepted' || (outcome?.outcome === 'unknown' && resolved?.happened === true);
  return isTaken && entry.place.message !== undefined ? undefined : new Refused('out-of-order', entry, outcome);
}

function ofFollowUp(entry: Kind<'follow-up'>, state: RunState): Refused | undefined {
  if (entry.step === 'started') return ofStarted(entry, state);
  const { outcome, followUp } = state;
  const early = new Refused('out-of-order', entry, followUp?.started ?? outcome);
  if (followUp === undefined) return early;
  const { ended, announced, reminded } = followUp;
  const late = ended && new Refused('out-of-order', entry, ended);
  switch (entry.step) {
    case 'moved':
      return entry.place.message === undefined ? early : undefined;
    case 'handed-over':
      return late;
    case 'reminded':
      return late ?? (entry.n > reminded ? undefined : new Refused('second', entry, followUp.started));
    case 'ended':
      // If the watching ended before the job did, a person may still report how the job ended.
      return mayStillRun(state) && isSeen(entry.end) ? undefined : second(entry, ended);
    case 'announced':
      return ended === undefined ? early : second(entry, announced);
  }
}

const isSeen = (end: End): boolean => end === 'finished' || end === 'failed';

/** An incident is opened once and ended once, and takes each message once; nothing comes before or after. */
function ofIncident(entry: Kind<'incident'>, heads: Heads): Refused | undefined {
  const incident = heads.incident(entry.incident);
  if (entry.step === 'opened')
    return incident === undefined ? undefined : new Refused('second', entry, incident.opened);
  if (incident === undefined) return new Refused('out-of-order', entry);
  const existing = incident.notes.find(({ note }) => note?.message === entry.note?.message);
  if (entry.step === 'noted' && existing !== undefined) return new Refused('second', entry, existing);
  return incident.ended === undefined ? undefined : new Refused('second', entry, incident.ended);
}

/** Every finding must exist, and none may be acknowledged yet. */
function ofAcknowledged(entry: Kind<'acknowledged'>, heads: Heads): Refused | undefined {
  for (const seq of entry.findings) {
    const state = heads.finding(seq);
    if (state === undefined) return new Refused('out-of-order', entry);
    if (state.acknowledged !== undefined) return new Refused('second', entry, state.acknowledged);
  }
  return undefined;
}

function ofAlerted(entry: Kind<'alerted'>, heads: Heads): Refused | undefined {
  const before = heads.alerted();
  return before !== undefined && toldUpTo(before) >= entry.upTo ? new Refused('second', entry, before) : undefined;
}
