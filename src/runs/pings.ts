import { botActor, type Place } from '../outcome.ts';
import type { EntryPlace, Kind, RunEntry, Step } from './entry.ts';
import {
  awaitsReview,
  isCalled,
  isOpenQuestion,
  isSettled,
  isUnknown,
  mayStillRun,
  messageOf,
  type RunState,
} from './state.ts';

/** A message beside the card, which pinged people about it. */
export interface Ping {
  of: 'reminder' | 'outcome' | 'end' | 'call';
  entry: Kind<'reminded' | 'pinged' | 'called'> | Step<'announced'>;
  place: EntryPlace & { message: string };
}

const recordedBy: { [of in Ping['of']]: (state: RunState) => Ping['entry'] | undefined } = {
  reminder: ({ reminded }) => reminded,
  outcome: ({ pinged }) => pinged,
  end: ({ followUp }) => followUp?.announced,
  call: ({ called }) => called,
};
const kinds = ['reminder', 'outcome', 'end', 'call'] as const;

export function pingsOf(states: readonly RunState[]): Ping[] {
  const cards = states.map((state) => messageOf(state)?.message);
  return kinds.flatMap((of) => {
    const entry = states.map(recordedBy[of]).find((each) => each?.place.message !== undefined);
    const message = entry?.place.message;
    if (entry === undefined || message === undefined || cards.includes(message)) return [];
    return [{ of, entry, place: { ...entry.place, message } }];
  });
}

/** Whether the message of this step pinged people: then it is not the card. */
export const isPing = (entry: RunEntry): boolean =>
  entry.kind === 'pinged' || entry.kind === 'called' || (entry.kind === 'follow-up' && entry.step === 'announced');

/**
 * The message that has the buttons: the newest ping that still asks for something, but that of the reviewers once its end is
 * known: the others cannot close it. Undefined: the card itself.
 */
export function pressedOn(states: readonly RunState[]): Ping | undefined {
  const asking = pingsOf(states)
    .filter(({ of, entry }) => asks[of](states, entry))
    .sort((a, b) => a.entry.seq - b.entry.seq);
  const isForReview = states.some(awaitsReview) && states.filter(awaitsReview).every(isSettled);
  return (isForReview ? asking.find(({ of }) => of === 'call') : undefined) ?? asking.at(-1);
}

/** Whether somebody may have pressed a button of these runs there: on their card, or on a message that pinged about it. */
export const isOnCardOrPing = (
  states: readonly RunState[],
  card: Place & { message?: string },
  at: Place & { message: string },
) =>
  [card, ...pingsOf(states).map(({ place }) => place)].some(
    ({ guild, channel, message }) => guild === at.guild && channel === at.channel && message === at.message,
  );

/** That somebody took it on is told to those who have nothing to press. */
export const isOfOutcome = (states: readonly RunState[], { seq }: Pick<Ping['entry'], 'seq'>): boolean =>
  states.some(({ outcome }) => outcome !== undefined && seq > outcome.seq);

const isSettledSince = (states: readonly RunState[], { seq }: Ping['entry']): boolean =>
  !states.some((state) => isUnknown(state) || mayStillRun(state)) &&
  states.some(({ resolved, followUp }) => Math.max(resolved?.seq ?? 0, saidBySomebody(followUp?.ended)) > seq);

/** When a person said how a job ended; 0: nobody did. */
const saidBySomebody = (ended: Step<'ended'> | undefined): number =>
  ended === undefined || ended.actor.id === botActor.id ? 0 : ended.seq;

/** Whether whoever was pinged may still press something there; of what is settled since, the card has the rest. */
const asks: { [of in Ping['of']]: (states: readonly RunState[], entry: Ping['entry']) => boolean } = {
  reminder: () => true,
  outcome: (states, entry) => isOfOutcome(states, entry) && !isSettledSince(states, entry),
  end: (states, entry) => !isSettledSince(states, entry),
  call: (states) =>
    states.some((state) => awaitsReview(state) || isOpenCall(state) || state.outcome?.reason === 'frozen'),
};

/** Others were called, and it is still open: to them, or to whoever of them took it on. */
export const isOpenCall = (state: RunState): boolean => isOpenQuestion(state) && isCalled(state);
