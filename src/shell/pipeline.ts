import { setTimeout as delay } from 'node:timers/promises';
import { type Card, trusted } from '../card.ts';
import { firstCard } from '../cards/draw.ts';
import type { Opened } from '../cards/record.ts';
import type { Command, Prepared, PreparedChange, PreparedLocal } from '../command.ts';
import { changesState, isPublic } from '../decide/audience.ts';
import { authorize, type Refusal } from '../decide/authorize.ts';
import { liftable } from '../decide/liftable.ts';
import { nameOf, note, notHeldNote, outsideOf, typedName, unansweredNote, unknownNotes } from '../decide/notes.ts';
import { freezesToTell } from '../decide/stops.ts';
import { powerNotes, restoreNotes } from '../decide/under-way.ts';
import { type Run, serverRef, type Work } from '../decide/work.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { invocationIdOf, runIdOf } from '../runs/ids.ts';
import { answerRead, showRead } from './answer-read.ts';
import { ask, request } from './ask.ts';
import { change } from './change.ts';
import { closeInvocation } from './close.ts';
import { brokenOff, faultOf, logFault, remembering, type Undelivered } from './fault.ts';
import { askFirst, openForm } from './form.ts';
import { withOffers } from './offers.ts';
import type { Invocation, RunParts, Told } from './parts.ts';
import { tooManyQuestions } from './question.ts';
import { headOf, readCard, reader } from './read.ts';
import { refuse } from './refuse.ts';
import { successorFirst } from './successor.ts';
import { unrecorded, unrecordedCard } from './unrecorded.ts';

/** Runs one command, from input to ledger entries; its card follows by itself. Never rejects. */
export async function invoke(parts: RunParts, asked: Invocation): Promise<Told> {
  const { interaction, reply } = asked;
  const undelivered: Undelivered = {};
  const invocation = { ...asked, reply: { ...reply, refuse: remembering(undelivered, reply.refuse) } };
  if (invocation.isForm !== true && !isFirst(parts, interaction.id)) return undefined;
  try {
    const authorization = authorize(parts, invocation);
    if (authorization.kind === 'refused') {
      const lifted = invocation.denied === undefined ? undefined : liftable(parts, invocation, authorization);
      const { lacksReason } = authorization;
      const allowedOtherwise = lifted?.lacksReason === false ? lifted : lacksReason;
      const outside = allowedOtherwise && (await outsideNow(invocation, allowedOtherwise.command));
      if (outside === undefined && lifted?.lacksReason === false)
        return await execute(parts, invocation, lifted.command, lifted.prepared);
      if (lacksReason === undefined || outside !== undefined || invocation.isForm === true)
        return await refuse(parts, invocation, withOffers(parts, invocation, outside ?? authorization));
      await openForm(parts, invocation, lacksReason);
      return undefined;
    }
    const { command: allowed, prepared } = authorization;
    // Whoever was denied it asks others, and runs nothing by that.
    if (invocation.denied !== undefined) return await refuse(parts, invocation, mayNow(allowed));
    const outside = await outsideNow(invocation, allowed);
    if (outside !== undefined) return await refuse(parts, invocation, outside);
    if (prepared.kind === 'local' && prepared.asks !== undefined && invocation.isForm !== true) {
      await askFirst(parts, invocation, allowed, prepared, prepared.asks);
      return undefined;
    }
    return await execute(parts, invocation, allowed, prepared);
  } catch (error) {
    return await sayFailed(parts, asked, undelivered.card, error);
  }
}

async function sayFailed(
  parts: RunParts,
  { interaction, command, reply }: Invocation,
  undelivered: Card | undefined,
  error: unknown,
): Promise<Told> {
  logFault(parts.log, { interaction: interaction.id, command }, 'a command failed', error);
  const known = parts.commands.find(({ id }) => id === command);
  const said = undelivered ?? brokenOff(typedName(command), faultOf(error), known);
  const isRead = known !== undefined && !changesState(known);
  const telling = isRead ? showRead(parts, invocationIdOf(interaction.id), reply, said) : reply.refuse(said);
  await telling.catch(() => undefined);
  return said.state;
}

