import { botActor, type End } from '../outcome.ts';
import { isNeverBegun } from '../reasons.ts';
import { waiting } from '../runs/alerts.ts';
import type { Heads } from '../runs/book.ts';
import { type Entry, type EventEntry, isOfRun, type Kind, type RunEntry } from '../runs/entry.ts';
import { toldUpTo } from '../runs/findings.ts';
import { isSameScope, stopOf } from '../runs/freezes.ts';
import {
  approvalsLeft,
  asksForThaw,
  awaitsReminder,
  awaitsReview,
  expiryOf,
  isOpenQuestion,
  isSettled,
  isTaken,
  isUnknown,
  mayBeDone,
  mayStillRun,
  type RunState,
} from '../runs/state.ts';
import { Refused } from './ledger.ts';

/**
 * Why an entry may not be appended now, naming the entry it conflicts with; undefined when it may. Applied when an
 * entry is staged, never when a ledger is opened: old ledgers stay valid.
 */
export function refusalOf(entry: Entry, heads: Heads): Refused | undefined {
  if (!isOfRun(entry)) return ofEvent(entry, heads);
  const state: RunState = heads.run(entry.run) ?? { run: entry.run };
  switch (entry.kind) {
    case 'requested':
      return second(entry, state.outcome ?? state.intent ?? state.asked ?? state.requested);
    case 'asked':
      return ofAsked(entry, state);
    case 'confirmed':
      return ofConfirmed(entry, state);
    case 'approved':
      return ofApproved(entry, state, heads);
    case 'called':
      return ofCalled(entry, state);
    case 'intent':
      return ofIntent(entry, state, heads);
    case 'outcome':
    case 'denied':
      return ofOutcome(entry, state);
    case 'read-back':
      return ofReadBack(entry, state, heads);
    case 'follow-up':
      return ofFollowUp(entry, state);
    case 'resolved':
      if (state.resolved !== undefined) return new Refused('second', entry, state.resolved);
      return isUnknown(state) ? undefined : new Refused('out-of-order', entry, state.outcome);
    case 'reviewed':
      return ofReviewed(entry, state);
    case 'pinged':
      return ofPinged(entry, state);
    case 'reminded':
      if (awaitsReminder(state)) return undefined;
      return second(entry, state.reminded) ?? new Refused('out-of-order', entry, state.outcome);
  }
}

