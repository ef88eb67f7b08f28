import { setTimeout as delay } from 'node:timers/promises';
import { type Card, trusted } from '../card.ts';
import { firstCard } from '../cards/draw.ts';
import type { Opened } from '../cards/record.ts';
import type { Command, Prepared, PreparedChange, PreparedLocal, PreparedRead } from '../command.ts';
import { defined } from '../defined.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import { invocationIdOf, runIdOf } from '../runs/ids.ts';
import { authorize, type Denial, type Refusal } from './authorize.ts';
import { change, end, outcomeEntry, type Run, undoing, type Work } from './change.ts';
import { closeInvocation } from './close.ts';
import { keptOptions } from './denials.ts';
import { faultOf, nameOf, note, outsideNote, typedName, unansweredNote, unclaimedNote, unknownNotes } from './notes.ts';
import { type Acknowledged, type Invocation, kept, type RunParts } from './parts.ts';
import { ask, tooManyQuestions } from './question.ts';
import { changesState, headOf, isPublic, readCard, reader } from './read.ts';

/** The way of one command, from what was typed to what the ledger has of it; its card follows by itself. Never rejects. */
export async function invoke(parts: RunParts, invocation: Invocation): Promise<void> {
  const { interaction, reply, command } = invocation;
  if (!isFirst(parts, interaction.id)) return;
  try {
    const authorization = authorize(parts, invocation);
    if (authorization.kind === 'refused') return await refuse(parts, invocation, authorization);
    const { command: asked, prepared } = authorization;
    const outside = await outsideOf(invocation, asked);
    if (outside !== undefined) await refuse(parts, invocation, outside);
    else await enter(parts, invocation, asked, prepared);
  } catch (error) {
    const facts = { interaction: interaction.id, command, problem: stackOf(error) };
    const fault = faultOf(error);
    parts.log.error(facts, faults[fault]);
    // Whoever does not have the claim does not know what another process does with it.
    if ((await parts.claim(interaction.id)) !== 'ours') return;
    const faulty = note('not-sent', typedName(command), trusted(reasons[fault].why), trusted(reasons[fault].next));
    await reply.refuse(faulty).catch(() => undefined);
  }
}

/** For the log. */
const faults = {
  'discord-broke': 'Discord broke off the first answer to a command',
  'bot-fault': 'a command met a fault of the bot',
};

/** Why a change is not done there: nobody could be told how it ends. */
export async function outsideOf(
  { mayReturn }: Pick<Invocation, 'mayReturn'>,
  command: Command,
): Promise<Refusal | undefined> {
  const staysBehind = changesState(command) && command.menu === undefined;
  return staysBehind && !(await mayReturn()) ? { kind: 'refused', card: outsideNote(command) } : undefined;
}

const mostRemembered = 10_000;

/** Whether an interaction was not delivered here before. A set keeps its order: the oldest goes first. */
export function isFirst({ handled }: Pick<RunParts, 'handled'>, interaction: string): boolean {
  if (handled.has(interaction)) return false;
  handled.add(interaction);
  const [oldest] = handled;
  if (handled.size > mostRemembered && oldest !== undefined) handled.delete(oldest);
  return true;
}

/**
 * Does the runs of an invocation: as long as that takes, nobody takes them for left behind. A fault of the bot ends them.
 */
export async function withProgress(parts: RunParts, invocationId: string, work: () => Promise<void>): Promise<void> {
  parts.inProgress.add(invocationId);
  try {
    await work();
  } catch (error) {
    const why = faultOf(error);
    parts.log.error({ run: invocationId, problem: stackOf(error) }, faults[why]);
    const opened = parts.cards.opened(invocationId);
    await closeInvocation(parts, invocationId, opened, why).catch((problem: unknown) => {
      // Where the ledger cannot take that now, it is done later.
      if (opened !== undefined) parts.leftOver.set(invocationId, { opened, why });
      throw problem;
    });
  } finally {
    parts.inProgress.delete(invocationId);
  }
}

type Refused = Pick<Invocation, 'interaction' | 'actor' | 'place' | 'options'> & {
  reply: Pick<Invocation['reply'], 'refuse'>;
};

/** So long Discord takes a first answer, in ms. */
const answerTime = 3_000;