const mayNow = (command: Command): Refusal => ({
  kind: 'refused',
  card: note('not-sent', nameOf(command), trusted('You may now run it yourself: type the command. Nothing was sent.')),
});

/** Refuses a change in a place where the bot could not report its end. */
async function outsideNow({ mayReturn }: Invocation, command: Command): Promise<Refusal | undefined> {
  const card = outsideOf({ mayReturn: await mayReturn() }, command);
  return card && { kind: 'refused', card };
}

const maxRemembered = 10_000;

/** Whether this is the first delivery of an interaction here. A set keeps its order: the oldest goes first. */
export function isFirst({ handled }: Pick<RunParts, 'handled'>, interaction: string): boolean {
  if (handled.has(interaction)) return false;
  handled.add(interaction);
  const [oldest] = handled;
  if (handled.size > maxRemembered && oldest !== undefined) handled.delete(oldest);
  return true;
}

/**
 * Marks the invocation as in progress while `work` runs, which protects it from recovery. Closes it if `work` throws.
 */
export async function withProgress(parts: RunParts, invocationId: string, work: () => Promise<void>): Promise<void> {
  parts.inProgress.add(invocationId);
  try {
    await work();
  } catch (error) {
    const why = faultOf(error);
    logFault(parts.log, { run: invocationId }, 'a command failed', error);
    const opened = parts.cards.opened(invocationId);
    await closeInvocation(parts, invocationId, opened, why).catch((problem: unknown) => {
      // If the ledger cannot take that now, recovery does it later.
      if (opened !== undefined) parts.leftOver.set(invocationId, { opened, why });
      throw problem;
    });
  } finally {
    parts.inProgress.delete(invocationId);
  }
}

async function execute(parts: RunParts, invocation: Invocation, command: Command, prepared: Prepared): Promise<Told> {
  const id = invocationIdOf(invocation.interaction.id);
  const told =
    prepared.kind === 'read' || (prepared.kind === 'local' && !changesState(command))
      ? await answerRead(parts, invocation, command, prepared)
      : await executeChange(parts, invocation, command, prepared);
  if (told !== undefined) parts.log.info({ command: command.id, actor: invocation.actor.id, run: id }, 'answered');
  return told;
}

/**
 * How long the first answer waits for the card record to be stored, in ms: a hanging disk must not use up Discord's 3
 * seconds.
 */
const recordWait = 1_000;

/** Acknowledges, then executes the change. */
async function executeChange(
  parts: RunParts,
  invocation: Invocation,
  command: Command,
  prepared: PreparedChange | PreparedLocal,
): Promise<Told> {
  const id = invocationIdOf(invocation.interaction.id);
  const opened = openedOf(parts, invocation, command, prepared);
  const full = opened.asks ? tooManyQuestions(parts, opened.actor.id, command) : undefined;
  if (full !== undefined) return refuse(parts, invocation, { kind: 'refused', card: full });
  if (!parts.isHeld()) {
    await successorFirst();
    return refuse(parts, invocation, { kind: 'refused', card: notHeldNote(nameOf(command)) });
  }
  if (opened.asks) parts.asking.set(id, opened.actor.id);
  let told: Told;
  let first = { ...firstCard(id, opened, prepared.kind === 'change' ? prepared : undefined), command: nameOf(command) };
  await withProgress(parts, id, async () => {
    // Record first: a crash after the answer would otherwise leave a card that nobody knows.
    const patience = delay(recordWait, true, { ref: false });
    const isKept = await parts.answersFirst.preparing(Promise.race([parts.cards.open(id, opened, first), patience]));
    const isLost = !isKept;
    if (isLost) {
      first = unrecordedCard(id, command, prepared);
      void parts.cards.open(id, opened, first);
    }
    const message = await invocation.reply.acknowledge(first, opened.audience).catch((error: unknown) => {
      // It may have arrived, as a message that is not known.
      parts.cards.placed(id);
      throw error;
    });
    if (message === undefined) return parts.cards.forget(id);
    told = 'recorded';
    const placed = { ...opened, place: { ...opened.place, message } };
    parts.cards.placed(id, message);
    await parts.answersFirst.turn();
    if (isLost) await unrecorded(parts, id, placed, prepared, first);
    else if (prepared.kind === 'change' && invocation.denied !== undefined)
      await request(parts, workOf(id, placed, prepared, invocation), invocation.denied);
    else if (prepared.kind === 'change') await askOrChange(parts, command, workOf(id, placed, prepared, invocation));
    else told = await answer(parts, id, { ...invocation, opened: placed }, command, prepared);
  }).finally(() => parts.asking.delete(id));
  return told;
}

