import { type Card, md, trusted, typedText } from '../card.ts';
import type { Command, PreparedChange } from '../command.ts';
import { Refused } from '../ledger/ledger.ts';
import type { Server } from '../outcome.ts';
import type { Kind } from '../runs/entry.ts';
import { expiryOf, isOpenRequest, type RunState } from '../runs/state.ts';
import { denialOf, goingOn, refuseDenial } from './after-denial.ts';
import { liftable } from './ask-others.ts';
import { authorize, preparedOf } from './authorize.ts';
import { type Ending, end, outcomeEntry, type Run, type Work } from './change.ts';
import { maxReasonLength, titleOf } from './form.ts';
import { lookAgain } from './holds.ts';
import { goneCard, nameOf, note, typedName } from './notes.ts';
import { beforeModal, type Rejection, sealedBy, takeQuestion } from './open-question.ts';
import type { Click, RunParts } from './parts.ts';
import { isFirst, outsideOf } from './pipeline.ts';
import { runsNow, startCommand } from './press.ts';
import { ask } from './question.ts';
import { refuse } from './refuse.ts';

/** Ask a lead: after a denial of one's own, asks those who may, once. Asks for the reason first, if that is missing. */
export async function askOthers(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  await runsNow(parts, payload);
  const denied = denialOf(parts, clicked, payload);
  if (denied === undefined) return refuseDenial(parts, clicked, payload);
  const { run, command, options } = denied;
  const isAsked = wasAsked(parts, denied);
  const title = isAsked ? undefined : untold(parts, clicked, denied);
  if (title !== undefined && clicked.typed === undefined)
    return clicked.reply.ask({
      id: clicked.button,
      title,
      label: 'Why? For whoever decides',
      longest: maxReasonLength,
    });
  const reason = title === undefined ? options['reason'] : typedText(clicked.typed ?? '', maxReasonLength);
  if (reason === '') return refuseClick(clicked, 'Say why. Nobody was asked.');
  const key = `lead ${run}`;
  if (isAsked || !isFirst(parts, key) || (await parts.claim(key)) === 'theirs')
    return refuseClick(clicked, 'You have already asked: see the card. Nobody was pinged again.');
  await startCommand(parts, clicked, command, reason === undefined ? options : { ...options, reason }, {
    denied: run,
    ...goingOn(denied),
  });
  // It was refused: they may ask once more.
  if (!wasAsked(parts, denied)) parts.handled.delete(key);
}

/** Whether this denial has led to a request, be it over. */
function wasAsked(parts: RunParts, { run, command, options, seq }: Kind<'denied'>): boolean {
  const { ledger } = parts;
  const isOf = (state: RunState | undefined): boolean => state?.requested?.denied === run;
  const isEnded = ({ id }: Server): boolean => {
    const outcomes = ledger.outcomes(id);
    for (let at = outcomes.upTo(seq); at < outcomes.length; at += 1)
      if (isOf(ledger.run(outcomes.at(at)?.run ?? ''))) return true;
    return false;
  };
  return ledger.open().some(isOf) || (preparedOf(parts, { command, options })?.servers.some(isEnded) ?? false);
}

/** The title of the form that asks for the reason, if the policy wants one and none was typed. */
function untold(parts: RunParts, { actor, place }: Click, { command, options }: Kind<'denied'>): string | undefined {
  const asked = { actor, place, command, options };
  const authorization = authorize(parts, asked);
  const lifted = authorization.kind === 'refused' ? liftable(parts, asked, authorization) : undefined;
  return lifted?.lacksReason === true ? titleOf(nameOf(lifted.command), lifted.prepared.servers) : undefined;
}

async function refuseClick({ reply }: Click, words: string): Promise<void> {
  await reply.refuse(note('not-sent', 'this button', trusted(words)));
}

/** An open request. */
interface Request {
  invocationId: string;
  requested: Kind<'requested'>;
  states: readonly (RunState & { requested: Kind<'requested'> })[];
}

/** A request that this person may take on: the command is decided for them, as if they had typed it. */
interface Acceptable extends Request {
  command: Command;
  prepared: PreparedChange;
}

async function find(
  parts: RunParts,
  clicked: Click,
  kind: 'accept' | 'decline',
  payload: string,
): Promise<Request | Rejection> {
  const sealed = await sealedBy(parts, clicked, { kind, payload, of: 'requested' });
  if (sealed === undefined) return { card: goneCard(undefined, 0) };
  const { invocationId, first, states } = sealed;
  if (!states.every(isOpenRequest) || parts.now() >= expiryOf(first)) return { card: tooLate(first) };
  return { invocationId, requested: first.requested, states };
}

const off = (id: string): Card =>
  note(
    'not-sent',
    typedName(id),
    trusted('The policy no longer lets anybody ask others. Nothing was sent. If you may run it, type the command.'),
  );

