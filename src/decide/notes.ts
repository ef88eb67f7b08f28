import {
  type Card,
  type Markup,
  md,
  moment,
  oneLine,
  sentences,
  serverName,
  shortNames,
  trusted,
  typedText,
  whyNot,
} from '../card.ts';
import { note } from '../cards/render/parts.ts';
import type { Command, ReadFailed, TrailTools } from '../command.ts';
import type { RawOptions, Ruling, Server } from '../outcome.ts';
import { afterRead, hasManyStatuses, reasons, sayerOf } from '../reasons.ts';
import type { RunEntry } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';
import { pingsOf } from '../runs/pings.ts';
import { expiryOf, isOpenQuestion, type RunState } from '../runs/state.ts';
import { typedName } from '../view/words.ts';
import { type Answer, answer, type Decision, type Form, type Press, type Snapshot } from './decision.ts';
import { changesState } from './reach.ts';

export { note } from '../cards/render/parts.ts';
export { typedName } from '../view/words.ts';

/** The name that people see: the command as typed, or the label in a message's menu. */
export const nameOf = ({ id, menu }: Pick<Command, 'id' | 'menu'>): string => menu ?? typedName(id);

/** Nothing comes of it, and nothing was sent: the answer says why. */
export const notSent = (...about: [what: string, fact: Markup, ...more: Markup[]]): Answer =>
  answer(note('not-sent', ...about));

/** What somebody typed into this form, which asks for a reason or the like; until then, the form. */
export function wordsIn({ typed }: Press, form: Form, missing: string): string | Answer | FormAsked {
  if (typed === undefined) return { kind: 'form', form: { ...form, longest: maxReasonLength } };
  const words = typedText(typed, maxReasonLength);
  return words === '' ? answer(note('invalid', 'your click', trusted(missing))) : words;
}

type FormAsked = Extract<Decision, { kind: 'form' }>;

/** What a refused command did not do. */
export const nothingDone = ({ danger }: Partial<Pick<Command, 'danger'>> = {}): string =>
  danger === 'read' || danger === 'audit' ? 'Nothing was read.' : 'Nothing was sent.';

/** `nothing`: what did not happen. */
export function deniedCard(
  command: Pick<Command, 'id' | 'menu' | 'danger'>,
  decision: Extract<Ruling, { allowed: false }>,
  nothing = nothingDone(command),
): Card {
  const { server, why } = decision;
  const [first = trusted(reasons.denied.why), ...who] = whyNot(decision);
  const [fact, ...rest] = sentences(first);
  const subject = server === undefined || why === 'hidden' ? undefined : serverName(server);
  return {
    state: 'denied',
    command: nameOf(command),
    subject,
    fact,
    body: [...rest, ...who, trusted(nothing)],
  };
}

/** The same for a press, which is recorded; with the options that it was about. */
export const deniedPress = (
  command: Command,
  decision: Extract<Ruling, { allowed: false }>,
  options: RawOptions,
  nothing?: string,
): Answer => answer(deniedCard(command, decision, nothing), { options, denial: { command, decision } });

/** Where else what was done can be read. Whether they may read that channel is Discord's to say. */
export const alsoInTrail = ({ channel }: Pick<TrailTools, 'channel'>): Markup[] =>
  channel === undefined ? [] : [trusted(`What was done is also in <#${channel}>, if you may read that channel.`)];

/** "It answered 502.": what the reason does not say. Undefined if it does. */
export const statusLine = (result: ReadFailed['result']): Markup | undefined =>
  hasManyStatuses(result.reason) && 'status' in result && result.status !== undefined
    ? trusted(`It answered ${result.status}.`)
    : undefined;

/** A failed read: why, and what to do. */
export const readFailedText = ({ result, beside }: ReadFailed): Pick<Card, 'fact' | 'body' | 'next'> => ({
  fact: trusted(reasons[result.reason].why),
  body: [
    ...[statusLine(result) ?? []].flat(),
    ...(result.said === undefined ? [] : [md`${trusted(sayerOf(result.reason))}: ${result.said}`]),
    ...beside,
  ],
  next: [trusted(afterRead(result))],
});

/** For a private thread that the bot has not joined. */
const outsideNote = (command: Command): Card =>
  note(
    'not-sent',
    nameOf(command),
    trusted(
      '**Add me to this thread first**: it is private, and I could not tell you here how this ends. Nothing was sent.',
    ),
    trusted('Mention me in it, then type the command again. Reads work without that.'),
  );