/** A private first answer; a denial is also an entry, once however often it is delivered, whatever becomes of the answer. */
export async function refuse(parts: RunParts, refused: Refused, { card, denial }: Refusal): Promise<void> {
  const answered = refused.reply.refuse(card);
  if (denial !== undefined) {
    // First the answer: another process that has it must not be told by a claim that it is done already.
    const unknown = delay(answerTime, 'unknown', { ref: false });
    const said = await Promise.race([answered.catch(() => 'unknown'), unknown]);
    // Without an answer nobody is claimed from: where another process goes on, the ledger takes the one or the other.
    const isOurs = said === 'unknown' || (said !== 'taken' && (await parts.claim(refused.interaction.id)) !== 'theirs');
    if (isOurs) await recordDenial(parts, refused, denial);
  }
  await answered;
}

/** Denials are what an auditor looks for. */
export function recordDenial(
  { denials }: Pick<RunParts, 'denials'>,
  { actor, place, options, interaction }: Omit<Refused, 'reply'>,
  { command, decision }: Denial,
): Promise<void> {
  const { server } = decision;
  return denials.record({
    run: runIdOf(invocationIdOf(interaction.id), 1),
    kind: 'denied',
    actor,
    command: command.id,
    options: keptOptions(options),
    ...defined({ server: server && kept(server) }),
    place: { guild: place.guild, channel: place.channel },
    outcome: 'denied',
    reason: 'denied',
  });
}

/** How long the first answer waits at most for the record of its card, in ms: a disk that hangs must not use up its 3 seconds. */
const recordWait = { read: 50, change: 1_000 };

/** Acknowledge, claim, then the read or the change. */
async function enter(parts: RunParts, invocation: Invocation, command: Command, prepared: Prepared): Promise<void> {
  const id = invocationIdOf(invocation.interaction.id);
  const opened = openedOf(parts, invocation, command, prepared);
  const full = opened.asks ? tooManyQuestions(parts, opened.actor.id, command) : undefined;
  if (full !== undefined) return refuse(parts, invocation, { kind: 'refused', card: full });
  if (opened.asks) parts.asking.set(id, opened.actor.id);
  // Whoever was told "no" at first is not surprised by a "yes".
  const isAway = changesState(command) && !parts.isReachable();
  const isBegun = changesState(command) && !isAway;
  let first = isAway ? unclaimedCard(id, command, prepared) : { ...firstCard(id, opened), command: nameOf(command) };
  await withProgress(parts, id, async () => {
    // Whoever is killed between the two would leave a card that nobody knows.
    const patience = delay(recordWait[isBegun ? 'change' : 'read'], true, { ref: false });
    const isKept = await Promise.race([parts.cards.open(id, opened, first), patience]);
    const isLost = isBegun && !isKept;
    if (isLost) {
      first = unrecordedCard(id, command, prepared);
      void parts.cards.open(id, opened, first);
    }
    const taken = await take(parts, invocation, first, opened.audience, isAway);
    if (taken === undefined) return parts.cards.forget(id);
    const { answered, claimed, message } = taken;
    const placed = { ...opened, place: { ...opened.place, message } };
    parts.cards.placed(id, message);
    if (claimed === 'unknown' && changesState(command)) unclaimed(parts, id, placed, command, prepared, answered);
    else if (isLost) await unrecorded(parts, id, placed, prepared, first);
    else if (prepared.kind === 'change') await enterChange(parts, command, workOf(id, placed, prepared, invocation));
    else await answer(parts, id, { ...invocation, opened: placed }, command, prepared);
  }).finally(() => parts.asking.delete(id));
  parts.log.info({ command: command.id, actor: invocation.actor.id, run: id }, 'answered');
}

/**
 * The first answer, by the process that has the claim: only it speaks of this command from here on, and records it. Undefined: another
 * one has it, or the person was told something else.
 */
async function take(
  parts: RunParts,
  { interaction, reply }: Invocation,
  card: Card,
  audience: Opened['audience'],
  isAway: boolean,
): Promise<{ answered: 'ours' | 'taken'; claimed: 'ours' | 'unknown'; message: string } | undefined> {
  // One that broke may have arrived: as if another process had given it, and Discord could not say which it is.
  const answered = await reply
    .acknowledge(card, audience)
    .catch((error: unknown): Acknowledged => ({ kind: 'taken', message: () => Promise.reject(error) }));
  if (answered.kind === 'gone') return undefined;
  const claimed = isAway ? 'unknown' : await parts.claim(interaction.id);
  if (claimed === 'theirs') return undefined;
  const message = await answered.message().catch((error: unknown) => {
    parts.cards.placed(invocationIdOf(interaction.id));
    throw error;
  });
  return message === undefined ? undefined : { answered: answered.kind, claimed, message };
}

