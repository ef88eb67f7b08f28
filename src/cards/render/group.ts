import { type Card, count, type Markup, md, serverName, trusted } from '../../card.ts';
import { reasons } from '../../reasons.ts';
import type { RunState } from '../../runs/state.ts';
import { detailOf, isFollowed, stuckOffer, took } from './follow-up.ts';
import type { Drawing, Known, Offers } from './known.ts';
import { headOf, nextSteps, says, wordOf } from './outcome.ts';
import { askedFor, base, signature } from './parts.ts';

/** The card of several servers with follow-ups: a line each. */
export function groupCard(known: Known, drawing: Pick<Drawing, 'command' | 'prepare'>, offers: Offers): Card {
  const { states, command, options } = known;
  const stuck = states.some(isRunning) ? stuckOffer(known, drawing) : { body: [], buttons: [] };
  return {
    ...base(known),
    state: headOf(states, offers.left),
    fact: summary(states),
    body: [...states.map(line), ...askedFor(drawing.prepare({ command, options })), ...stuck.body, ...offers.body],
    next: [...nextSteps(offers.left), ...(offers.next ?? [])],
    small: signature(known),
    buttons: [...stuck.buttons, ...offers.buttons],
  };
}

const isRunning = ({ followUp }: RunState): boolean => followUp !== undefined && followUp.ended === undefined;

function summary(states: readonly RunState[]): Markup {
  const waiting = states.filter(isRunning).length;
  if (waiting > 0) return trusted(`${count(waiting, 'server')} not done yet: accepted is not done.`);
  return trusted(
    states.some((state) => wordOf(state) === 'accepted')
      ? 'None of them is followed any more. Look in the panel for those that are only accepted.'
      : 'None of them is under way any more.',
  );
}

function line(state: RunState): Markup {
  const { outcome } = state;
  const server = outcome?.server;
  const name = server === undefined ? trusted('this') : serverName(server);
  const head = md`**${trusted(wordOf(state).toUpperCase())}** ${name}`;
  if (!isFollowed(state)) {
    const why = outcome?.reason === undefined ? trusted('not followed.') : trusted(reasons[outcome.reason].why);
    return md`${head}: ${why}${says(outcome?.said)}`;
  }
  const { ended, started } = state.followUp;
  if (ended === undefined) return md`${head}: queue item ${started.job ?? 'unknown'}.`;
  if (ended.end === 'stopped') return md`${head}: not followed any more.`;
  const after = took(state);
  if (ended.end === 'unknown') return md`${head}: not seen to finish within ${after}. ${detailOf(ended)}`;
  return md`${head} after ${after}.${says(ended.said)}`;
}
