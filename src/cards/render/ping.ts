import { type Card, md, trusted } from '../../card.ts';
import { awaitsApproval, isOpenQuestion, isUnknown, mayStillRun } from '../../runs/state.ts';
import type { Known } from './known.ts';
import { saidBy } from './outcome.ts';
import { base, cardLink } from './parts.ts';

/**
 * The message that pings people about an outcome: the fact, and where its card is, which has the rest and the buttons.
 * `shown` is that card.
 */
export function outcomePing(known: Known, shown: Card): Card {
  const { states, invocationId } = known;
  const [first, second] = states;
  // What was said to be under way has a card that says more.
  const resolved = second === undefined && first?.resolved?.running !== true ? first?.resolved : undefined;
  const fact = resolved === undefined ? shown.fact : saidBy(resolved);
  const isOpen = states.some((state) => isUnknown(state) || mayStillRun(state));
  const link = (text: string) => (first === undefined ? trusted(text) : cardLink(text, first));
  return {
    ...base(known),
    state: shown.state,
    fact,
    body: [],
    next: [
      isOpen
        ? md`Open ${link('its card')}: it says how to find out. Press there what you found.`
        : md`${link('Its card')} has the rest.`,
    ],
    run: `${invocationId} · outcome`,
  };
}

/** The message that called others to approve or to review, once nobody is needed. `shown` is its card. */
export function answeredCall({ states, ...known }: Known, shown: Card): Card {
  const [first] = states;
  const isReviewed = states.some(({ reviewed }) => reviewed !== undefined);
  // The fact of a running job changes with every look.
  const isRunning = states.some(({ followUp }) => followUp !== undefined && followUp.ended === undefined);
  const asked = states.find((state) => isOpenQuestion(state) && !awaitsApproval(state))?.asked;
  const over = trusted(isReviewed ? 'The review is closed.' : 'Nobody needs to approve this any more.');
  const why =
    asked === undefined ? over : md`Nothing is sent yet: <@${trusted(asked.actor.id)}> has still to confirm it.`;
  return {
    ...base({ states, ...known }),
    state: shown.state,
    fact: isRunning ? undefined : shown.fact,
    body: [],
    next: [md`${why} ${first === undefined ? trusted('Its card') : cardLink('Its card', first)} has the rest.`],
    run: `${known.invocationId} · ${isReviewed ? 'review' : 'approval'}`,
  };
}
