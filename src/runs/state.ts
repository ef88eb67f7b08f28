import { type Actor, botActor, type RawOptions } from '../outcome.ts';
import { isTrailLag, mayPass } from '../reasons.ts';
import type { EntryPlace, Kind, RunEntry, Step, Undo } from './entry.ts';

export interface RunState {
  run: string;
  /** By somebody who may not run it. */
  requested?: Kind<'requested'>;
  asked?: Kind<'asked'>;
  confirmed?: Kind<'confirmed'>;
  /** By whom, oldest first. */
  approved?: readonly Kind<'approved'>[];
  /** The ping to those who may approve. */
  called?: Kind<'called'>;
  intent?: Kind<'intent'>;
  outcome?: Kind<'outcome' | 'denied'>;
  followUp?: FollowUpState;
  /** What was read right after it. */
  readBack?: Kind<'read-back'>;
  /** A person's report of how it ended, after it was unknown. */
  resolved?: Kind<'resolved'>;
  /** What another person found of it, where its requester used break-glass. */
  reviewed?: Kind<'reviewed'>;
  /** The reminder sent to the actor. */
  reminded?: Kind<'reminded'>;
  /** The ping about the outcome. */
  pinged?: Kind<'pinged'>;
  /** How to undo it, once the panel accepted it or a person said that it happened. */
  undo?: Undo;
  /** When the actor wants to be reminded, ISO time; set like `undo`. */
  remind?: string;
}

/** What the ledger knows of a follow-up. The last look at the job is not part of it. */
export interface FollowUpState {
  started: Step<'started'>;
  /** The id of the current card's message. */
  card?: string;
  /** Who is pinged at the end. */
  notify: Actor;
  /** The number of the last reminder; 0 if none. */
  reminded: number;
  ended?: Step<'ended'>;
  announced?: Step<'announced'>;
}

/** Where a run's state has its last entry of a kind. */
const memberOf = {
  ...{ requested: 'requested', asked: 'asked', confirmed: 'confirmed', called: 'called', intent: 'intent' },
  ...{ outcome: 'outcome', denied: 'outcome', 'read-back': 'readBack', resolved: 'resolved', reviewed: 'reviewed' },
  ...{ reminded: 'reminded', pinged: 'pinged' },
} as const satisfies Record<Exclude<RunEntry['kind'], 'approved' | 'follow-up'>, keyof RunState>;

/** A run's state after one more entry. Accepts any entry: the append rules decide before what may be written. */
export function advance(known: RunState | undefined, entry: RunEntry): RunState {
  const state: RunState = { ...known, run: entry.run };
  if (entry.kind === 'approved') return { ...state, approved: [...(state.approved ?? []), entry] };
  if (entry.kind === 'follow-up') return { ...state, followUp: follow(state.followUp, entry) };
  // How to undo it, and when to remind, is as of the last word on how it ended.
  const { undo, remind } =
    entry.kind === 'outcome' || entry.kind === 'denied' || entry.kind === 'resolved' ? entry : state;
  return { ...state, [memberOf[entry.kind]]: entry, undo, remind };
}

/** Whether an entry says how a change on its server ended: older decisions about that server are then stale. */
export const touches = (entry: RunEntry, { intent }: RunState): boolean =>
  (entry.kind === 'outcome' && intent !== undefined) ||
  entry.kind === 'resolved' ||
  (entry.kind === 'follow-up' && entry.step === 'ended');

/** The card may move before and after the end is announced. */
function follow(now: FollowUpState | undefined, entry: Kind<'follow-up'>): FollowUpState | undefined {
  const { message } = entry.place;
  const card = { card: message };
  if (entry.step === 'started') return { started: entry, ...card, notify: entry.actor, reminded: 0 };
  if (now === undefined) return undefined;
  switch (entry.step) {
    case 'moved':
      return { ...now, ...card };
    case 'handed-over':
      return { ...now, notify: entry.to };
    case 'reminded':
      return { ...now, reminded: entry.n };
    case 'ended':
      return { ...now, ended: entry };
    case 'announced':
      return { ...now, announced: entry };
  }
}

