import {
  type Button,
  type Card,
  joined,
  list,
  type Markup,
  md,
  moment,
  sentences,
  trusted,
  uncapitalized,
} from '../../card.ts';
import type { Asks } from '../../command.ts';
import type { Kind } from '../../runs/entry.ts';
import { approvalsLeft, expiryOf, isSettled } from '../../runs/state.ts';
import { button, glassButton } from '../buttons.ts';
import { percent } from './follow-up.ts';
import { base, type Drawing, type Known, labelOf, signature, tiersOf, warningLines } from './parts.ts';
import { callOf } from './ping.ts';

/** Cards that wait for somebody: for Confirm, for an approval, for somebody who may. And what pings those. */

type Seal = Parameters<Drawing['seal']>[0];

interface Wait extends Required<Pick<Card, 'fact' | 'body' | 'next'>> {
  /** What the two buttons say and do. */
  yes: readonly [label: string, kind: Seal];
  no: readonly [label: string, kind: Seal];
  small?: Card['small'];
  also?: readonly Button[];
  /** Whoever waits for others may go on without them. */
  glass?: true;
}

/** The buttons carry the seal of what is asked. */
function waitingCard(known: Known, asked: Kind<'asked' | 'requested'>, drawing: Drawing, wait: Wait): Card {
  const { actor, invocationId, command, servers } = known;
  const { yes, no, also = [], glass, ...card } = wait;
  const sealed = ([label, kind]: readonly [string, Seal]) =>
    button(label, kind, `${invocationId}.${drawing.seal(kind, asked)}`);
  const isMild = asked.kind === 'requested' || drawing.command(command)?.danger === 'write';
  const mayGoOn = glass === true && drawing.mayBreakGlass(actor.roles, command, servers);
  return {
    ...base(known),
    subject: tiersOf(servers) ?? base(known).subject,
    state: 'question',
    small: signature(known),
    ...card,
    buttons: [
      { ...sealed(yes), tone: isMild ? 'primary' : 'danger' },
      sealed(no),
      ...also,
      ...(mayGoOn ? [glassButton(invocationId)] : []),
    ],
  };
}

/** The question: what would happen, and the buttons. */
export function questionCard(known: Known, asked: Kind<'asked'>, drawing: Drawing): Card {
  const { typed, approvals } = asked;
  const by = typed === undefined ? trusted('') : md` by typing ${typed}`;
  const others = approvals === 1 ? 'somebody else approves' : `${approvals} others approve`;
  const and = trusted(approvals === undefined ? '' : ` and ${others} it`);
  const mayGoInTurn =
    known.servers.length > 1 && asked.glass === undefined && drawing.command(known.command)?.inTurn === true;
  return waitingCard(known, asked, drawing, {
    ...questionText(known, asked, drawing),
    next: [
      md`Nothing is sent until ${actorOf(known)} confirms${by}${and}. Runs out ${moment(Date.parse(asked.expires))}.`,
    ],
    yes: [drawing.prepare(known)?.label ?? 'Confirm', typed === undefined ? 'confirm' : 'typed'],
    no: ['Cancel', 'cancel'],
    also: mayGoInTurn ? [button('One after the other', 'turn', known.invocationId)] : [],
  });
}

/** Asks in private whether somebody means what reaches far. Nothing is recorded; the button goes on. */
export const meantCard = (
  { command, subject, label, ...asks }: Asks & Pick<Card, 'command' | 'subject'>,
  interaction: string,
): Card => ({
  state: 'question',
  command,
  subject,
  ...asks,
  body: [trusted('Nothing is recorded until you press the button.')],
  buttons: [{ ...button(label, 'go', interaction), tone: 'danger' }],
});

/** A confirmed question that waits for somebody else's approval: what would happen, who may approve, and the buttons. */
export function approvalCard(known: Known, asked: Kind<'asked'>, drawing: Drawing): Card {
  const label = drawing.prepare(known)?.label ?? 'this';
  const who = rolesThatMay(drawing.approvers(known.servers), 'No role may approve it there.');
  return waitingCard(known, asked, drawing, {
    ...questionText(known, asked, drawing),
    next: [md`${lacking(known)} ${who} Runs out ${runsOut(known)}.`],
    yes: [`Approve: ${uncapitalized(label)}`, 'approve'],
    no: ['Cancel', 'cancel'],
    glass: true,
  });
}

/** A request to somebody who may: what would be done. It shows nothing that was read: whoever asked may not see it. */
export function requestCard(known: Known, requested: Kind<'requested'>, drawing: Drawing): Card {
  const roles = drawing.approvers(known.servers, known.command);
  const who = rolesThatMay(roles, 'No role may run it there now.');
  return waitingCard(known, requested, drawing, {
    ...wanted(known, drawing),
    next: [
      md`Nothing is sent yet. Approve asks you to confirm it as your own command. ${who} Runs out ${moment(Date.parse(requested.expires))}.`,
    ],
    yes: ['Approve', 'accept'],
    no: ['Decline', 'decline'],
    glass: true,
  });
}

