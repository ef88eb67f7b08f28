import { setTimeout as delay } from 'node:timers/promises';
import { ReadFailed } from '../command.ts';
import type { Answer, Decision, Found, Lookup, Press, Snapshot } from '../decide/decision.ts';
import { notHeldNote, pressAgain, unrecordedClick } from '../decide/notes.ts';
import type { Work } from '../decide/work.ts';
import { Refused } from '../ledger/ledger.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { approvalsLeft, type RunState } from '../runs/state.ts';
import { change } from './change.ts';
import { defaultLimits } from './limits.ts';
import { recordedOf } from './observed.ts';
import type { Click, RunParts } from './parts.ts';
import { withProgress } from './pipeline.ts';
import { startCommand } from './press.ts';
import { reader } from './read.ts';
import { recordDenial, refuse } from './refuse.ts';
import { successorFirst } from './successor.ts';
import type { Verb } from './verbs.ts';

/** How often at most it is decided again, because more is known or the ledger refused what was decided. */
const maxTries = 5;

/** What this process knows now. The clock stands still. */
function snapshotOf(parts: RunParts): Snapshot {
  const now = parts.now();
  const { denials } = { ...defaultLimits, ...parts.limits };
  return { ...parts, denialWindow: denials.window, now: () => now };
}

/**
 * Decides about a press before its first answer, from memory: a form is that answer, and so is a refusal. Otherwise
 * answers, decides again, and does what was decided.
 */
export async function act(parts: RunParts, clicked: Click, verb: Verb, payload: string): Promise<void> {
  const mayReturn = await clicked.mayReturn();
  const [invocationId = ''] = payload.split(/[.:]/, 1);
  if (verb.isOfDenial) await recorded(parts, invocationId);
  const press: Press = { ...clicked, payload, mayReturn, found: {} };
  const decide = (found: Found): Decision => verb.decide(snapshotOf(parts), { ...press, found });
  const first = decide({});
  if (first.kind === 'command') return start(parts, clicked, first);
  // Another process may act instead, and what it records is not known here.
  if (!parts.isHeld() && !('denial' in first)) {
    await successorFirst();
    return void (await clicked.reply.refuse(notHeldNote('your click')));
  }
  if (first.kind === 'form') return clicked.reply.ask({ id: clicked.button, ...first.form });
  if (first.kind === 'answer') return refusePress(parts, clicked, first, invocationId);
  await carryOut(parts, clicked, decide, invocationId);
}

/** How long to wait for the record of a denial, which is shown before it is recorded, and how often to look; in ms. */
const recordTimeout = 1_000;
const pause = 20;

async function recorded({ ledger }: RunParts, invocationId: string): Promise<void> {
  const since = performance.now();
  while (ledger.runs(invocationId).length === 0 && performance.now() - since < recordTimeout) await delay(pause);
}

async function refusePress(parts: RunParts, clicked: Click, refused: Answer, invocationId: string): Promise<void> {
  const { card, denial, options = {} } = refused;
  await refuse(parts, { ...clicked, options }, { kind: 'refused', card, denial });
  if (refused.isOutdated) parts.cards.mark(invocationId);
  if (refused.isAside) parts.asides.keep(invocationId, clicked.reply.takeBack);
}

/** Goes on as if the person had typed it. The card of that command is the first answer. */
async function start(
  parts: RunParts,
  clicked: Click,
  { command, once }: Extract<Decision, { kind: 'command' }>,
): Promise<void> {
  const { handled } = parts;
  if (once === undefined) return startCommand(parts, clicked, command);
  if (handled.has(once.key)) return void (await clicked.reply.refuse(once.otherwise));
  handled.add(once.key);
  await startCommand(parts, clicked, command).finally(() => handled.delete(once.key));
}

