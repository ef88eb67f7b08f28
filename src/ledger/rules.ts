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
import { Refused, type Rule } from './ledger.ts';

/** Which rule refuses an entry, and the entry that it conflicts with. */
type Judged = readonly [rule: Rule, by?: Entry] | undefined;

const ofRun: { [K in RunEntry['kind']]: (entry: Kind<K>, state: RunState, heads: Heads) => Judged } = {
  requested: (_, { outcome, intent, asked, requested }) => second(outcome ?? intent ?? asked ?? requested),
  asked: ofAsked,
  confirmed: ofConfirmed,
  approved: ofApproved,
  called: ofCalled,
  intent: ofIntent,
  outcome: ofOutcome,
  denied: ofOutcome,
  'read-back': (_, state, heads) => ofReadBack(state, heads),
  'follow-up': ofFollowUp,
  resolved: (_, state) => second(state.resolved) ?? (isUnknown(state) ? undefined : ['out-of-order', state.outcome]),
  reviewed: ofReviewed,
  pinged: (_, state) => ofPinged(state),
  reminded: (_, state) =>
    awaitsReminder(state) ? undefined : (second(state.reminded) ?? ['out-of-order', state.outcome]),
};

/** Whatever else is of no run is always recorded. */
const ofEvent: { [K in EventEntry['kind']]?: (entry: Kind<K>, heads: Heads) => Judged } = {
  ...{ incident: ofIncident, alert: ofAlert, acknowledged: ofAcknowledged, alerted: ofAlerted },
  ...{ frozen: ofFreeze, thawed: ofFreeze, held: ofHold, released: ofHold },
};

/**
 * Why an entry may not be appended now; undefined when it may. Applied when an entry is staged, never when a ledger is
 * opened: old ledgers stay valid.
 */
export function refusalOf(entry: Entry, heads: Heads): Refused | undefined {
  const found = judged(entry, heads);
  return found && new Refused(found[0], entry, found[1]);
}

function judged(entry: Entry, heads: Heads): Judged {
  // Each row takes the entries of its kind.
  if (!isOfRun(entry))
    return (ofEvent[entry.kind] as ((entry: Entry, heads: Heads) => Judged) | undefined)?.(entry, heads);
  const judge = ofRun[entry.kind] as (entry: RunEntry, state: RunState, heads: Heads) => Judged;
  return judge(entry, heads.run(entry.run) ?? { run: entry.run }, heads);
}

/** Refuses a step that has already been taken. */
const second = (before: RunEntry | undefined): Judged => (before === undefined ? undefined : ['second', before]);

function ofConfirmed(entry: Kind<'confirmed'>, state: RunState): Judged {
  const { asked } = state;
  const refused = second(state.outcome ?? state.confirmed ?? state.intent);
  if (refused !== undefined) return refused;
  if (asked === undefined || asked.hash !== entry.question) return ['out-of-order', asked];
  return Date.parse(entry.time) < Date.parse(asked.expires) ? undefined : ['expired', asked];
}

/** A request is taken on by another person, as it was made, and in time. */
function ofAsked(entry: Kind<'asked'>, { requested, asked, intent, outcome }: RunState): Judged {
  const refused = second(outcome ?? intent ?? asked);
  if (refused !== undefined || requested === undefined) return refused;
  if (entry.actor.id === requested.actor.id) return ['second', requested];
  if (!isSameOrder(entry, requested)) return ['out-of-order', requested];
  return Date.parse(entry.time) < Date.parse(requested.expires) ? undefined : ['expired', requested];
}

const isSameOrder = (a: RunEntry, b: RunEntry): boolean =>
  JSON.stringify([a.command, a.server?.id, Object.entries(a.options).sort()]) ===
  JSON.stringify([b.command, b.server?.id, Object.entries(b.options).sort()]);

/** Once for a request, and once for an approval; and once where a freeze stopped it, after a person asked for that. */
function ofCalled(entry: Kind<'called'>, state: RunState): Judged {
  const { requested, confirmed, called, outcome } = state;
  if (entry.actor.id === botActor.id && asksForThaw(state)) return undefined;
  const about = outcome?.reason === 'frozen' ? outcome : (confirmed ?? requested);
  if (about === undefined) return ['out-of-order'];
  return called !== undefined && called.seq > about.seq ? ['second', called] : undefined;
}