function ofEvent(entry: EventEntry, heads: Heads): Refused | undefined {
  switch (entry.kind) {
    case 'incident':
      return ofIncident(entry, heads);
    case 'alert':
      return ofAlert(entry, heads);
    case 'acknowledged':
      return ofAcknowledged(entry, heads);
    case 'alerted':
      return ofAlerted(entry, heads);
    case 'frozen':
    case 'thawed':
      return ofFreeze(entry, heads);
    case 'held':
    case 'released':
      return ofHold(entry, heads);
    default:
      return undefined;
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

/** A request is taken on by another person, as it was made, and in time. */
function ofAsked(entry: Kind<'asked'>, { requested, asked, intent, outcome }: RunState): Refused | undefined {
  const refused = second(entry, outcome ?? intent ?? asked);
  if (refused !== undefined || requested === undefined) return refused;
  if (entry.actor.id === requested.actor.id) return new Refused('second', entry, requested);
  if (!isSameOrder(entry, requested)) return new Refused('out-of-order', entry, requested);
  return Date.parse(entry.time) < Date.parse(requested.expires) ? undefined : new Refused('expired', entry, requested);
}

const isSameOrder = (a: RunEntry, b: RunEntry): boolean =>
  JSON.stringify([a.command, a.server?.id, Object.entries(a.options).sort()]) ===
  JSON.stringify([b.command, b.server?.id, Object.entries(b.options).sort()]);

/** Once for a request, and once for an approval; and once where a freeze stopped it, after a person asked for that. */
function ofCalled(entry: Kind<'called'>, state: RunState): Refused | undefined {
  const { requested, confirmed, called, outcome } = state;
  if (entry.actor.id === botActor.id && asksForThaw(state)) return undefined;
  const about = outcome?.reason === 'frozen' ? outcome : (confirmed ?? requested);
  if (about === undefined) return new Refused('out-of-order', entry);
  return called !== undefined && called.seq > about.seq ? new Refused('second', entry, called) : undefined;
}

/** Once about a request that somebody took on, and once about the outcome. */
function ofPinged(entry: Kind<'pinged'>, state: RunState): Refused | undefined {
  const about = state.outcome ?? (isTaken(state) ? state.asked : undefined);
  if (about === undefined) return new Refused('out-of-order', entry);
  return state.pinged !== undefined && state.pinged.seq > about.seq
    ? new Refused('second', entry, state.pinged)
    : undefined;
}

/** Each by another person, none by the requester, and none while a freeze or a hold stops what it is for. */
function ofApproved(entry: Kind<'approved'>, state: RunState, heads: Heads): Refused | undefined {
  const { asked, confirmed, approved = [] } = state;
  const refused = second(entry, state.outcome ?? state.intent);
  if (refused !== undefined) return refused;
  if (asked === undefined || confirmed === undefined || asked.hash !== entry.question)
    return new Refused('out-of-order', entry, asked);
  const people = [asked, confirmed, ...(state.requested === undefined ? [] : [state.requested]), ...approved];
  const theirs = people.find(({ actor }) => actor.id === entry.actor.id);
  if (theirs !== undefined || approvalsLeft(state) === 0)
    return new Refused('second', entry, theirs ?? approved.at(-1) ?? confirmed);
  const at = Date.parse(entry.time);
  // An end that cannot be read has come.
  if (!(at < expiryOf(state))) return new Refused('expired', entry, confirmed);
  const stop = stopOf(heads, { ...asked, despite: asked.despite ?? [] }, at);
  return stop === undefined ? undefined : new Refused('stopped', entry, stop);
}

/** Once, of what may have been done with break-glass, by somebody else, and when it is known how it ended. */
function ofReviewed(entry: Kind<'reviewed'>, state: RunState): Refused | undefined {
  const { asked, reviewed } = state;
  if (!awaitsReview(state) || !isSettled(state))
    return second(entry, reviewed) ?? new Refused('out-of-order', entry, asked);
  return asked?.actor.id === entry.actor.id ? new Refused('second', entry, asked) : undefined;
}

/** One change at a time per server, none decided before the last one ended, and none that a freeze or a hold stops. */
function ofIntent(entry: Kind<'intent'>, state: RunState, heads: Heads): Refused | undefined {
  const refused = second(entry, state.outcome ?? state.intent);
  if (refused !== undefined) return refused;
  if (isOpenQuestion(state)) return new Refused('out-of-order', entry, state.confirmed ?? state.asked);
  const stop = stopOf(heads, entry, Date.parse(entry.time));
  if (stop !== undefined) return new Refused('stopped', entry, stop);
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
  const closes = entry.outcome === 'cancelled' || entry.outcome === 'expired';
  // Only who recorded the intent knows that nothing was sent. Anybody else did not know that it had started.
  const isNever = entry.reason !== undefined && isNeverBegun(entry.reason);
  const isOwn = entry.kind === 'outcome' && entry.ends !== undefined && entry.ends === state.intent?.seq;
  if (state.intent !== undefined && isNever && !isOwn) return new Refused('second', entry, state.intent);
  // Nobody is at work on a question before it is confirmed.
  if (isNever && !closes && state.asked !== undefined && state.confirmed === undefined && isOpenQuestion(state))
    return new Refused('out-of-order', entry, state.asked);
  return closes && !isOpenQuestion(state)
    ? second(entry, state.intent ?? state.approved?.at(-1) ?? state.confirmed)
    : undefined;
}

/** Once, after the panel took it, and before anything else is changed there. */
function ofReadBack(entry: Kind<'read-back'>, state: RunState, heads: Heads): Refused | undefined {
  const { outcome, readBack } = state;
  if (outcome?.server === undefined || !mayBeDone(state)) return new Refused('out-of-order', entry, outcome);
  const { id } = outcome.server;
  const touched = heads.touched(id);
  const later = touched !== undefined && touched.seq > outcome.seq ? touched : heads.intents(id)[0];
  return second(entry, readBack) ?? (later === undefined ? undefined : new Refused('stale', entry, later));
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

/** Of a card that is there: nothing is said twice, and what is acknowledged fires and waits for that. */
function ofAlert(entry: Kind<'alert'>, { alerts }: Heads): Refused | undefined {
  if (entry.step === 'received') return undefined;
  const card = alerts.card(entry.card);
  if (card === undefined) return new Refused('out-of-order', entry);
  const { told, silent, acknowledged } = card;
  const isNew = {
    shown: () => entry.step === 'shown' && entry.upTo >= told.upTo,
    silent: () => silent === undefined,
    acknowledged: () => waiting(card).some(({ seq }) => entry.step === 'acknowledged' && seq <= entry.upTo),
  }[entry.step]();
  return isNew ? undefined : new Refused('second', entry, acknowledged.at(-1));
}

/** It ends in the future, and no sooner than the one in force: only a thaw shortens that. */
function ofFreeze(entry: Kind<'frozen' | 'thawed'>, heads: Heads): Refused | undefined {
  const at = Date.parse(entry.time);
  const before = heads.freezes(at).find((each) => isSameScope(each, entry));
  if (entry.kind === 'thawed')
    return before !== undefined && before.seq === entry.ends ? undefined : new Refused('out-of-order', entry, before);
  if (!(Date.parse(entry.until) > at)) return new Refused('expired', entry);
  const isShorter = before !== undefined && !(Date.parse(entry.until) >= Date.parse(before.until));
  return isShorter ? new Refused('second', entry, before) : undefined;
}

/** A server has one holder, who is known to whoever takes it over or releases it. */
function ofHold(entry: Kind<'held' | 'released'>, heads: Heads): Refused | undefined {
  const at = Date.parse(entry.time);
  const before = heads.hold(entry.server.id, at);
  if (entry.kind === 'released')
    return before !== undefined && before.seq === entry.ends ? undefined : new Refused('out-of-order', entry, before);
  if (!(Date.parse(entry.until) > at)) return new Refused('expired', entry);
  const isTheirs = before !== undefined && before.actor.id !== entry.actor.id && before.seq !== entry.over;
  return isTheirs ? new Refused('second', entry, before) : undefined;
}