function openedOf(
  parts: RunParts,
  { interaction, actor, place, denied, breakGlass }: Invocation,
  command: Command,
  prepared: Prepared,
): Opened {
  const isChange = prepared.kind === 'change';
  const isTold = (work: Parameters<typeof freezesToTell>[1], { servers }: Prepared): boolean =>
    freezesToTell(parts, work, servers).length > 0;
  return {
    interaction: { ...interaction, at: parts.now() },
    audience: isPublic(command, place, parts) ? 'public' : 'private',
    place: { guild: place.guild, channel: place.channel },
    actor,
    command: command.id,
    options: prepared.options,
    servers: isChange ? prepared.servers.map(serverRef) : [],
    asks:
      isChange &&
      (denied !== undefined ||
        breakGlass !== undefined ||
        parts.rules.requirements(command, prepared.servers).confirm ||
        isTold({ actor, command: command.id }, prepared)),
  };
}

function workOf(invocationId: string, opened: Opened, prepared: PreparedChange, invocation: Invocation): Work {
  const { command, actor, place, options } = opened;
  const runs = prepared.servers.map((server, i): Run => ({ run: runIdOf(invocationId, i + 1), server }));
  const { breakGlass, undoes, since } = invocation;
  return {
    ...{ invocationId, command, actor, place, options, prepared, runs },
    breakGlass,
    undoes,
    since,
  };
}

/** Executes a change without runs. */
async function answer(
  parts: RunParts,
  id: string,
  { opened, ...invocation }: Invocation & { opened: Opened },
  command: Command,
  prepared: PreparedLocal,
): Promise<Told> {
  const { message: card = '' } = opened.place;
  const asked = { ...invocation, audience: opened.audience, card };
  const show = (shown: Card): Card['state'] => {
    parts.cards.answer(id, opened, shown);
    return shown.state;
  };
  try {
    return show(await readCard(parts, asked, command, prepared, 0));
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    // The ledger may have stored it. If the command can look that up, recovery shows it once the ledger is readable.
    const isTold = command.resume !== undefined;
    if (isTold) parts.leftOver.set(id, { opened, why: 'bot-restarted' });
    return show({ ...unansweredNote(nameOf(command), isTold), ...headOf(command, prepared) });
  }
}

/** Asks first if the policy or the danger requires it; otherwise executes at once. */
async function askOrChange(parts: RunParts, command: Command, work: Work): Promise<void> {
  const { confirm, typed, approvals } = parts.rules.requirements(command, work.prepared.servers);
  const isEmergency = work.breakGlass !== undefined;
  const wanted = { typed, ...(isEmergency ? {} : { approvals }) };
  const overriddenFreezes = freezesToTell(parts, work, work.prepared.servers);
  if (overriddenFreezes.length > 0) return ask(parts, { ...work, overriddenFreezes }, wanted);
  if (confirm || isEmergency) return ask(parts, work, wanted);
  const { prepared, runs } = work;
  const [only] = runs;
  // Without a question, the card itself shows what the look found.
  const looked =
    prepared.look === undefined || only === undefined
      ? []
      : (await prepared.look(only.server, reader(parts.panel, { kind: 'look', id: work.actor.id }))).says;
  const unknown = unknownNotes(parts.ledger, prepared.servers, 'look at the server, and say on its card how it ended.');
  const restores = restoreNotes(parts.ledger, prepared.servers);
  const power = powerNotes(parts.ledger, parts.commands, command.id, prepared.servers);
  return change(parts, { ...work, says: looked, warns: [...unknown, ...restores, ...power] });
}
