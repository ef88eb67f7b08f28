import { trusted } from '../card.ts';
import type { Command, Prepared } from '../command.ts';
import { changesState, isPublic } from './audience.ts';
import { authorize } from './authorize.ts';
import { wantedOf } from './begin.ts';
import { type Answer, answer, type Decision, type Request, type Snapshot } from './decision.ts';
import { maxReasonLength } from './form.ts';
import { liftable } from './liftable.ts';
import { askFirst } from './meant.ts';
import { nameOf, note, outsideOf } from './notes.ts';
import { withOffers } from './offers.ts';
import { tooManyQuestions } from './open-questions.ts';
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
  return answer(card, { denial, options });
}
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
  const { actor, denied, breakGlass } = request;
  const asks =
    prepared.kind === 'change' &&
    (denied !== undefined || wantedOf(snapshot, { actor, command: command.id, prepared, breakGlass }) !== undefined);
  const full = asks ? tooManyQuestions(snapshot, actor.id, command) : undefined;
  return full === undefined ? { kind: 'start', command, prepared, audience, asks } : answer(full);
}

const mayNow = (command: Command): Answer =>
  answer(
    note('not-sent', nameOf(command), trusted('You may now run it yourself: type the command. Nothing was sent.')),
  );