/** Once about a request that somebody took on, and once about the outcome. */
function ofPinged(state: RunState): Judged {
  const about = state.outcome ?? (isTaken(state) ? state.asked : undefined);
  if (about === undefined) return ['out-of-order'];
  return state.pinged !== undefined && state.pinged.seq > about.seq ? ['second', state.pinged] : undefined;
}

/** Each by another person, none by the requester, and none while a freeze or a hold stops what it is for. */
function ofApproved(entry: Kind<'approved'>, state: RunState, heads: Heads): Judged {
  const { asked, confirmed, approved = [] } = state;
  const refused = second(state.outcome ?? state.intent);
  if (refused !== undefined) return refused;
  if (asked === undefined || confirmed === undefined || asked.hash !== entry.question) return ['out-of-order', asked];
  const people = [asked, confirmed, ...(state.requested === undefined ? [] : [state.requested]), ...approved];
  const theirs = people.find(({ actor }) => actor.id === entry.actor.id);
  if (theirs !== undefined || approvalsLeft(state) === 0) return ['second', theirs ?? approved.at(-1) ?? confirmed];
  const at = Date.parse(entry.time);
  // An end that cannot be read has come.
  if (!(at < expiryOf(state))) return ['expired', confirmed];
  const stop = stopOf(heads, { ...asked, despite: asked.despite ?? [] }, at);
  return stop === undefined ? undefined : ['stopped', stop];
}

/** Once, of what may have been done with break-glass, by somebody else, and when it is known how it ended. */
function ofReviewed(entry: Kind<'reviewed'>, state: RunState): Judged {
  const { asked, reviewed } = state;
  if (!awaitsReview(state) || !isSettled(state)) return second(reviewed) ?? ['out-of-order', asked];
  return asked?.actor.id === entry.actor.id ? ['second', asked] : undefined;
}

/** One change at a time per server, none decided before the last one ended, and none that a freeze or a hold stops. */
function ofIntent(entry: Kind<'intent'>, state: RunState, heads: Heads): Judged {
  const refused = second(state.outcome ?? state.intent);
  if (refused !== undefined) return refused;
  if (isOpenQuestion(state)) return ['out-of-order', state.confirmed ?? state.asked];
  const stop = stopOf(heads, entry, Date.parse(entry.time));
  if (stop !== undefined) return ['stopped', stop];
  if (entry.server === undefined) return undefined;
  const [other] = heads.intents(entry.server.id);
  if (other !== undefined) return ['server-busy', other];
  const touched = heads.touched(entry.server.id);
  return touched !== undefined && entry.seen !== undefined && touched.seq > entry.seen ? ['stale', touched] : undefined;
}

function ofOutcome(entry: Kind<'outcome' | 'denied'>, state: RunState): Judged {
  if (state.outcome !== undefined) return ['second', state.outcome];
  const closes = entry.outcome === 'cancelled' || entry.outcome === 'expired';
  // Only who recorded the intent knows that nothing was sent. Anybody else did not know that it had started.
  const isNever = entry.reason !== undefined && isNeverBegun(entry.reason);
  const isOwn = entry.kind === 'outcome' && entry.ends !== undefined && entry.ends === state.intent?.seq;
  if (state.intent !== undefined && isNever && !isOwn) return ['second', state.intent];
  // Nobody is at work on a question before it is confirmed.
  if (isNever && !closes && state.asked !== undefined && state.confirmed === undefined && isOpenQuestion(state))
    return ['out-of-order', state.asked];
  return closes && !isOpenQuestion(state)
    ? second(state.intent ?? state.approved?.at(-1) ?? state.confirmed)
    : undefined;
}

/** Once, after the panel took it, and before anything else is changed there. */
function ofReadBack(state: RunState, heads: Heads): Judged {
  const { outcome, readBack } = state;
  if (outcome?.server === undefined || !mayBeDone(state)) return ['out-of-order', outcome];
  const { id } = outcome.server;
  const touched = heads.touched(id);
  const later = touched !== undefined && touched.seq > outcome.seq ? touched : heads.intents(id)[0];
  return second(readBack) ?? (later === undefined ? undefined : ['stale', later]);
}

function ofStarted(entry: Kind<'follow-up'>, { outcome, resolved, followUp }: RunState): Judged {
  if (followUp !== undefined) return ['second', followUp.started];
  const isTaken = outcome?.outcome === 'accepted' || (outcome?.outcome === 'unknown' && resolved?.happened === true);
  return isTaken && entry.place.message !== undefined ? undefined : ['out-of-order', outcome];
}

