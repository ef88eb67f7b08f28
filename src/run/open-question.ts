import { setTimeout as delay } from 'node:timers/promises';
import type { Card } from '../card.ts';
import type { PreparedChange } from '../command.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable, type RawOptions } from '../outcome.ts';
import type { Kind } from '../runs/entry.ts';
import { awaitsApproval, expiryOf, isOpenQuestion, type RunState } from '../runs/state.ts';
import type { Refusal } from './authorize.ts';
import { change, type Run, type Work } from './change.ts';
import { troubleCard } from './fault.ts';
import { goneCard, unclaimedClick } from './notes.ts';
import { recordedOf } from './observed.ts';
import type { Click, RunParts } from './parts.ts';
import { withProgress } from './pipeline.ts';
import { takeClick } from './press.ts';
import { recordDenial } from './refuse.ts';

/** An open question. */
export interface Question {
  invocationId: string;
  asked: Kind<'asked'>;
  states: readonly (RunState & { asked: Kind<'asked'> })[];
}

/** An open question whose command this person may run. */
export interface OpenQuestion extends Question {
  prepared: PreparedChange;
}

/** Why a click is rejected. `closedBy`: the id of the person who confirmed or cancelled the question. */
export type Rejection = { card: Card; options?: RawOptions; closedBy?: string | undefined } & Partial<
  Pick<Refusal, 'denial'>
>;

type SealKind = 'confirm' | 'typed' | 'cancel' | 'approve';

/** Acknowledges, claims, finds the question and decides again. Undefined: the click is already answered. */
export async function takeQuestion<T extends Pick<Question, 'invocationId'>>(
  parts: RunParts,
  clicked: Click,
  look: () => Promise<T | Rejection>,
): Promise<T | undefined> {
  const { interaction, actor, place, button, reply } = clicked;
  const taken = await takeClick(parts, clicked);
  if (taken === undefined) return undefined;
  const found = taken.claimed === 'unknown' ? { card: unclaimedClick() } : await look().catch(unreadable);
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
    found.denial &&
      recordDenial(parts, { interaction, actor, place, button, options: found.options ?? {} }, found.denial),
  ]);
  return undefined;
}

function unreadable(error: unknown): Rejection {
  if (!(error instanceof LedgerUnavailable)) throw error;
  return { card: unclaimedClick() };
}

/** How long to look before a modal is opened, in ms: Discord expires the interaction after 3 seconds. */
const modalWait = 1_500;

/** What was found in time to open a modal. A look that is late, or fails, leaves the click undecided. */
export function beforeModal<T>(look: Promise<T | Rejection>): Promise<T | Rejection> {
  const undecided: Rejection = { card: unclaimedClick() };
  return Promise.race([look.catch(() => undecided), delay(modalWait, undecided, { ref: false })]);
}

type With<K extends 'asked' | 'requested'> = RunState & { [name in K]-?: NonNullable<RunState[name]> };

const isWith = <K extends 'asked' | 'requested'>(state: RunState, name: K): state is With<K> =>
  state[name] !== undefined;

/** What a button is about. Undefined: its seal is not valid for that, or it is not on the message that the bot put it on. */
export async function sealedBy<K extends 'asked' | 'requested'>(
  { ledger, seal }: RunParts,
  { place }: Click,
  { kind, payload, of }: { kind: Parameters<RunParts['seal']['matches']>[1]; payload: string; of: K },
): Promise<{ invocationId: string; first: With<K>; states: readonly With<K>[] } | undefined> {
  const [invocationId = '', given = ''] = payload.split('.');
  await ledger.refresh();
  const states = ledger.runs(invocationId).filter((state) => isWith(state, of));
  const [first] = states;
  const entry = first?.[of];
  if (first === undefined || entry === undefined || !seal.matches(given, kind, entry)) return undefined;
  const { guild, channel, message } = entry.place;
  if (place.guild !== guild || place.channel !== channel || place.message !== message) return undefined;
  return { invocationId, first, states };
}

/** Finds the open question of a button. */
export async function find(
  parts: RunParts,
  clicked: Click,
  kind: SealKind,
  payload: string,
): Promise<Question | Rejection> {
  const sealed = await sealedBy(parts, clicked, { kind, payload, of: 'asked' });
  if (sealed === undefined) return { card: goneCard(undefined, 0) };
  const { invocationId, first, states } = sealed;
  const isMeant = kind === 'cancel' ? isOpenQuestion : kind === 'approve' ? awaitsApproval : isUnconfirmed;
  if (!states.every(isMeant) || parts.now() >= expiryOf(first))
    return { card: goneCard(first, parts.now()), closedBy: closerOf(first) };
  return { invocationId, asked: first.asked, states };
}

const isUnconfirmed = (state: RunState): boolean => isOpenQuestion(state) && state.confirmed === undefined;

/** The id of the person who closed a question, or took its last step. */
const closerOf = ({ approved, confirmed, outcome }: RunState): string | undefined =>
  (outcome?.outcome === 'cancelled' ? outcome : (approved?.at(-1) ?? confirmed))?.actor.id;

/**
 * Closes the question in the ledger, which accepts only one close. Returns a card if somebody was faster or the ledger
 * cannot be written.
 */
export async function record(
  { ledger, now }: RunParts,
  { invocationId }: Question,
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

/** Carries out what was confirmed, and approved where that is asked for, by the roles of now. */
export async function doConfirmed(
  parts: RunParts,
  open: OpenQuestion,
  roles: Pick<Work, 'roles' | 'approverRoles'>,
): Promise<void> {
  const { invocationId, asked } = open;
  const begun = performance.now();
  const work = () => change(parts, { ...workOf(open), isConfirmed: true, ...roles });
  await parts.observe.within(invocationId, () => withProgress(parts, invocationId, work));
  const ended = { invocationId, command: asked.command, outcome: recordedOf(parts, invocationId) };
  parts.observe.finished({ ...ended, by: 'confirmed' }, performance.now() - begun);
}

export const runOf = ({ run, asked }: OpenQuestion['states'][number]): Run => ({
  run,
  server: asked.server ?? { id: 0 },
  facts: asked.facts,
});

/** The work of a confirmed question: exactly what was asked, with the facts read then. */
export function workOf({ invocationId, asked, states, prepared }: OpenQuestion): Work {
  const { command, actor, place, options, undoes, since, despite, glass: why } = asked;
  const targets = new Map(prepared.servers.map((server) => [server.id, server]));
  return {
    ...{ invocationId, command, actor, place, options, prepared },
    undoes,
    since,
    despite,
    glass: why === undefined ? undefined : { why },
    runs: states.flatMap((state): Run[] => {
      const server = targets.get(state.asked.server?.id ?? Number.NaN);
      return server === undefined ? [] : [{ ...runOf(state), server }];
    }),
  };
}
