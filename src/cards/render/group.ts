import { type Button, type Card, type Markup, md, quote, serverName, shortName, trusted } from '../../card.ts';
import { reasons } from '../../reasons.ts';
import type { RunState } from '../../runs/state.ts';
import { detailOf, isFollowed, percent, stuckOffer, took } from './follow-up.ts';
import { endButtons, resolutions } from './offers.ts';
import { headOf, kindsOf, nextSteps, says, wordOf } from './outcome.ts';
import { base, type Drawing, type JobLook, type Known, labelOf, type Offers, signature } from './parts.ts';

/** The card of several servers with follow-ups: a line each. */
export function groupCard(known: Known, drawing: Drawing, offers: Offers): Card {
  const { states, command, options } = known;
  const prepared = drawing.prepare({ command, options });
  const unseen = states.filter((state) => isRunning(state) && known.looks.get(state.run) === 'no-read');
  const stuck = states.some(isRunning) ? stuckOffer(known, drawing) : {};
  return {
    ...base(known),
    state: headOf(states, offers.left),
    fact: md`${labelOf(prepared, known)}: ${progressOf(states, offers.left)}.`,
    body: [
      ...states.map((state) => line(state, known)),
      ...unfollowed(states),
      ...(stuck.body ?? []),
      ...offers.body,
      ...resolutions(states),
    ],
    next: [...(unseen.length === 0 ? [] : [lookThere]), ...offers.next, ...nextSteps(offers.left)],
    small: signature(known),
    buttons: [...(stuck.buttons ?? []), ...unseen.slice(0, maxUnseen).flatMap(byHand), ...offers.buttons],
  };
}

/** "1 of 4 finished" would say of what failed, or was never sent, that it is still on its way. */
function progressOf(states: readonly RunState[], left: readonly RunState[]): Markup {
  const words = states.map(wordOf);
  const finished = words.filter((word) => word === 'finished').length;
  return words.every((word) => word === 'finished' || word === 'accepted')
    ? trusted(`${finished} of ${states.length} finished`)
    : kindsOf(states, left);
}

/** On a phone: when one of them was told, the next has its buttons. */
const maxUnseen = 3;

const lookThere = trusted(
  'The bot cannot read these jobs: check the panel, then press what you saw. Until then the bot reminds you.',
);

const byHand = (state: RunState): Button[] => {
  const server = state.outcome?.server;
  return endButtons(state, server === undefined ? '' : `: ${shortName(server)}`);
};

const isRunning = ({ followUp }: RunState): boolean => followUp !== undefined && followUp.ended === undefined;

/** What nobody watches stays accepted, however it ended. */
const unfollowed = (states: readonly RunState[]): Markup[] =>
  states.some((state) => wordOf(state) === 'accepted' && !isRunning(state))
    ? [trusted('The bot does not follow what is still ACCEPTED: check the panel.')]
    : [];

/** "`running`, 40 %": what the last look at a restore saw. */
const seenOf = (look: JobLook | undefined): Markup =>
  look === undefined || look === 'no-read' || look.word === undefined
    ? trusted('started')
    : md`${quote(look.word, 40)}${trusted(look.progress === undefined ? '' : `, ${percent(look.progress)}`)}`;

function line(state: RunState, { looks }: Known): Markup {
  const { outcome } = state;
  const server = outcome?.server;
  const name = server === undefined ? trusted('this') : serverName(server);
  const head = md`**${trusted(wordOf(state).toUpperCase())}** ${name}`;
  if (!isFollowed(state)) {
    const why = outcome?.reason === undefined ? trusted('not followed.') : trusted(reasons[outcome.reason].why);
    return md`${head}: ${why}${says(outcome?.said, outcome?.reason)}`;
  }
  const { ended, started } = state.followUp;
  if (ended === undefined)
    return started.follow === 'restore'
      ? md`${head}: ${seenOf(looks.get(state.run))}${started.job === undefined ? trusted('') : md`, job ${started.job}`}.`
      : md`${head}: in the panel's queue${started.job === undefined ? trusted('') : md`, item ${started.job}`}.`;
  if (ended.end === 'stopped') return md`${head}: no longer followed.`;
  const after = took(state);
  if (ended.end === 'unknown') return md`${head}: not seen to finish within ${after}. ${detailOf(ended)}`;
  return md`${head} after ${after}.${says(ended.said)}`;
}
