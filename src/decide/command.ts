import { type Card, md, moment, trusted } from '../card.ts';
import { type Command, type Prepared, ReadFailed } from '../command.ts';
import { invocationOf } from '../runs/ids.ts';
import { expiryOf, isOpenQuestion, orderOf } from '../runs/state.ts';
import { authorize, preparedOf } from './authorize.ts';
import { firstStop, freezesToTell, lookFailed, trailBlocker } from './blockers.ts';
import { type Answer, answer, type Decision, type Found, type Request, type Snapshot } from './decision.ts';
import { liftable, requestTime, withOffers } from './denial.ts';
import { entryOf, outcomeEntry } from './entries.ts';
import { askFirst } from './meant.ts';
import { maxReasonLength, nameOf, note, notSent, outsideOf } from './notes.ts';
import { questionEntries, type Wanted, warnings } from './questions.ts';
import { changesState, isPublic } from './reach.ts';
import { reasonForm } from './reason.ts';
import type { Ending, Work } from './work.ts';

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

/** The card for a person who has reached the limit of open questions. */
function tooManyQuestions(
  { ledger, unended, limits: { questions }, now }: Snapshot,
  actor: string,
  command: Pick<Command, 'id' | 'menu'>,
): Card | undefined {
  const open = ledger
    .open()
    .filter((state) => isOpenQuestion(state) && expiryOf(state) > now() && orderOf(state)?.actor.id === actor);
  const preparing = [...unended].flatMap(([id, { asker }]) => (asker === actor ? [id] : []));
  const ids = new Set([...open.map(({ run }) => invocationOf(run)), ...preparing]);
  if (ids.size < questions) return undefined;
  const [oldest] = open;
  return note(
    'not-sent',
    nameOf(command),
    trusted(`${ids.size} of your questions wait for Confirm, which is the most allowed. Nothing was sent.`),
    trusted('Confirm or cancel one first.'),
    ...(oldest === undefined ? [] : [md`The oldest runs out ${moment(expiryOf(oldest))}.`]),
  );
}

/** What comes of a change whose card is there: the question, the request to others after that denial, or the change. */
export function decideChange(snapshot: Snapshot, asked: Work, { settings }: Found, denied?: string): Decision {
  const { ledger, trail, now } = snapshot;
  const { prepared, runs, breakGlass, inTurn, invocationId } = asked;
  // Another delivery of it was faster: the card shows what the ledger has.
  if (ledger.runs(invocationId).length > 0) return { kind: 'append', entries: [] };
  const end = (how: Ending): Decision => ({
    kind: 'append',
    entries: runs.map((run) => outcomeEntry(asked, run, how)),
  });
  if (!ledger.runs(breakGlass?.over ?? inTurn?.over ?? '').every(isOpenQuestion))
    return end({ outcome: 'not-sent', reason: 'went-on' });
  const wanted = wantedOf(snapshot, asked);
  const work = { ...asked, overriddenFreezes: wanted?.overriddenFreezes };
  const isBegun = denied === undefined && wanted === undefined;
  const blocker = isBegun ? undefined : (trailBlocker(trail, work) ?? firstStop(snapshot, work, runs));
  if (blocker !== undefined) return end(blocker);
  if (settings === undefined) {
    const servers = (isBegun ? runs.slice(0, 1) : runs).map(({ server }) => server);
    return { kind: 'lookup', lookup: { kind: 'settings', prepared, servers } };
  }
  if (settings instanceof ReadFailed) return end(lookFailed(settings));
  if (denied !== undefined) {
    const expires = new Date(now() + requestTime).toISOString();
    const entries = runs.map((run, i) => ({
      ...{ ...entryOf(work, run), kind: 'requested' as const, expires, denied },
      facts: settings[i]?.facts && { ...settings[i].facts },
    }));
    return { kind: 'append', entries };
  }
  if (wanted !== undefined) return { kind: 'append', entries: questionEntries(snapshot, work, settings, wanted) };
  const warns = warnings(snapshot, work, 'look at the server, and say on its card how it ended.');
  // Without a question, the card itself shows what the look found.
  return { kind: 'append', entries: [], work: { ...work, says: settings[0]?.says ?? [], warns } };
}

/** What its question asks for beyond Confirm. Undefined: nothing is asked. */
function wantedOf(
  snapshot: Snapshot,
  work: Pick<Work, 'actor' | 'command' | 'prepared' | 'breakGlass' | 'isSuggested'>,
): (Wanted & Pick<Work, 'overriddenFreezes'>) | undefined {
  const { rules, commands } = snapshot;
  const { prepared, breakGlass, isSuggested = false } = work;
  const command = commands.find(({ id }) => id === work.command);
  const freezes = freezesToTell(snapshot, work, prepared.servers);
  const {
    confirm = false,
    typed = false,
    approvals,
  } = command === undefined ? {} : rules.requirements(command, prepared.servers);
  if (!confirm && !isSuggested && breakGlass === undefined && freezes.length === 0) return undefined;
  const overriddenFreezes = freezes.length === 0 ? undefined : freezes;
  return { typed, overriddenFreezes, approvals: breakGlass === undefined ? approvals : undefined };
}
