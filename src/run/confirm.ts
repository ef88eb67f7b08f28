import { setTimeout as delay } from 'node:timers/promises';
import { type Card, md, trusted } from '../card.ts';
import type { PreparedChange } from '../command.ts';
import { defined } from '../defined.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable, type RawOptions } from '../outcome.ts';
import type { Kind } from '../runs/entry.ts';
import { isOpenQuestion, type RunState } from '../runs/state.ts';
import { authorize, type Refusal } from './authorize.ts';
import { change, entryOf, outcomeEntry, type Run, type Work } from './change.ts';
import { goneCard, note, troubleCard, typedName, unclaimedClick } from './notes.ts';
import type { Click, RunParts } from './parts.ts';
import { outsideOf, recordDenial, refuse, withProgress } from './pipeline.ts';
import { takeClick } from './press.ts';

/** A question that is open, and this person may run its command. */
interface Open {
  invocationId: string;
  asked: Kind<'asked'>;
  states: readonly (RunState & { asked: Kind<'asked'> })[];
  prepared: PreparedChange;
}

/** Why a click does not count. `closedBy`: the id of the person who confirmed or cancelled the question. */
type Refusing = { card: Card; options?: RawOptions; closedBy?: string | undefined } & Partial<Pick<Refusal, 'denial'>>;

type SealKind = 'confirm' | 'typed' | 'cancel';

/** Confirm, or the submitted modal of a question that wants something typed. */
export async function confirm(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await begin(parts, clicked, 'confirm', payload);
  if (open === undefined) return;
  const objection = strangeness(clicked, open) ?? misspelling(clicked, open);
  if (objection !== undefined) return clicked.reply.whisper(objection);
  const { actor } = clicked;
  const confirmed = open.states.map((state) => ({
    ...entryOf(workOf(open), runOf(state)),
    ...{ kind: 'confirmed' as const, actor, question: state.asked.hash, owner: parts.processId },
  }));
  const closed = await record(parts, open, confirmed);
  if (closed !== undefined) return clicked.reply.whisper(closed);
  await withProgress(parts, open.invocationId, () => change(parts, { ...workOf(open), isConfirmed: true }));
}

/** Cancel: by whoever may run the command. */
export async function cancel(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const open = await begin(parts, clicked, 'cancel', payload);
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

/** The ledger takes one of these of a question: a card when somebody was faster, or when it cannot be written. */
async function record(
  { ledger, now }: RunParts,
  { invocationId }: Open,
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

/** How long a modal may wait for the entries of other processes, in ms: Discord wants its first answer within 3 seconds. */
const modalWait = 1_500;

/** Confirm of a question that wants something typed: opens the modal; the question is confirmed by its submission. */
export async function openModal(parts: RunParts, clicked: Click, payload: string): Promise<void> {
  const { reply } = clicked;
  const found = await Promise.race([
    find(parts, clicked, 'typed', payload).catch((): Refusing => ({ card: unclaimedClick() })),
    delay<Refusing>(modalWait, { card: unclaimedClick() }, { ref: false }),
  ]);
  if ('card' in found)
    return refuse(parts, { ...clicked, options: found.options ?? {} }, { kind: 'refused', ...found });
  const { asked, invocationId } = found;
  const strange = strangeness(clicked, found);
  if (strange !== undefined) return void (await reply.refuse(strange));
  await reply.ask({
    id: `confirm:${invocationId}.${parts.seal.of('confirm', asked)}`,
    title: typedName(asked.command),
    label: `Type ${asked.typed ?? ''}`.slice(0, 45),
  });
}

/** Acknowledges, claims, finds the question and decides again; undefined when the click has had its answer. */
async function begin(parts: RunParts, clicked: Click, kind: SealKind, payload: string): Promise<Open | undefined> {
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
  // It was answered before, and done: whoever did it is told by the card, and not that somebody was faster.
  if (taken.answered === 'taken' && found.closedBy === actor.id) return undefined;
  // Whatever becomes of the word about it, a denial is an entry.
  await Promise.all([
    reply.whisper(found.card),
    found.denial && recordDenial(parts, { interaction, actor, place, options: found.options ?? {} }, found.denial),
  ]);
  return undefined;
}

function unreadable(error: unknown): Refusing {
  if (!(error instanceof LedgerUnavailable)) throw error;
  return { card: unclaimedClick() };
}

/** The question that a button stands for, if its seal is ours, it hangs on its message, and this person may run the command. */
async function find(
  parts: RunParts,
  { actor, place, mayReturn }: Click,
  kind: SealKind,
  payload: string,
): Promise<Open | Refusing> {
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

/** Whose click it was that closed a question. */
const closerOf = ({ confirmed, outcome }: RunState): string | undefined =>
  (confirmed ?? (outcome?.outcome === 'cancelled' ? outcome : undefined))?.actor.id;

/** Only the requester confirms. */
function strangeness({ actor }: Click, { asked }: Open): Card | undefined {
  if (actor.id === asked.actor.id) return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    trusted(`Only <@${asked.actor.id}> can confirm this question. Your click changed nothing.`),
    trusted('If you may run the command, you can cancel this one, or type it yourself.'),
  );
}

function misspelling({ typed }: Click, { asked }: Open): Card | undefined {
  if (asked.typed === undefined || typed?.trim().toLowerCase() === asked.typed.toLowerCase()) return undefined;
  return note(
    'not-sent',
    typedName(asked.command),
    md`What you typed is not ${asked.typed}. Nothing was sent; the question stays open. Press Confirm to type again.`,
  );
}

const runOf = ({ run, asked }: Open['states'][number]): Run => ({
  run,
  server: asked.server ?? { id: 0 },
  ...defined({ facts: asked.facts }),
});

/** What a confirmed question does: exactly what was asked, with what was read then. */
function workOf({ invocationId, asked, states, prepared }: Open): Work {
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