function ofFollowUp(entry: Kind<'follow-up'>, state: RunState): Judged {
  if (entry.step === 'started') return ofStarted(entry, state);
  const { outcome, followUp } = state;
  const early: Judged = ['out-of-order', followUp?.started ?? outcome];
  if (followUp === undefined) return early;
  const { ended, announced, reminded } = followUp;
  const late: Judged = ended && ['out-of-order', ended];
  switch (entry.step) {
    case 'moved':
      return entry.place.message === undefined ? early : undefined;
    case 'handed-over':
      return late;
    case 'reminded':
      return late ?? (entry.n > reminded ? undefined : ['second', followUp.started]);
    case 'ended':
      // If the watching ended before the job did, a person may still report how the job ended.
      return mayStillRun(state) && isSeen(entry.end) ? undefined : second(ended);
    case 'announced':
      return ended === undefined ? early : second(announced);
  }
}

const isSeen = (end: End): boolean => end === 'finished' || end === 'failed';

/** An incident is opened once and ended once, and takes each message once; nothing comes before or after. */
function ofIncident(entry: Kind<'incident'>, heads: Heads): Judged {
  const incident = heads.incident(entry.incident);
  if (entry.step === 'opened') return incident === undefined ? undefined : ['second', incident.opened];
  if (incident === undefined) return ['out-of-order'];
  const existing = incident.notes.find(({ note }) => note?.message === entry.note?.message);
  if (entry.step === 'noted' && existing !== undefined) return ['second', existing];
  return incident.ended === undefined ? undefined : ['second', incident.ended];
}

/** Every finding must exist, and none may be acknowledged yet. */
function ofAcknowledged(entry: Kind<'acknowledged'>, heads: Heads): Judged {
  for (const seq of entry.findings) {
    const state = heads.finding(seq);
    if (state === undefined) return ['out-of-order'];
    if (state.acknowledged !== undefined) return ['second', state.acknowledged];
  }
  return undefined;
}

function ofAlerted(entry: Kind<'alerted'>, heads: Heads): Judged {
  const before = heads.alerted();
  return before !== undefined && toldUpTo(before) >= entry.upTo ? ['second', before] : undefined;
}

/** Of a card that is there: nothing is said twice, and what is acknowledged fires and waits for that. */
function ofAlert(entry: Kind<'alert'>, { alerts }: Heads): Judged {
  if (entry.step === 'received') return undefined;
  const card = alerts.card(entry.card);
  if (card === undefined) return ['out-of-order'];
  const { told, silent, acknowledged } = card;
  const isNew = {
    shown: () => entry.step === 'shown' && entry.upTo >= told.upTo,
    silent: () => silent === undefined,
    acknowledged: () => waiting(card).some(({ seq }) => entry.step === 'acknowledged' && seq <= entry.upTo),
  }[entry.step]();
  return isNew ? undefined : ['second', acknowledged.at(-1)];
}

/** It ends in the future, and no sooner than the one in force: only a thaw shortens that. */
function ofFreeze(entry: Kind<'frozen' | 'thawed'>, heads: Heads): Judged {
  const at = Date.parse(entry.time);
  const before = heads.freezes(at).find((each) => isSameScope(each, entry));
  if (entry.kind === 'thawed')
    return before !== undefined && before.seq === entry.ends ? undefined : ['out-of-order', before];
  if (!(Date.parse(entry.until) > at)) return ['expired'];
  const isShorter = before !== undefined && !(Date.parse(entry.until) >= Date.parse(before.until));
  return isShorter ? ['second', before] : undefined;
}

/** A server has one holder, who is known to whoever takes it over or releases it. */
function ofHold(entry: Kind<'held' | 'released'>, heads: Heads): Judged {
  const at = Date.parse(entry.time);
  const before = heads.hold(entry.server.id, at);
  if (entry.kind === 'released')
    return before !== undefined && before.seq === entry.ends ? undefined : ['out-of-order', before];
  if (!(Date.parse(entry.until) > at)) return ['expired'];
  const isTheirs = before !== undefined && before.actor.id !== entry.actor.id && before.seq !== entry.over;
  return isTheirs ? ['second', before] : undefined;
}