/** Nobody approves, or reviews, what they did themselves or approved before. */
export const notTheirOwn: Extract<Ruling, { allowed: false }> = {
  allowed: false,
  why: 'role',
  missing: 'approve',
  holders: [],
};

/** Why a question is no longer open, from the entry that closed it. `now` in ms. */
export function gone(state?: RunState, now = 0): Answer {
  const { asked, confirmed, approved, outcome } = state ?? {};
  const lapsed = state !== undefined && (outcome?.outcome === 'expired' || isOpenQuestion(state));
  if (asked !== undefined && lapsed && now >= expiryOf(state)) {
    const words = md`This question ran out ${moment(expiryOf(state))}. Nothing was sent. Type the command again.`;
    return answer(note('expired', typedName(asked.command), words));
  }
  // "Not sent" is about the click: the command may have been sent.
  if (outcome?.outcome === 'cancelled') return faster('cancelled', outcome);
  const last = approved?.at(-1);
  if (last !== undefined) return faster('approved', last);
  if (confirmed !== undefined) return faster('confirmed', confirmed);
  return notSent(
    asked === undefined ? 'your click' : typedName(asked.command),
    trusted('This question is no longer open. Your click changed nothing. Type the command again.'),
  );
}

const faster = (what: string, { actor, time }: RunEntry): Answer =>
  notSent(
    'your click',
    md`${actor.name} ${trusted(what)} this ${moment(Date.parse(time))}. Your click changed nothing.`,
  );

/** For a command while another process may take over: it may act instead, and this one does not know. */
export const notHeldNote = (command: string): Card =>
  note('unavailable', command, trusted(reasons['ledger-unavailable'].why), trusted(reasons['ledger-unavailable'].next));

/** For a press whose entries the ledger could not take. One that timed out may have recorded them. */
export const unrecordedClick = (): Card => {
  const { why, next } = reasons['ledger-unavailable'];
  const doubt = 'It may have recorded this. If it has, the card will say so.';
  return note('unavailable', 'your click', trusted(why), trusted(doubt), trusted(next));
};

/** For a ledger that timed out during an append. If the entry was stored, the card shows it later, where it can. */
export const unansweredNote = (command: string, isShown: boolean): Card =>
  note(
    'unavailable',
    command,
    trusted('The ledger did not answer, so changes are refused. It may have recorded this.'),
    trusted(
      `Bring it back${isShown ? ': the card will say what it has' : ', and check whether this was done'}. Reads still work.`,
    ),
  );

/** Refuses a change in a place where the bot could not report its end. */
export const outsideOf = ({ mayReturn }: Pick<Press, 'mayReturn'>, command: Command): Card | undefined =>
  changesState(command) && command.menu === undefined && !mayReturn ? outsideNote(command) : undefined;

/** The button's action is no longer available. */
export const nothingLeft = (): Answer => {
  const words =
    "Nothing of this card is left to do, or the bot's ledger does not have it. If you still want it, type the command.";
  return notSent('this button', trusted(words));
};

/** Where the policy has commands not answered; or of a command that is no more. */
export const notHere = (command: string, nothing = ''): Answer =>
  notSent(typedName(command), trusted(`This button is not answered here. ${nothing}`.trimEnd()));

/** What it is about changed again and again while it was decided. */
export const pressAgain = (): Card =>
  note(
    'not-sent',
    'this button',
    trusted('Something changed in the meantime. Nothing was sent. Check the card, then press again.'),
  );

/** A modified client may press a button on any message. That message must not become this card. */
export function isCardOf(
  { ledger }: Pick<Snapshot, 'ledger'>,
  { place, offered, isPrivate }: Press,
  { run, place: { message } }: Pick<RunEntry, 'run' | 'place'>,
): boolean {
  // The private answer to a check has the button, too: only the bot can have posted that.
  if (isPrivate) return offered;
  const states = ledger.runs(invocationOf(run));
  const cards = [message, ...states.map(({ followUp }) => followUp?.card)].flatMap((each) => each ?? []);
  const known = [...cards, ...pingsOf(states).map(({ place: of }) => of.message)];
  return cards.length === 0 ? offered : known.includes(place.message);
}

export const maxReasonLength = 200;

/** Discord's limit for the title of a form, in characters. */
const maxTitle = 45;

/** "/firewall flush · web-1": what a form is about. A title has no markup, but what could reorder it is taken out. */
export function titleOf(name: string, servers: readonly Server[]): string {
  const title = oneLine(servers.length === 0 ? name : `${name} · ${shortNames(servers)}`);
  if (title.length <= maxTitle) return title;
  // A cut must not leave half a character.
  return `${title.slice(0, maxTitle - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