/** Whoever changed it wants to be reminded, and was not yet. */
export const awaitsReminder = ({ remind, reminded }: RunState): boolean =>
  remind !== undefined && reminded === undefined;

/** Where the card of a run is now. Undefined: Discord did not say. */
export function messageOf({
  requested,
  asked,
  intent,
  outcome,
  followUp,
}: RunState): (EntryPlace & { message: string }) | undefined {
  const place = followUp?.started.place ?? outcome?.place ?? intent?.place ?? (asked ?? requested)?.place;
  const message = followUp?.card ?? place?.message ?? intent?.place.message ?? (asked ?? requested)?.place.message;
  return place === undefined || message === undefined ? undefined : { ...place, message };
}

/** What the card warns of: runs on the same servers that were not over then. */
export const warningsOf = ({ asked, intent }: RunState): readonly Warning[] => asked?.warns ?? intent?.warns ?? [];
type Warning = NonNullable<Kind<'asked'>['warns']>[number];

export const approvalsLeft = ({ asked, approved = [] }: RunState): number =>
  Math.max(0, (asked?.approvals ?? 0) - approved.length);

/** What it began with, which has the whole command. */
export const orderOf = ({ asked, requested, intent, outcome }: RunState) => asked ?? requested ?? intent ?? outcome;

/** A request that nobody has taken on, declined or let run out. */
export const isOpenRequest = ({ requested, asked, intent, outcome }: RunState): boolean =>
  requested !== undefined && asked === undefined && intent === undefined && outcome === undefined;

/** A question that still waits: for somebody who may run it, for Confirm or for an approval; not cancelled or expired either. */
export const isOpenQuestion = (state: RunState): boolean =>
  (state.asked ?? state.requested) !== undefined &&
  (state.confirmed === undefined || approvalsLeft(state) > 0) &&
  state.intent === undefined &&
  state.outcome === undefined;

/** A question that was confirmed and waits for an approval. */
export const awaitsApproval = (state: RunState): boolean => state.confirmed !== undefined && isOpenQuestion(state);

/** Somebody took on what another asked for, and has not confirmed it yet. */
export const isTaken = (state: RunState): boolean =>
  state.requested !== undefined && state.asked !== undefined && state.confirmed === undefined && isOpenQuestion(state);

/** It waits for others: to take a request on, or to approve. */
export const wantsOthers = (state: RunState): boolean => awaitsApproval(state) || isOpenRequest(state);

/** Whether they were pinged about what it waits for. */
export const isCalled = ({ called, confirmed, requested }: RunState): boolean =>
  (called?.seq ?? 0) > ((confirmed ?? requested)?.seq ?? 0);

/** Whoever a freeze stopped asks for its end, and nobody was pinged about that yet. */
export const asksForThaw = ({ outcome, called }: RunState): boolean =>
  outcome?.reason === 'frozen' && called !== undefined && called.actor.id !== botActor.id && called.seq > outcome.seq;

/** Its requester went on alone, in an emergency. */
export const isGlass = ({ asked }: Pick<RunState, 'asked'>): boolean => asked?.glass !== undefined;

/** Something may have been done with break-glass, and nobody has closed its review. */
export const awaitsReview = (state: RunState): boolean =>
  isGlass(state) && state.intent !== undefined && state.reviewed === undefined;

/** When a question runs out, in ms. */
export const expiryOf = ({ requested, asked, confirmed }: RunState): number =>
  Date.parse(confirmed?.until ?? asked?.expires ?? requested?.expires ?? '');

/** Whether a command has ended on every server. */
export const isOver = (states: readonly RunState[], { server }: RawOptions): boolean =>
  states.length >= String(server ?? '').split(',').length && states.every(({ outcome }) => outcome !== undefined);

