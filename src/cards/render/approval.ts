import { type Card, list, type Markup, md, trusted } from '../../card.ts';
import type { Kind } from '../../runs/entry.ts';
import type { RunState } from '../../runs/state.ts';
import { approvalsLeft, awaitsReview, expiryOf } from '../../runs/state.ts';
import { button, glassButton } from '../buttons.ts';
import type { Drawing, Known } from './known.ts';
import { base, cardLink, signature, tiersOf } from './parts.ts';
import { questionText } from './question.ts';
import { requestCall } from './request.ts';

type Asking = Pick<Drawing, 'seal' | 'prepare' | 'command' | 'records' | 'approvers' | 'mayBreakGlass'>;

/** A confirmed question that waits for somebody else's approval: what would happen, who may approve, and the buttons. */
export function approvalCard(known: Known, asked: Kind<'asked'>, drawing: Asking): Card {
  const { actor, invocationId, command, options, servers } = known;
  const { fact, body } = questionText(known, asked, drawing);
  const label = drawing.prepare({ command, options })?.label ?? 'this';
  const tone = drawing.command(command)?.danger === 'write' ? 'primary' : 'danger';
  const seal = (kind: 'approve' | 'cancel'): string => `${invocationId}.${drawing.seal(kind, asked)}`;
  return {
    ...base(known),
    subject: tiersOf(servers) ?? base(known).subject,
    state: 'question',
    fact,
    body,
    next: [
      md`<@${trusted(actor.id)}> confirmed. ${lacking(known)}. ${who(known, drawing)} Runs out ${runsOut(known)}.`,
    ],
    small: signature(known),
    buttons: [
      { ...button(`Approve: ${label.charAt(0).toLowerCase()}${label.slice(1)}`, 'approve', seal('approve')), tone },
      button('Cancel', 'cancel', seal('cancel')),
      ...(drawing.mayBreakGlass(actor.roles, command, servers) ? [glassButton(invocationId)] : []),
    ],
  };
}

/** The message that pings those who may approve, or take a request on: what would be done, and where the button is. */
export function approvalCall(known: Known, drawing: Pick<Drawing, 'prepare' | 'records'>): Card | undefined {
  const [first] = known.states;
  if (first?.requested !== undefined && first.asked === undefined)
    return requestCall(known, first.requested, drawing, cardLink('its card', first));
  if (first?.asked === undefined) return undefined;
  if (known.states.some(awaitsReview)) return reviewCall(known, first);
  const { fact } = questionText(known, first.asked, drawing);
  return {
    ...base(known),
    state: 'question',
    fact,
    body: [md`<@${trusted(known.actor.id)}> confirmed. ${lacking(known)}.`],
    next: [md`Look at ${cardLink('its card', first)}, then press Approve or Cancel there. Runs out ${runsOut(known)}.`],
    small: signature(known),
    run: `${known.invocationId} · approval`,
  };
}

/** The message that tells those who may approve that somebody went on without them. */
const reviewCall = (known: Known, first: RunState): Card => ({
  ...base(known),
  state: 'alert',
  fact: md`<@${trusted(known.actor.id)}> used break-glass.`,
  body: [trusted('It is not waiting for your approval.')],
  next: [
    md`Look at ${cardLink('its card', first)}. Once the command has ended, press Close the review there. Whoever used break-glass cannot.`,
  ],
  small: signature(known),
  run: `run ${known.invocationId} · review`,
});

function lacking({ states: [first] }: Known): Markup {
  const left = first === undefined ? 1 : approvalsLeft(first);
  return trusted(`Nothing is sent until ${left === 1 ? 'somebody else approves' : `${left} others approve`}`);
}

const runsOut = ({ states: [first] }: Known): Markup =>
  trusted(`<t:${Math.floor((first === undefined ? 0 : expiryOf(first)) / 1000)}:R>`);

/** Names the roles that may approve: Discord shows a role's mention as its name, and it pings nobody. */
function who({ servers }: Known, { approvers }: Pick<Drawing, 'approvers'>): Markup {
  const roles = approvers(servers);
  return roles.length === 0
    ? trusted('The policy lets nobody approve it there.')
    : md`${list(roles.map((id) => trusted(`<@&${id}>`)))} may approve.`;
}
