import { setTimeout as delay } from 'node:timers/promises';
import { type Card, md, trusted } from '../card.ts';
import type { PreparedChange } from '../command.ts';
import { defined } from '../defined.ts';
import { Refused } from '../ledger/ledger.ts';
import { type Actor, LedgerUnavailable, type RawOptions } from '../outcome.ts';
import type { Kind } from '../runs/entry.ts';
import { isOpenQuestion, type RunState } from '../runs/state.ts';
import { authorize, type Refusal } from './authorize.ts';
import { change, entryOf, outcomeEntry, type Run, type Work } from './change.ts';
import { goneCard, note, troubleCard, typedName, unclaimedClick } from './notes.ts';
import { recordedOf } from './observed.ts';
import type { Click, RunParts } from './parts.ts';
import { outsideOf, withProgress } from './pipeline.ts';
import { takeClick } from './press.ts';
import { recordDenial, refuse } from './refuse.ts';

/** An open question whose command this person may run. */
interface OpenQuestion {
  invocationId: string;
  asked: Kind<'asked'>;
  states: readonly (RunState & { asked: Kind<'asked'> })[];
  prepared: PreparedChange;
}

/** Why a click is rejected. `closedBy`: the id of the person who confirmed or cancelled the question. */
type Rejection = { card: Card; options?: RawOptions; closedBy?: string | undefined } & Partial<Pick<Refusal, 'denial'>>;

type SealKind = 'confirm' | 'typed' | 'cancel';

/** Handles Confirm, or the submitted modal of a question that requires typing. */
export async function confirm(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await takeQuestion(parts, clicked, 'confirm', payload);
  if (open === undefined) return;
  const objection = notRequester(clicked, open) ?? tooEasy(parts, open) ?? mistyped(clicked, open);
  if (objection !== undefined) return clicked.reply.whisper(objection);
  const { actor } = clicked;
  const confirmed = open.states.map((state) => ({
    ...entryOf(workOf(open), runOf(state)),
    ...{ kind: 'confirmed' as const, actor, question: state.asked.hash, owner: parts.processId },
  }));
  const closed = await record(parts, open, confirmed);
  if (closed !== undefined) return clicked.reply.whisper(closed);
  await doConfirmed(parts, open, actor);
}

async function doConfirmed(parts: RunParts, open: OpenQuestion, { roles }: Actor): Promise<void> {
  const { invocationId, asked } = open;
  const begun = performance.now();
  const work = () => change(parts, { ...workOf(open), isConfirmed: true, roles });
  await parts.observe.within(invocationId, () => withProgress(parts, invocationId, work));
  const ended = { invocationId, command: asked.command, outcome: recordedOf(parts, invocationId) };
  parts.observe.finished({ ...ended, by: 'confirmed' }, performance.now() - begun);
}

/** Handles Cancel, by anyone who may run the command. */
export async function cancel(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await takeQuestion(parts, clicked, 'cancel', payload);
  if (open === undefined) return;
  const { actor } = clicked;
  const how = { outcome: 'cancelled', reason: 'cancelled', detail: trusted(`Cancelled by <@${actor.id}>.`) } as const;
  const work = { ...workOf(open), actor };
  const closed = await record(
    parts,
    open,
    open.states.map((state) => outcomeEntry(work, runOf(state), how)),
  );
  if (closed !== undefined) await clicked.reply.whisper(closed);
}

/**
 * Closes the question in the ledger, which accepts only one close. Returns a card if somebody was faster or the ledger
 * cannot be written.
 */
async function record(
  { ledger, now }: RunParts,
  { invocationId }: OpenQuestion,
  entries: Parameters<RunParts['ledger']['append']>[0],
): Promise<Card | undefined> {
  try {
    await ledger.append(entries);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return goneCard(ledger.runs(invocationId)[0], now());
    if (!(error instanceof LedgerUnavailable)) throw error;
    return troubleCard(error);
  }
}

/**
 * How long to wait for the entries of other processes before opening a modal, in ms: Discord expires the interaction
 * after 3 seconds.
 */
const modalWait = 1_500;

/** Handles Confirm of a question that requires typing: opens the modal, whose submission confirms. */
export async function openModal(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const { reply } = clicked;
  const found = await Promise.race([
    find(parts, clicked, 'typed', payload).catch((): Rejection => ({ card: unclaimedClick() })),
    delay<Rejection>(modalWait, { card: unclaimedClick() }, { ref: false }),
  ]);
  if ('card' in found)
    return void (await refuse(parts, { ...clicked, options: found.options ?? {} }, { kind: 'refused', ...found }));
  const { asked, invocationId } = found;
  const strange = notRequester(clicked, found);
  if (strange !== undefined) return void (await reply.refuse(strange));
  await reply.ask({
    id: `confirm:${invocationId}.${parts.seal.of('confirm', asked)}`,
    title: typedName(asked.command),
    label: `Type ${asked.typed ?? ''}`.slice(0, 45),
  });
}

