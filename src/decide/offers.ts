import { type Markup, md, moment, trusted } from '../card.ts';
import type { Refusal } from './authorize.ts';
import type { Request, Snapshot } from './decision.ts';
import { breakGlassOffer } from './emergency.ts';
import { requestOffer } from './liftable.ts';
import { alsoInTrail } from './notes.ts';

/** A denial with the ways that the policy leaves this person, unless they are on one of them already. */
export function withOffers(snapshot: Snapshot, request: Request, refusal: Refusal): Refusal {
  if (request.denied !== undefined || request.breakGlass !== undefined) return refusal;
  const breakGlass = breakGlassOffer(snapshot, request, refusal);
  const offers = [...requestOffer(snapshot, request, refusal), ...breakGlass];
  // Their buttons need the record of this denial.
  const counted = offers.length === 0 ? undefined : snapshot.countedUntil(request.actor);
  const buttons = counted === undefined ? offers : [];
  const { card, denial } = refusal;
  const next = counted !== undefined ? [aboutCounted(counted)] : breakGlass.length === 0 ? [] : [aboutBreakGlass];
  const body = denial?.command.instead === undefined ? card.body : [...card.body, ...alsoInTrail(snapshot.trail)];
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
