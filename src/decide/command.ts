import { type Card, type Markup, md, moment, trusted } from '../card.ts';
import type { Command, Prepared } from '../command.ts';
import { invocationOf } from '../runs/ids.ts';
import { expiryOf, isOpenQuestion } from '../runs/state.ts';
import { authorize, preparedOf, type Refusal } from './authorize.ts';
import { wantedOf } from './begin.ts';
import { type Answer, answer, type Decision, type Request, type Snapshot } from './decision.ts';
import { breakGlassOffer, liftable, requestOffer } from './denial.ts';
import { askFirst } from './meant.ts';
import { alsoInTrail, maxReasonLength, nameOf, note, notSent, outsideOf } from './notes.ts';
import { changesState, isPublic } from './reach.ts';
import { reasonForm } from './reason.ts';

/** What comes of a command: a refusal, a form that asks for its reason, or it goes on. Nothing more is asked after a form. */
export function decideCommand(snapshot: Snapshot, asked: Request): Extract<Decision, { kind: Kinds }> {
  const request = withReason(asked);
  const { denied, typed, options } = request;
  const authorization = authorize(snapshot, request);
  if (authorization.kind === 'allowed')
    // Whoever was denied it asks others, and runs nothing by that.
    return denied === undefined ? goOn(snapshot, request, authorization) : mayNow(authorization.command);
  const lifted = denied === undefined ? undefined : liftable(snapshot, request, authorization);
  if (lifted?.lacksReason === false) return goOn(snapshot, request, lifted);
  const { lacksReason } = authorization;
  const outside = lacksReason && outsideOf(request, lacksReason.command);
  if (outside !== undefined) return answer(outside);
  const form = typed === undefined && lacksReason ? reasonForm(snapshot, request, lacksReason) : undefined;
  if (form !== undefined) return { kind: 'form', form };
  const { card, denial } = withOffers(snapshot, request, authorization);
  const isOver = denial === undefined || card.buttons === undefined;
  return answer(card, { denial: isOver ? denial : { ...denial, meant: meantBy(snapshot, request) }, options });
}

/** What the buttons of a denial go on with: the same servers, whoever has their names by then. */
const meantBy = (snapshot: Snapshot, request: Request): number[] | undefined =>
  preparedOf(snapshot, request)?.servers.map(({ id }) => id);

type Kinds = 'answer' | 'form' | 'read' | 'start';

/** What a form asked for is the reason, unless the button that opened it put that elsewhere. */
function withReason(request: Request): Request {
  const { typed, options, breakGlass } = request;
  if (typed === undefined || breakGlass !== undefined || options['reason'] !== undefined) return request;
  return { ...request, options: { ...options, reason: typed.slice(0, maxReasonLength) } };
}

function goOn(
  snapshot: Snapshot,
  request: Request,
  { command, prepared }: { command: Command; prepared: Prepared },
): Extract<Decision, { kind: Kinds }> {
  const outside = outsideOf(request, command);
  if (outside !== undefined) return answer(outside);
  const audience = isPublic(command, request.place, snapshot) ? 'public' : 'private';
  if (prepared.kind === 'read' || (prepared.kind === 'local' && !changesState(command)))
    return { kind: 'read', command, prepared, audience, part: 0 };
  const first =
    prepared.kind === 'local' && request.isMeant === undefined
      ? prepared.asks?.(snapshot.ledger, request.place, snapshot.now())
      : undefined;
  if (prepared.kind === 'local' && first !== undefined) return askFirst(snapshot, request, command, prepared, first);
  const { actor, denied, breakGlass, isSuggested } = request;
  const asks =
    prepared.kind === 'change' &&
    (denied !== undefined ||
      wantedOf(snapshot, { actor, command: command.id, prepared, breakGlass, isSuggested }) !== undefined);
  const full = asks ? tooManyQuestions(snapshot, actor.id, command) : undefined;
  return full === undefined ? { kind: 'start', command, prepared, audience, asks } : answer(full);
}

const mayNow = (command: Command): Answer =>
  notSent(nameOf(command), trusted('You may now run it yourself: type the command. Nothing was sent.'));

/** A denial with the ways that the policy leaves this person, unless they are on one of them already. */
function withOffers(snapshot: Snapshot, request: Request, refusal: Refusal): Refusal {
  if (request.denied !== undefined || request.breakGlass !== undefined) return refusal;
  const breakGlass = breakGlassOffer(snapshot, request, refusal);
  const offers = [...requestOffer(snapshot, request, refusal), ...breakGlass];
  // Their buttons need the record of this denial.
  const counted = offers.length === 0 ? undefined : snapshot.limits.denials.countedUntil(request.actor);
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

/** The card for a person who has reached the limit of open questions. */
function tooManyQuestions(
  { ledger, unended, limits: { questions }, now }: Snapshot,
  actor: string,
  command: Pick<Command, 'id' | 'menu'>,
): Card | undefined {
  const open = ledger
    .open()
    .filter((state) => isOpenQuestion(state) && expiryOf(state) > now())
    .flatMap(({ asked, requested }) => asked ?? requested ?? [])
    .filter((each) => each.actor.id === actor);
  const preparing = [...unended].flatMap(([id, { asker }]) => (asker === actor ? [id] : []));
  const ids = new Set([...open.map(({ run }) => invocationOf(run)), ...preparing]);
  if (ids.size < questions) return undefined;
  const [oldest] = open;
  return note(
    'not-sent',
    nameOf(command),
    trusted(`${ids.size} of your questions wait for Confirm, which is the most allowed. Nothing was sent.`),
    trusted('Confirm or cancel one first.'),
    ...(oldest === undefined ? [] : [md`The oldest runs out ${moment(Date.parse(oldest.expires))}.`]),
  );
}