/** Answers, then looks and appends. Decides again with what was found, and whenever the ledger refuses. */
async function carryOut(
  parts: RunParts,
  clicked: Click,
  decide: (found: Found) => Decision,
  invocationId: string,
): Promise<void> {
  const { actor, reply } = clicked;
  if (!(await reply.defer())) return;
  let found: Found = {};
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const decision = decide(found);
    if (decision.kind === 'answer') return whisper(parts, clicked, decision, invocationId);
    if (decision.kind === 'lookup') found = { ...found, ...(await lookUp(parts, decision.lookup, actor.id)) };
    else if (decision.kind !== 'append') break;
    else if (await append(parts, clicked, decision, invocationId)) {
      const { change } = decision;
      const isBegun = parts.ledger.runs(invocationId).every((state) => isReady(state, actor.id));
      return change !== undefined && isBegun ? begin(parts, change) : undefined;
    }
  }
  await reply.whisper(pressAgain());
}

/** False: the ledger refuses it, because something was recorded since it was decided. */
async function append(
  { ledger, cards, now }: RunParts,
  { interaction, isPrivate, place, reply }: Click,
  { entries, says }: Extract<Decision, { kind: 'append' }>,
  invocationId: string,
): Promise<boolean> {
  // What only this person sees is not the card.
  if (!isPrivate) cards.touched(invocationId, { ...interaction, at: now(), message: place.message });
  try {
    await ledger.append(entries);
  } catch (error) {
    if (error instanceof Refused) return false;
    if (!(error instanceof LedgerUnavailable)) throw error;
    await reply.whisper(unrecordedClick());
    return true;
  }
  if (says !== undefined) await reply.whisper(says);
  return true;
}

/** Says it in private. A denial is recorded even if that fails. */
async function whisper(
  parts: RunParts,
  { interaction, actor, place, button, reply }: Click,
  { card, denial, options = {}, isAside, isOutdated }: Answer,
  invocationId: string,
): Promise<void> {
  if (isOutdated) parts.cards.mark(invocationId);
  const [takeBack] = await Promise.all([
    reply.whisper(card),
    denial && recordDenial(parts, { interaction, actor, place, button, options }, denial),
  ]);
  if (isAside) parts.asides.keep(invocationId, takeBack);
}

async function lookUp({ rolesNow, panel, followUps }: RunParts, lookup: Lookup, actor: string): Promise<Found> {
  const caller = { kind: 'person', id: actor } as const;
  switch (lookup.kind) {
    case 'roles': {
      const asked = lookup.of.map(async (id) => [id, await rolesNow(id).catch(() => undefined)] as const);
      return { roles: new Map(await Promise.all(asked)) };
    }
    case 'settings': {
      const { prepared, servers } = lookup;
      const read = reader(panel, { kind: 'look', id: actor });
      return {
        settings: await orFailed(Promise.all(servers.map((each) => prepared.look?.(each, read) ?? { says: [] }))),
      };
    }
    case 'verdict': {
      const { prepared, server, before, kept } = lookup;
      const verdict = prepared.checkNow?.(server, reader(panel, caller), before, kept);
      return verdict === undefined ? {} : { verdict: await orFailed(verdict) };
    }
    case 'job':
      return { job: (await followUps.look(lookup.run, caller)) ?? 'none' };
  }
}

const orFailed = <T>(reading: Promise<T>): Promise<T | ReadFailed> =>
  reading.catch((error: unknown) => {
    if (error instanceof ReadFailed) return error;
    throw error;
  });

/** Nothing is waited for any more, and this person took the last step: of two at once, one carries it out. */
const isReady = (state: RunState, person: string): boolean =>
  approvalsLeft(state) === 0 && (state.approved?.at(-1) ?? state.confirmed)?.actor.id === person;

/** Carries out what was confirmed, and approved where that is asked for. */
async function begin(parts: RunParts, work: Work): Promise<void> {
  const { invocationId, command } = work;
  const begun = performance.now();
  await parts.observe.within(invocationId, () => withProgress(parts, invocationId, () => change(parts, work)));
  const ended = { invocationId, command, outcome: recordedOf(parts, invocationId) };
  parts.observe.finished({ ...ended, by: 'confirmed' }, performance.now() - begun);
}