/** Whether it is unknown if the panel did it, and nobody has resolved that. */
export const isUnknown = ({ outcome, resolved }: RunState): boolean =>
  resolved === undefined && outcome?.outcome === 'unknown';

/** A person's report of how it ended. A report that starts a follow-up does not count: that ends by itself. */
export const wordOnEnd = ({ resolved, followUp }: RunState): RunState['resolved'] =>
  resolved !== undefined && resolved.seq > (followUp?.started.seq ?? 0) ? resolved : undefined;

/** Whether watching ended before the job did. A job that the bot stopped itself was never watched. */
const isUnseen = ({ end, actor }: Step<'ended'>): boolean =>
  end === 'unknown' || (end === 'stopped' && actor.id !== botActor.id);

/** Whether a followed job may still be running: nobody saw or reported its end. */
export const mayStillRun = (state: RunState): boolean =>
  state.followUp?.ended !== undefined && isUnseen(state.followUp.ended) && wordOnEnd(state) === undefined;

const notSent: readonly string[] = ['not-sent', 'blocked', 'expired', 'unavailable'];

/** Nothing of it reached the panel, and nobody called it off. */
export const isUnsent = ({ outcome }: { outcome?: RunState['outcome'] }): boolean =>
  notSent.includes(outcome?.outcome ?? '');

/** Nothing was done, and the same may be asked again: it was not sent, somebody says so, or the panel may say yes later. */
export const isRetryable = ({ outcome, resolved }: RunState): boolean =>
  resolved?.happened === false ||
  isUnsent({ outcome }) ||
  (outcome?.outcome === 'rejected' && outcome.reason !== undefined && mayPass(outcome.reason));

/** Nothing was done, because the audit channel does not have all of the ledger. */
export const isBehindTrail = ({ outcome }: RunState): boolean =>
  outcome?.outcome === 'unavailable' && outcome.reason !== undefined && isTrailLag(outcome.reason);

/** How it ended is known: the panel said so, its job was seen to end, or somebody said it. */
export const isSettled = (state: RunState): boolean =>
  state.outcome !== undefined &&
  !isUnknown(state) &&
  !mayStillRun(state) &&
  (state.followUp === undefined || state.followUp.ended !== undefined);

/** The panel accepted it, or a person said that it happened, and its job has not failed since. */
export const mayBeDone = ({ outcome, resolved, followUp }: RunState): boolean =>
  (resolved?.happened ?? (outcome?.outcome === 'succeeded' || outcome?.outcome === 'accepted')) &&
  followUp?.ended?.end !== 'failed';

/** As `mayBeDone`, and its follow-up did not end in doubt. */
export const isDone = (state: RunState): boolean =>
  mayBeDone(state) && !(state.followUp?.ended?.end === 'unknown' && mayStillRun(state));

/** The panel accepted it, but it is not known to be done yet. */
export const isPending = ({ outcome, followUp, resolved }: RunState): boolean =>
  resolved === undefined && outcome?.outcome === 'accepted' && followUp?.ended?.end !== 'finished';

/** The undo of the first of these runs, for all runs with the same undo except for the server. */
export function undoStep(states: readonly RunState[]): Undo | undefined {
  const undo = states[0]?.undo;
  if (undo === undefined) return undefined;
  const same = states.filter((state) => state.undo !== undefined && form(state.undo) === form(undo));
  const servers = same.flatMap(({ outcome }) => outcome?.server?.id ?? []);
  return { command: undo.command, options: { ...undo.options, server: servers.join(',') } };
}

/** Entries that were read from the ledger's file and those of this process have their options in different orders. */
const form = ({ command, options }: { command: string; options: RawOptions }): string =>
  JSON.stringify([command, ...Object.entries({ ...options, server: '' }).sort(([a], [b]) => (a < b ? -1 : 1))]);
