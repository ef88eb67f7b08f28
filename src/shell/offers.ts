import { type Markup, md, moment, trusted } from '../card.ts';
import type { Refusal } from '../decide/authorize.ts';
import { breakGlassOffer } from '../decide/emergency.ts';
import { requestOffer } from '../decide/liftable.ts';
import { alsoInTrail } from '../decide/notes.ts';
import type { Invocation, RunParts } from './parts.ts';

/** A denial with the ways that the policy leaves this person, unless they are on one of them already. */
export function withOffers(parts: RunParts, invocation: Invocation, refusal: Refusal): Refusal {
  if (invocation.denied !== undefined || invocation.breakGlass !== undefined) return refusal;
  const breakGlass = breakGlassOffer(parts, invocation, refusal);
  const offers = [...requestOffer(parts, invocation, refusal), ...breakGlass];
  // Their buttons need the record of this denial.
  const counted = offers.length === 0 ? undefined : parts.denials.countedUntil(invocation.actor);
  const buttons = counted === undefined ? offers : [];
  const { card, denial } = refusal;
  const next = counted !== undefined ? [aboutCounted(counted)] : breakGlass.length === 0 ? [] : [aboutBreakGlass];
  const body = denial?.command.instead === undefined ? card.body : [...card.body, ...alsoInTrail(parts.trail)];
  return {
    ...refusal,
    card: { ...card, body, next: [...(card.next ?? []), ...next], ...(buttons.length === 0 ? {} : { buttons }) },
  };
}

const aboutBreakGlass = trusted(
  'Break glass: you confirm it, it runs at once, and somebody else reviews it afterwards.',
);
const aboutCounted = (until: number): Markup =>
  md`After so many denials this one has no buttons. Type the command again ${moment(until)}, or ask in the channel.`;
