import { type Card, list, type Markup, md, trusted } from '../../card.ts';
import type { Kind } from '../../runs/entry.ts';
import { button, glassButton } from '../buttons.ts';
import type { Drawing, Known } from './known.ts';
import { base, labelOf, signature, tiersOf } from './parts.ts';

/**
 * A request to somebody who may: what exactly would be done, and who may take it on. It shows nothing that was read:
 * whoever asked may not see it.
 */
export function requestCard(
  known: Known,
  requested: Kind<'requested'>,
  drawing: Pick<Drawing, 'seal' | 'prepare' | 'approvers' | 'mayBreakGlass'>,
): Card {
  const { actor, invocationId, servers } = known;
  const prepared = drawing.prepare(known);
  const seal = (kind: 'accept' | 'decline'): string => `${invocationId}.${drawing.seal(kind, requested)}`;
  return {
    ...base(known),
    subject: tiersOf(servers) ?? base(known).subject,
    state: 'question',
    fact: prepared?.change ?? labelOf(prepared, known),
    body: [md`<@${trusted(actor.id)}> may not run this and asks somebody who may.`],
    next: [
      md`Nothing is sent yet. Approve asks you to confirm it as your own command. ${who(known, drawing)} Runs out ${runsOut(requested)}.`,
    ],
    small: signature(known, 'Asked by'),
    buttons: [
      { ...button('Approve', 'accept', seal('accept')), tone: 'primary' },
      button('Decline', 'decline', seal('decline')),
      ...(drawing.mayBreakGlass(actor.roles, known.command, servers) ? [glassButton(invocationId)] : []),
    ],
  };
}

/** The message that pings those who may. */
export function requestCall(
  known: Known,
  requested: Kind<'requested'>,
  { prepare }: Pick<Drawing, 'prepare'>,
  link: Markup,
): Card {
  const prepared = prepare(known);
  return {
    ...base(known),
    state: 'question',
    fact: prepared?.change ?? labelOf(prepared, known),
    body: [md`<@${trusted(known.actor.id)}> may not run this and asks somebody who may.`],
    next: [md`Look at ${link}, then press Approve or Decline there. Runs out ${runsOut(requested)}.`],
    small: signature(known, 'Asked by'),
    run: `${known.invocationId} · request`,
  };
}

const runsOut = ({ expires }: Kind<'requested'>): Markup => trusted(`<t:${Math.floor(Date.parse(expires) / 1000)}:R>`);

function who({ servers, command }: Known, { approvers }: Pick<Drawing, 'approvers'>): Markup {
  const roles = approvers(servers, command);
  return roles.length === 0
    ? trusted('Nobody may run it there any longer.')
    : md`${list(roles.map((id) => trusted(`<@&${id}>`)))} may approve.`;
}
