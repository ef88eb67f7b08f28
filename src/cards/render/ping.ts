import { type Card, md, trusted } from '../../card.ts';
import { waitersOf } from '../../runs/news.ts';
import { isUnknown, mayStillRun } from '../../runs/state.ts';
import type { Drawing, Known } from './known.ts';
import { saidBy } from './outcome.ts';
import { base, cardLink, labelOf, signature } from './parts.ts';

/**
 * The message that pings people about an outcome: the fact, how to find out, and where its card is, which has the rest.
 * `shown` is that card.
 */
export function outcomePing(known: Known, shown: Card): Card {
  const { states, invocationId } = known;
  const [first, second] = states;
  // What was said to be under way has a card that says more.
  const resolved = second === undefined && first?.resolved?.running !== true ? first?.resolved : undefined;
  const fact = resolved === undefined ? shown.fact : saidBy(resolved);
  const isOpen = states.some((state) => isUnknown(state) || mayStillRun(state));
  // What others said of it: who declined or cancelled it, with their word.
  const word = first?.intent === undefined ? first?.outcome?.detail : undefined;
  const link = (text: string) => (first === undefined ? trusted(text) : cardLink(text, first));
  return {
    ...base(known),
    state: shown.state,
    fact,
    body: word === undefined ? [] : [trusted(word)],
    // Whoever waited for others sees by whom it was done.
    small: states.flatMap(waitersOf).length === 0 ? [] : signature(known),
    next: [...(isOpen ? (shown.next ?? []) : []), md`${link('Its card')} has the rest.`],
    run: `${invocationId} · outcome`,
  };
}

/** The message that tells whoever asked that somebody took it on. */
export function takenCard(known: Known, { prepare }: Pick<Drawing, 'prepare'>): Card | undefined {
  const [first] = known.states;
  if (first?.asked === undefined) return undefined;
  const taker = trusted(`<@${first.asked.actor.id}>`);
  return {
    ...base(known),
    state: 'question',
    fact: md`${taker} took it on: ${prepare(known)?.change ?? labelOf(undefined, known)}.`,
    body: [],
    next: [md`Nothing is sent until ${taker} confirms it on ${cardLink('its card', first)}.`],
    run: `${known.invocationId} · taken`,
  };
}

/** What the message that calls others is about, beside the card: it stays that. */
export function callOf({ states: [first], invocationId }: Known): string {
  const isApproval = first?.asked?.approvals !== undefined && first.confirmed !== undefined;
  return `${invocationId} · ${first?.asked?.glass !== undefined ? 'review' : isApproval ? 'approval' : 'request'}`;
}

/** The message that called others to approve or to review, once nobody is needed. `shown` is its card. */
export function answeredCall({ states, ...known }: Known, shown: Card): Card {
  const [first] = states;
  // The fact of a running job changes with every look.
  const isRunning = states.some(({ followUp }) => followUp !== undefined && followUp.ended === undefined);
  const isReviewed = states.some(({ reviewed }) => reviewed !== undefined);
  const over = trusted(isReviewed ? 'The review is closed.' : 'This no longer needs approval.');
  return {
    ...base({ states, ...known }),
    state: shown.state,
    fact: isRunning ? undefined : shown.fact,
    body: [],
    next: [md`${over} ${first === undefined ? trusted('Its card') : cardLink('Its card', first)} has the rest.`],
    run: callOf({ states, ...known }),
  };
}
