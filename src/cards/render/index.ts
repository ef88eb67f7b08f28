import type { Card } from '../../card.ts';
import { isOpenQuestion } from '../../runs/state.ts';
import { followedCard, isFollowed, jobAnnouncement, jobReminder } from './follow-up.ts';
import { groupCard } from './group.ts';
import type { Drawing, Known } from './known.ts';
import { offersOf } from './offers.ts';
import { endedCard, workingCard } from './outcome.ts';
import { questionCard } from './question.ts';

export { alertCard, damageCard } from './alert.ts';
export { lastSeen } from './follow-up.ts';
export type { Drawing, JobLook, Known } from './known.ts';
export { reminderCard } from './reminder.ts';

/**
 * The card of an invocation, from what is known of it. Pure, and the only maker of such cards. Times are Discord's timestamps, so
 * that a card does not change by waiting.
 */
export function render(known: Known, drawing: Drawing): Card {
  const { states, servers } = known;
  const [first] = states;
  if (first?.asked !== undefined && states.every(isOpenQuestion)) return questionCard(known, first.asked, drawing);
  if (first === undefined || states.filter(({ outcome }) => outcome !== undefined).length < servers.length)
    return workingCard(known);
  const offers = offersOf(known, drawing);
  const [followed] = states.filter(isFollowed);
  // Until something is seen of its jobs, it is what the panel said.
  if (followed === undefined || !isWatched(known)) return endedCard(known, offers);
  return servers.length === 1 ? followedCard(known, followed, drawing, offers) : groupCard(known, drawing, offers);
}

/** Whether there is more to tell of its jobs than that they were started. */
const isWatched = ({ states, looks }: Known): boolean =>
  states.some(({ followUp }) => followUp?.ended !== undefined) ||
  [...looks.values()].some(
    (look) => look === 'no-read' || look.word !== undefined || look.blind === true || look.late === true,
  );

/** What is posted when all that an invocation has followed is over; undefined while something runs, or when nothing was followed. */
export function announcement(known: Known, drawing: Drawing): Card | undefined {
  const followed = known.states.filter(isFollowed);
  const [first] = followed;
  const ended = first?.followUp.ended;
  if (first === undefined || ended === undefined || followed.some(({ followUp }) => followUp.ended === undefined))
    return undefined;
  if (known.servers.length === 1) return jobAnnouncement(known, first, ended);
  return groupCard(known, drawing, { left: known.states, body: [], buttons: [] });
}

/** The reminder of a job that cannot be read. */
export function runReminder(known: Known, run: string, n: number): Card | undefined {
  const state = known.states.find((each) => each.run === run);
  return state === undefined || !isFollowed(state) ? undefined : jobReminder(known, state, n);
}

export { workingCard };
