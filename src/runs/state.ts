import { defined } from '../defined.ts';
import { type Actor, botActor, type RawOptions } from '../outcome.ts';
import type { Kind, RunEntry, Step, Undo } from './entry.ts';

/** What the ledger knows of one run. */
export interface RunState {
  run: string;
  asked?: Kind<'asked'>;
  confirmed?: Kind<'confirmed'>;
  intent?: Kind<'intent'>;
  outcome?: Kind<'outcome' | 'denied'>;
  followUp?: FollowUpState;
  /** Somebody said how it ended, after it was unknown. */
  resolved?: Kind<'resolved'>;
  /** The actor was reminded of it. */
  reminded?: Kind<'reminded'>;
  /** How to take it back: of what the panel said yes to, or a person that it happened. */
  undo?: Undo;
  /** When the actor wants to be reminded of it, ISO time; of the same. */
  remind?: string;
}

/** What the ledger knows of the watching of a job. What was last seen of the job is not in it. */
export interface FollowUpState {
  started: Step<'started'>;
  /** Id of the message that the card is now. */
  card?: string;
  /** Who is pinged at the end. */
  notify: Actor;
  /** The number of the last reminder; 0 before the first. */
  reminded: number;
  ended?: Step<'ended'>;
  announced?: Step<'announced'>;
}

/** What a run's state becomes with one more entry. Takes whatever a ledger holds: what may be appended is decided before, by its rules. */
export function advance(state: RunState | undefined, entry: RunEntry): RunState {
  const known: RunState = state ?? { run: entry.run };
  switch (entry.kind) {
    case 'asked':
      return { ...known, asked: entry };
    case 'confirmed':
      return { ...known, confirmed: entry };
    case 'intent':
      return { ...known, intent: entry };
    case 'outcome':
    case 'denied':
      return { ...known, outcome: entry, ...ways(entry) };
    case 'resolved':
      return { ...known, resolved: entry, ...ways(entry) };
    case 'reminded':
      return { ...known, reminded: entry };
    case 'follow-up': {
      const followUp = follow(known.followUp, entry);
      return followUp === undefined ? known : { ...known, followUp };
    }
  }
}

const ways = ({ undo, remind }: Pick<RunState, 'undo' | 'remind'>): Pick<RunState, 'undo' | 'remind'> => ({
  ...defined({ undo, remind }),
});

/** The card may move until the end is announced, and after. */
function follow(now: FollowUpState | undefined, entry: Kind<'follow-up'>): FollowUpState | undefined {
  const { message } = entry.place;
  const card = defined({ card: message });
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

/** A question that waits: nobody has confirmed, cancelled or let it lapse. */
export const isOpenQuestion = ({ asked, confirmed, intent, outcome }: RunState): boolean =>
  asked !== undefined && confirmed === undefined && intent === undefined && outcome === undefined;

/** Whether a command has ended on all of its servers. */
export const isOver = (states: readonly RunState[], { server }: RawOptions): boolean =>
  states.length >= String(server ?? '').split(',').length && states.every(({ outcome }) => outcome !== undefined);

/** Whether the panel may have done it or not, and nobody has said so since. */
export const isUnknown = ({ outcome, resolved }: RunState): boolean =>
  resolved === undefined && outcome?.outcome === 'unknown';

/** A person's word on how it ended. That it did happen is none of what is followed from there on. */
export const wordOnEnd = ({ resolved, followUp }: RunState): RunState['resolved'] =>
  resolved !== undefined && resolved.seq > (followUp?.started.seq ?? 0) ? resolved : undefined;

/** Whether the watching ended before what was watched. What the bot itself stopped it never watched: the panel offers no read of it. */
export const isUnseen = ({ end, actor }: Step<'ended'>): boolean =>
  end === 'unknown' || (end === 'stopped' && actor.id !== botActor.id);

/** Whether what was followed may still run: nobody saw how it ended, nor has said so since. */
export const mayStillRun = (state: RunState): boolean =>
  state.followUp?.ended !== undefined && isUnseen(state.followUp.ended) && wordOnEnd(state) === undefined;

const notSent: readonly string[] = ['not-sent', 'blocked', 'expired'];

/** Nothing was sent, and the same may be asked again. */
export const isRetryable = ({ outcome }: RunState): boolean => notSent.includes(outcome?.outcome ?? '');

/** The panel said yes, or somebody knows that what was unknown did happen; and it did not come to nothing since. */
export const mayBeDone = ({ outcome, resolved, followUp }: RunState): boolean =>
  (resolved?.happened ?? (outcome?.outcome === 'succeeded' || outcome?.outcome === 'accepted')) &&
  followUp?.ended?.end !== 'failed';

/** The same, and it is not so that it was followed in vain. */
export const isDone = (state: RunState): boolean =>
  mayBeDone(state) && !(state.followUp?.ended?.end === 'unknown' && mayStillRun(state));

/** The panel said yes, but nobody knows yet that it is done. */
export const isPending = ({ outcome, followUp, resolved }: RunState): boolean =>
  resolved === undefined && outcome?.outcome === 'accepted' && followUp?.ended?.end !== 'finished';