const tooLate = ({ requested, asked }: RunState): Card => {
  const name = requested === undefined ? 'your click' : typedName(requested.command);
  const words =
    asked === undefined
      ? trusted('This request is no longer open. Your click changed nothing.')
      : md`<@${trusted(asked.actor.id)}> was faster. Your click changed nothing.`;
  return note('not-sent', name, words);
};

/** The request, if this person may run all of it as they stand now. */
async function findAcceptable(
  parts: RunParts,
  clicked: Click,
  kind: 'accept' | 'decline',
  payload: string,
): Promise<Acceptable | Rejection> {
  const found = await find(parts, clicked, kind, payload);
  if ('card' in found) return found;
  const { actor, place } = clicked;
  const { command: id, options } = found.requested;
  if (kind === 'accept' && !parts.rules.askOthers) return { card: off(id) };
  const authorization = authorize(parts, { actor, place, command: id, options });
  if (authorization.kind === 'refused') return { ...authorization, options };
  const { command, prepared } = authorization;
  const outside = await outsideOf(clicked, command);
  if (outside !== undefined) return outside;
  return prepared.kind === 'change' ? { ...found, command, prepared } : { card: goneCard(undefined, 0) };
}

/** Approve on a request: it becomes a question to whoever pressed it, unless what was read for it has changed. */
export async function accept(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const found = await takeQuestion(parts, clicked, async () => {
    const acceptable = await findAcceptable(parts, clicked, 'accept', payload);
    const isOwn = 'requested' in acceptable && acceptable.requested.actor.id === clicked.actor.id;
    return isOwn ? { card: own(acceptable.requested) } : acceptable;
  });
  if (found === undefined) return;
  const { invocationId, requested, states, command, prepared } = found;
  const runs = states.flatMap((state): Run[] => {
    const server = prepared.servers.find(({ id }) => id === state.requested.server?.id);
    return server === undefined ? [] : [{ run: state.run, server, facts: state.requested.facts }];
  });
  const from = goingOn(parts.ledger.run(requested.denied)?.outcome);
  const of = { invocationId, command: command.id, actor: clicked.actor, place: requested.place, prepared, runs };
  const work: Work = { ...of, ...from, options: prepared.options };
  // The policy may mean other servers by now.
  const isSame = runs.length === states.length && isEqual(prepared.options, requested.options);
  const differs = isSame ? await changed(parts, work) : ({ outcome: 'not-sent', reason: 'changed-since' } as const);
  // Somebody else may have taken it on during the look.
  const now = parts.ledger.runs(invocationId);
  if (!now.every(isOpenRequest)) return void (await clicked.reply.whisper(tooLate(now[0] ?? { run: invocationId })));
  if (differs !== undefined)
    return void (await end(parts, { ...work, options: requested.options }, allRuns(states), differs));
  await ask(parts, work, parts.rules.requirements(command, prepared.servers));
}

const isEqual = (a: object, b: object): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

const allRuns = (states: Request['states']): Run[] =>
  states.map(({ run, requested }) => ({ run, server: requested.server ?? { id: 0 } }));

async function changed(parts: RunParts, work: Work): Promise<Ending | undefined> {
  for (const run of work.runs) {
    const { hold } = await lookAgain(parts, work, run);
    if (hold !== undefined) return hold;
  }
  return undefined;
}

const own = ({ command }: Kind<'requested'>): Card =>
  note(
    'not-sent',
    typedName(command),
    trusted('You asked for this, so somebody else must approve it. You may now run it yourself: type the command.'),
  );

/** Decline, with a word: by whoever may run it, and by the requester. */
export async function decline(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const { actor, typed, reply } = clicked;
  const look = async (): Promise<Request | Rejection> => {
    const found = await find(parts, clicked, 'decline', payload);
    const isOwn = 'requested' in found && found.requested.actor.id === actor.id;
    return isOwn ? found : findAcceptable(parts, clicked, 'decline', payload);
  };
  if (typed === undefined) {
    const found = await beforeModal(look());
    if ('card' in found)
      return void (await refuse(parts, { ...clicked, options: found.options ?? {} }, { kind: 'refused', ...found }));
    const { command, server, actor: requester } = found.requested;
    const title = titleOf(typedName(command), server === undefined ? [] : [server]);
    const label = requester.id === actor.id ? 'Why withdraw it?' : 'A note to whoever asked';
    return reply.ask({ id: clicked.button, title, label, longest: maxReasonLength });
  }
  const word = typedText(typed, maxReasonLength);
  if (word === '') return refuseClick(clicked, 'Say why. Nothing was declined.');
  const found = await takeQuestion(parts, clicked, look);
  if (found === undefined) return;
  const { requested, states } = found;
  const detail = md`Declined by <@${trusted(actor.id)}>: ${word}`;
  const how = { outcome: 'cancelled', reason: 'cancelled', detail } as const;
  await parts.ledger
    .append(allRuns(states).map((run) => outcomeEntry({ ...requested, actor }, run, how)))
    .catch((error: unknown) => {
      // Somebody was faster: the card shows it.
      if (!(error instanceof Refused)) throw error;
    });
}