function openedOf(
  parts: RunParts,
  { interaction, actor, place }: Invocation,
  command: Command,
  prepared: Prepared,
): Opened {
  const isChange = prepared.kind === 'change';
  return {
    interaction: { ...interaction, at: parts.now() },
    audience: isPublic(command, place, parts.ledger.incidents()) ? 'public' : 'private',
    place: { guild: place.guild, channel: place.channel },
    actor,
    command: command.id,
    options: prepared.options,
    servers: isChange ? prepared.servers.map(kept) : [],
    asks: isChange && parts.rules.requirements(command).confirm,
  };
}

function workOf(invocationId: string, opened: Opened, prepared: PreparedChange, invocation: Invocation): Work {
  const { command, actor, place, options } = opened;
  const runs = prepared.servers.map((server, i): Run => ({ run: runIdOf(invocationId, i + 1), server }));
  return { ...{ invocationId, command, actor, place, options, prepared, runs }, ...undoing(invocation) };
}

/** What needs no question. */
async function answer(
  parts: RunParts,
  id: string,
  { opened, ...invocation }: Invocation & { opened: Opened },
  command: Command,
  prepared: PreparedRead | PreparedLocal,
): Promise<void> {
  const { message: card = '' } = opened.place;
  const asked = { ...invocation, audience: opened.audience, card };
  try {
    parts.cards.answer(id, opened, await readCard(parts, asked, command, prepared, 0));
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    // The ledger may have taken it: where that can be told, it is, once the ledger can be read.
    const isTold = command.resume !== undefined;
    if (isTold) parts.leftOver.set(id, { opened, why: 'bot-restarted' });
    parts.cards.answer(id, opened, { ...unansweredNote(nameOf(command), isTold), ...headOf(command, prepared) });
  }
}

/**
 * Redis cannot tell whether another process has this command. Once the ledger says that nothing was sent, nobody sends it; until then
 * this process speaks for itself alone, and only where the card is its own.
 */
function unclaimed(
  parts: RunParts,
  id: string,
  opened: Opened,
  command: Command,
  prepared: Prepared,
  answered: 'ours' | 'taken',
): void {
  if (prepared.kind === 'change') {
    const how = { outcome: 'unavailable', reason: 'redis-unavailable' } as const;
    const entries = prepared.servers.map((server, i) => outcomeEntry(opened, { run: runIdOf(id, i + 1), server }, how));
    parts.outbox.put(entries, 'silent');
  } else parts.unclaimed.set(id, opened);
  if (answered === 'ours') parts.cards.answer(id, opened, unclaimedCard(id, command, prepared), 'provisional');
}

function unclaimedCard(id: string, command: Command, prepared: Prepared): Card {
  const isChange = prepared.kind === 'change';
  const card = unclaimedNote(nameOf(command), isChange ? 'sent' : 'done');
  return { ...card, ...headOf(command, prepared), ...(isChange ? { run: id } : {}) };
}

/** A change is not begun of which nobody would know after a crash: its card would say WORKING for good. */
async function unrecorded(parts: RunParts, id: string, opened: Opened, prepared: Prepared, card: Card): Promise<void> {
  if (prepared.kind !== 'change') return parts.cards.answer(id, opened, card);
  const runs = prepared.servers.map((server, i): Run => ({ run: runIdOf(id, i + 1), server }));
  await end(parts, opened, runs, { outcome: 'unavailable', reason: 'card-unrecorded' });
}

function unrecordedCard(id: string, command: Command, prepared: Prepared): Card {
  const { why, next } = reasons['card-unrecorded'];
  const card = note('unavailable', nameOf(command), trusted(why), trusted(next));
  return { ...card, ...headOf(command, prepared), ...(prepared.kind === 'change' ? { run: id } : {}) };
}

/** Asks first where the policy or the danger wants it; else goes straight on. */
async function enterChange(parts: RunParts, command: Command, work: Work): Promise<void> {
  const { confirm, typed } = parts.rules.requirements(command);
  if (confirm) return ask(parts, work, typed);
  const { prepared, runs } = work;
  const [only] = runs;
  // Without a question, what a look can tell is told on the card itself.
  const looked =
    prepared.look === undefined || only === undefined
      ? []
      : (await prepared.look(only.server, reader(parts.panel, { kind: 'look', id: work.actor.id }))).says;
  const unknown = unknownNotes(parts.ledger, prepared.servers, 'look at the server, and say on its card how it ended.');
  return change(parts, { ...work, says: [...looked, ...unknown] });
}

export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