/** Acknowledges, claims, finds the question and decides again. Undefined: the click is already answered. */
async function takeQuestion(
  parts: RunParts,
  clicked: Click,
  kind: SealKind,
  payload: string,
): Promise<OpenQuestion | undefined> {
  const { interaction, actor, place, reply } = clicked;
  const taken = await takeClick(parts, clicked);
  if (taken === undefined) return undefined;
  const found =
    taken.claimed === 'unknown'
      ? { card: unclaimedClick() }
      : await find(parts, clicked, kind, payload).catch(unreadable);
  if (!('card' in found)) {
    parts.cards.touched(found.invocationId, { ...interaction, at: parts.now(), message: place.message });
    return found;
  }
  // An earlier delivery of this click closed the question. The card tells the person so; "somebody was faster" would be
  // wrong.
  if (taken.answered === 'taken' && found.closedBy === actor.id) return undefined;
  // A denial is recorded even if the message about it fails.
  await Promise.all([
    reply.whisper(found.card),
    found.denial && recordDenial(parts, { interaction, actor, place, options: found.options ?? {} }, found.denial),
  ]);
  return undefined;
}

function unreadable(error: unknown): Rejection {
  if (!(error instanceof LedgerUnavailable)) throw error;
  return { card: unclaimedClick() };
}

/** Finds the question of a button. Requires a valid seal, the right message, and the permission to run the command. */
async function find(
  parts: RunParts,
  { actor, place, mayReturn }: Click,
  kind: SealKind,
  payload: string,
): Promise<OpenQuestion | Rejection> {
  const [invocationId = '', seal = ''] = payload.split('.');
  await parts.ledger.refresh();
  const states = parts.ledger.runs(invocationId).flatMap((state) => {
    const { asked } = state;
    return asked === undefined ? [] : [{ ...state, asked }];
  });
  const [first] = states;
  if (first === undefined || !parts.seal.matches(seal, kind, first.asked)) return { card: goneCard(undefined, 0) };
  const { asked } = first;
  const { guild, channel, message } = asked.place;
  if (place.guild !== guild || place.channel !== channel || place.message !== message)
    return { card: goneCard(undefined, 0) };
  if (!states.every(isOpenQuestion) || parts.now() >= Date.parse(asked.expires))
    return { card: goneCard(first, parts.now()), closedBy: closerOf(first) };

  const { command, options } = asked;
  const authorization = authorize(parts, { actor, place, command, options });
  if (authorization.kind === 'refused') return { ...authorization, options };
  const outside = kind === 'cancel' ? undefined : await outsideOf({ mayReturn }, authorization.command);
  if (outside !== undefined) return outside;
  const { prepared } = authorization;
  return prepared.kind === 'change' ? { invocationId, asked, states, prepared } : { card: goneCard(undefined, 0) };
}

/** The id of the person who closed a question. */
const closerOf = ({ confirmed, outcome }: RunState): string | undefined =>
  (confirmed ?? (outcome?.outcome === 'cancelled' ? outcome : undefined))?.actor.id;

/** Only the requester confirms. */
function notRequester({ actor }: Click, { asked }: OpenQuestion): Card | undefined {
  if (actor.id === asked.actor.id) return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    trusted(`Only <@${asked.actor.id}> can confirm this question. Your click changed nothing.`),
    trusted('If you may run the command, you can cancel this one, or type it yourself.'),
  );
}

/** The policy may have become stricter since the question: what must be typed now is typed nowhere on its card. */
function tooEasy({ rules, commands }: RunParts, { asked }: OpenQuestion): Card | undefined {
  const command = commands.find(({ id }) => id === asked.command);
  if (asked.typed !== undefined || command === undefined || !rules.requirements(command).typed) return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    trusted('Since this question, the policy wants the name of the server typed to confirm. Nothing was sent.'),
    trusted('Cancel it, and type the command again.'),
  );
}

function mistyped({ typed }: Click, { asked, prepared }: OpenQuestion): Card | undefined {
  if (asked.typed === undefined || typed?.trim().toLowerCase() === asked.typed.toLowerCase()) return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    md`What you typed is not ${asked.typed}. Nothing was sent; the question stays open. Press ${trusted(prepared.label)} to type again.`,
  );
}

const runOf = ({ run, asked }: OpenQuestion['states'][number]): Run => ({
  run,
  server: asked.server ?? { id: 0 },
  ...defined({ facts: asked.facts }),
});

/** The work of a confirmed question: exactly what was asked, with the facts read then. */
function workOf({ invocationId, asked, states, prepared }: OpenQuestion): Work {
  const { command, actor, place, options, undoes } = asked;
  const targets = new Map(prepared.servers.map((server) => [server.id, server]));
  return {
    ...{ invocationId, command, actor, place, options, prepared },
    ...defined({ undoes }),
    runs: states.flatMap((state): Run[] => {
      const server = targets.get(state.asked.server?.id ?? Number.NaN);
      return server === undefined ? [] : [{ ...runOf(state), server }];
    }),
  };
}
