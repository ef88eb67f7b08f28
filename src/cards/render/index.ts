import { type Card, md, trusted } from '../../card.ts';
import { isOpenCall } from '../../runs/pings.ts';
import { awaitsReview, isOpenQuestion, isOpenRequest, wantsOthers } from '../../runs/state.ts';
import { button } from '../buttons.ts';
import { approvalCard, questionCard, requestCard, reviewCall } from './asking.ts';
import { detailLines } from './details.ts';
import { followedCard, isFollowed, jobAnnouncement, jobReminder } from './follow-up.ts';
import { groupCard } from './group.ts';
import { withKept } from './kept.ts';
import { offersOf } from './offers.ts';
import { endedCard, workingCard } from './outcome.ts';
import type { Drawing, Known, Offers } from './parts.ts';
import { answeredCall, callOf, outcomePing, reminderCard, takenCard } from './ping.ts';
import { pleaCard } from './thaw.ts';

export { firedCard, firesCard } from './fired.ts';
export { lastSeen } from './follow-up.ts';
export type { Drawing, JobLook, Known } from './parts.ts';
export { alertCard, damageCard } from './ping.ts';

/** The card of an invocation, and the only maker of such cards. Times are Discord's, so waiting changes no card. */
export function render(known: Known, drawing: Drawing): Card {
  const card = cardOf(known, drawing);
  if (known.states.length === 0 || detailLines(known.states, drawing.prepare(known)).length === 0) return card;
  return { ...card, buttons: [...(card.buttons ?? []), button('Details', 'details', known.invocationId)] };
}

function cardOf(known: Known, drawing: Drawing): Card {
  const { states, servers } = known;
  const [first] = states;
  if (first?.requested !== undefined && states.every(isOpenRequest))
    return requestCard(known, first.requested, drawing);
  if (first?.asked !== undefined && states.every(isOpenQuestion))
    return first.confirmed === undefined
      ? questionCard(known, first.asked, drawing)
      : approvalCard(known, first.asked, drawing);
  if (first === undefined || states.filter(({ outcome }) => outcome !== undefined).length < servers.length)
    return withKept(workingCard(known, drawing.prepare(known)), known);
  const offers = offersOf(known, drawing);
  const [followed] = states.filter(isFollowed);
  // Until a look sees the jobs, the card shows the panel's answer.
  if (followed === undefined || !isWatched(known))
    return undone(withKept(endedCard(known, offers, drawing), known), offers);
  const card =
    servers.length === 1 ? followedCard(known, followed, drawing, offers) : groupCard(known, drawing, offers);
  return undone(card, offers);
}

/** What was undone says so first: it is no longer as the rest of the card says. */
function undone(card: Card, { undone: words }: Offers): Card {
  if (words === undefined) return card;
  const { subject = trusted(''), fact } = card;
  return {
    ...card,
    isPast: true,
    subject: md`${subject} · undone`,
    fact: words,
    body: [...(fact === undefined ? [] : [md`At the time: ${fact}`]), ...card.body],
  };
}

/** Whether more is known of the jobs than that they started. */
const isWatched = ({ states, looks }: Known): boolean =>
  states.some(({ followUp }) => followUp?.ended !== undefined) ||
  [...looks.values()].some(
    (look) => look === 'no-read' || look.word !== undefined || look.blind === true || look.late === true,
  );

/** That all follow-ups of an invocation have ended. Undefined while one is open. */
function jobNews(known: Known, drawing: Drawing): Card | undefined {
  const followed = known.states.filter(isFollowed);
  const [first] = followed;
  const ended = first?.followUp.ended;
  if (first === undefined || ended === undefined || followed.some(({ followUp }) => followUp.ended === undefined))
    return undefined;
  if (known.servers.length === 1) return jobAnnouncement(known, first, ended, drawing);
  return groupCard(known, drawing, { left: known.states, body: [], next: [], buttons: [] });
}

/**
 * Calls others to end a freeze, to review, or, as long as all runs are open, to approve: that is the card again, whose
 * buttons come once the ledger has the message. One that `isPosted` says it once nobody is needed; no other is posted then.
 */
function callNews(known: Known, drawing: Drawing, isPosted: boolean): Card | undefined {
  const { states } = known;
  if (states.some(({ outcome }) => outcome?.reason === 'frozen')) return pleaCard(known, drawing);
  const shown = render(known, drawing);
  if (states.some(awaitsReview)) return reviewCall(known, drawing, shown, isPosted);
  const isOpen = isPosted ? isOpenCall : wantsOthers;
  if (states.every(isOpen)) return { ...shown, buttons: [], run: callOf(known, isPosted) };
  return isPosted ? answeredCall(known, shown) : undefined;
}

/** The messages that ping people about a card, as they are posted, and drawn again when more is known. */
export const beside = {
  end: jobNews,
  outcome: (known, drawing) => outcomePing(known, render(known, drawing)),
  taken: takenCard,
  reminder: reminderCard,
  call: (known, drawing) => callNews(known, drawing, false),
  called: (known, drawing) => callNews(known, drawing, true),
} satisfies Record<string, (known: Known, drawing: Drawing) => Card | undefined>;
export type Beside = keyof typeof beside;

export function runReminder(known: Known, run: string, n: number, drawing: Drawing): Card | undefined {
  const state = known.states.find((each) => each.run === run);
  return state === undefined || !isFollowed(state) ? undefined : jobReminder(known, state, n, drawing);
}

export { workingCard };
