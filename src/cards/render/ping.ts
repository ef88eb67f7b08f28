import { type Card, count, list, md, moment, momentBefore, quote, serverName, subjectOf, trusted } from '../../card.ts';
import { reasons } from '../../reasons.ts';
import { contradicts, type FindingState } from '../../runs/findings.ts';
import { takenBack } from '../../runs/history.ts';
import { waitersOf } from '../../runs/news.ts';
import { isCalled, isUnknown, mayBeDone, mayStillRun, wantsOthers } from '../../runs/state.ts';
import { foundWords } from '../../view/finding.ts';
import { typedName } from '../../view/words.ts';
import { toUndo } from './offers.ts';
import { saidBy } from './outcome.ts';
import { base, cardLink, type Drawing, type Known, labelOf, signature } from './parts.ts';

/** The message that pings people about an outcome: the fact, how to find out, and a link to its card, `shown`. */
export function outcomePing(known: Known, shown: Card): Card {
  const { states, invocationId } = known;
  const [first, second] = states;
  // What was said to be under way has a card that says more.
  const resolved = second === undefined && first?.resolved?.running !== true ? first?.resolved : undefined;
  const fact = resolved === undefined ? shown.fact : saidBy(resolved);
  const isOpen = states.some((state) => isUnknown(state) || mayStillRun(state));
  // What others said of it: who declined or cancelled it, with their word.
  const word = first?.intent === undefined ? first?.outcome?.detail : undefined;
  const link = first === undefined ? trusted('Its card') : cardLink('Its card', first);
  return {
    ...base(known),
    state: shown.state,
    fact,
    body: word === undefined ? [] : [trusted(word)],
    // Whoever waited for others sees by whom it was done.
    small: states.flatMap(waitersOf).length === 0 ? [] : signature(known),
    next: [...(isOpen ? (shown.next ?? []) : []), md`${link} has the rest.`],
    run: `${invocationId} · outcome`,
  };
}

/** The message that tells whoever asked that somebody took it on. */
export function takenCard(known: Known, { prepare }: Drawing): Card | undefined {
  const [first] = known.states;
  if (first?.asked === undefined) return undefined;
  const taker = trusted(`<@${first.asked.actor.id}>`);
  return {
    ...base(known),
    state: 'question',
    fact: md`${taker} took it on: ${prepare(known)?.fullLabel ?? labelOf(undefined, known)}.`,
    body: [],
    // It stays true once that is confirmed.
    next: [md`Nothing is sent before ${taker} confirms it. ${cardLink('Its card', first)} says how it stands.`],
    run: `${known.invocationId} · taken`,
  };
}

/** What a message that calls others is about, beside the card. One that `isPosted` stays that: another may be due since. */
export function callOf({ states: [first], invocationId }: Known, isPosted: boolean): string {
  if (isPosted && first !== undefined && !isCalled(first)) return `${invocationId} · request`;
  const isApproval = first?.asked?.approvals !== undefined && first.confirmed !== undefined;
  return `${invocationId} · ${first?.asked?.glass !== undefined ? 'review' : isApproval ? 'approval' : 'request'}`;
}

/** The message that called others to approve or to review, once nobody is needed. `shown` is its card. */
export function answeredCall({ states, ...known }: Known, shown: Card): Card {
  const [first] = states;
  // The fact of a running job changes with every look.
  const isRunning = states.some(({ followUp }) => followUp !== undefined && followUp.ended === undefined);
  const isReviewed = states.some(({ reviewed }) => reviewed !== undefined);
  const isOver = isReviewed ? 'The review is closed.' : 'This no longer needs approval.';
  const isTaken = states.some(wantsOthers);
  const over = trusted(isTaken ? 'Somebody took it on.' : isOver);
  return {
    ...base({ states, ...known }),
    state: shown.state,
    // Once others are called, it is drawn no more: what it says must stay true.
    ...(isTaken ? { isPast: true } : {}),
    fact: isRunning || isTaken ? undefined : shown.fact,
    body: [],
    next: [md`${over} ${first === undefined ? trusted('Its card') : cardLink('Its card', first)} has the rest.`],
    run: callOf({ states, ...known }, true),
  };
}

/** The message that pings the actor about open effects. `run` distinguishes it from the card. */
export function reminderCard(
  { invocationId, states: all, command, options }: Known,
  drawing: Drawing,
): Card | undefined {
  const states = all.filter(({ remind }) => remind !== undefined);
  const first = states[0]?.outcome;
  if (first === undefined) return undefined;
  const servers = states.flatMap(({ outcome }) => outcome?.server ?? []);
  const left = states.filter((state) => mayBeDone(state) && takenBack(drawing.records, state) === undefined);
  const names = left.flatMap(({ outcome }) => (outcome?.server === undefined ? [] : [serverName(outcome.server)]));
  const { body, buttons } = toUndo(drawing, { invocationId, command, options }, states);
  const since = Date.parse(first.time);
  // As of the due time: waiting must not change it.
  const due = Math.max(...states.map(({ remind }) => Date.parse(remind ?? '')));
  const subject = subjectOf(servers) ?? trusted('');
  return {
    state: 'reminder',
    command: typedName(first.command),
    // A phone's notification shows nothing else.
    subject: left.length === 0 ? subject : md`${subject}: not undone since ${momentBefore(due, since)}`,
    fact:
      names.length === 0
        ? trusted('Nothing is left to undo.')
        : md`Done on ${list(names)} ${moment(since)}, and not undone since.`,
    body: [...(names.length === 0 ? [] : [trusted('You asked for this reminder.')]), ...body],
    run: `${invocationId} · reminder`,
    buttons,
  };
}

const maxNamed = 5;

/** Open findings, newest first. Pings the people who may acknowledge them. */
export function alertCard(open: readonly FindingState[], guild: string): Card {
  const shown = open.toReversed().slice(0, maxNamed);
  const more = open.length - shown.length;
  return {
    state: 'alert',
    command: 'Audit trail',
    subject: trusted(`${count(open.length, 'finding')} to look into`),
    fact: trusted(
      open.some(({ found }) => contradicts(found))
        ? 'Changes are refused until it is acknowledged: the ledger does not have what the trail says.'
        : 'The audit channel is not as it was posted.',
    ),
    body: [
      ...shown.map(({ found }) => foundWords(found, guild)),
      ...(more > 0 ? [trusted(`${count(more, 'more finding')}.`)] : []),
    ],
    next: [
      trusted('Keep ledger and channel as they are. /audit verify shows everything; /audit acknowledge closes it.'),
    ],
    run: `finding ${shown[0]?.found.seq ?? 0}`,
  };
}

/** A check found the stored ledger damaged at entry `seq`. */
export const damageCard = ({ seq, words }: { seq: number; words: string }): Card => ({
  state: 'alert',
  command: 'Ledger',
  subject: trusted(`not as it was written, at entry ${seq}`),
  fact: md`Nothing may change: ${quote(words)}.`,
  body: [trusted('A bot does not start with a broken ledger. Find out who can write where it is kept.')],
  next: [trusted(reasons['ledger-damaged'].next)],
  run: `entry ${seq}`,
});