/** The message that tells those who may approve that somebody went on without them: what was asked, and how it stands. */
export const reviewCall = (known: Known, { prepare }: Drawing, shown: Card, isPosted: boolean): Card => ({
  ...base(known),
  state: 'alert',
  ...standing(known, shown, md`${actorOf(known)} asked the panel to ${wish(prepare(known), known)}, without approval`),
  next: [
    known.states.every(isSettled)
      ? md`Look at what was done, then press Close the review. ${actorOf(known)} cannot.`
      : trusted('You need not approve it. Once it is known how it ended, review it here.'),
  ],
  small: signature(known),
  run: `run ${callOf(known, isPosted)}`,
});

/** "overwrite disk 0 of db-1 from its backups": what was asked for, without what is to be known of it. */
function wish(prepared: ReturnType<Drawing['prepare']>, known: Known): Markup {
  const [first = labelOf(prepared, known)] = sentences(md`${prepared?.fullLabel ?? labelOf(prepared, known)}`);
  return trusted(uncapitalized(first.markup.replace(/\.$/, '')));
}

/** After what was asked: how far it is, of a job with what the last look saw; or how it ended. */
function standing(
  { states, servers, looks }: Known,
  { fact = trusted('Nothing more is known.') }: Card,
  asked: Markup,
): Pick<Card, 'fact' | 'body'> {
  const [only] = states;
  if (states.length < servers.length || states.some(({ outcome }) => outcome === undefined))
    return { fact: md`${asked}; the panel has not answered yet.`, body: [] };
  if (only?.followUp === undefined || only.followUp.ended !== undefined || states.length > 1)
    return { fact: md`${asked}.`, body: [fact] };
  const look = looks.get(only.run);
  const progress = look === undefined || look === 'no-read' ? undefined : look.progress;
  const far = trusted(progress === undefined ? '' : ` (${percent(progress)})`);
  return { fact: md`${asked}; the panel accepted it${far}.`, body: [] };
}

const actorOf = ({ actor }: Known): Markup => trusted(`<@${actor.id}>`);

const runsOut = ({ states: [first] }: Known): Markup => moment(first === undefined ? 0 : expiryOf(first));

function wanted(known: Known, { prepare }: Drawing): Required<Pick<Card, 'fact' | 'body' | 'small'>> {
  const prepared = prepare(known);
  return {
    fact: md`${prepared?.fullLabel ?? labelOf(prepared, known)}.`,
    body: [md`${actorOf(known)} may not run this and asks somebody who may.`],
    small: signature(known, 'Asked by'),
  };
}

function lacking(known: Known): Markup {
  const [first] = known.states;
  const left = first === undefined ? 1 : approvalsLeft(first);
  const whom = left === 1 ? 'somebody else approves' : `${left} others approve`;
  return md`${actorOf(known)} confirmed. Nothing is sent until ${trusted(whom)}.`;
}

/** Discord shows a role's mention as its name, and it pings nobody. */
const rolesThatMay = (roles: readonly string[], otherwise: string): Markup =>
  roles.length === 0 ? trusted(otherwise) : md`${list(roles.map((id) => trusted(`<@&${id}>`)))} may approve.`;

/** What would happen: the fact, and the rest. */
function questionText(known: Known, asked: Kind<'asked'>, drawing: Drawing): { fact: Markup; body: Markup[] } {
  const [first = trusted(''), ...more] = lines(known, asked, drawing);
  const [fact, ...rest] = sentences(first);
  const said = [...rest, ...more];
  const warnings = warningLines(known.states, drawing.records, [], maxWarnings);
  // A card that is too long loses whole lines, the last ones first.
  if (joined([...said, ...warnings], ' ').markup.length > maxJoined)
    return { fact, body: [...said.slice(0, 1), ...warnings, ...said.slice(1)] };
  // On a phone, a question is in view with its buttons: two lines, of which the second is what is odd right now.
  const body = warnings.length === 0 ? [said.slice(0, 1), said.slice(1)] : [said, warnings];
  return { fact, body: body.filter(({ length }) => length > 0).map((parts) => joined(parts, ' ')) };
}

const maxWarnings = 2;
/** In characters. */
const maxJoined = 1_500;

/** The lines of the question as recorded. The first release did not record them: they are made again. */
function lines(known: Known, { says }: Kind<'asked'>, { prepare }: Drawing): readonly Markup[] {
  if (says !== undefined) return says.map(trusted);
  return prepare(known)?.question(known.servers.map(() => ({ says: [] }))) ?? [];
}
