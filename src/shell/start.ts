import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { type Card, trusted } from '../card.ts';
import { firstCard } from '../cards/draw.ts';
import type { Opened } from '../cards/record.ts';
import type { Command, PreparedLocal } from '../command.ts';
import { decideChange } from '../decide/command.ts';
import type { Start } from '../decide/decision.ts';
import { serverRef } from '../decide/entries.ts';
import { nameOf, note, unansweredNote } from '../decide/notes.ts';
import type { Run, Work } from '../decide/work.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import { invocationIdOf, runIdOf } from '../runs/ids.ts';
import { carryOut } from './carry-out.ts';
import { end, execute } from './change.ts';
import { unavailable } from './fault.ts';
import type { Invocation, RunParts, Told } from './parts.ts';
import { headOf, readCard } from './read.ts';
import { withProgress } from './recovery.ts';

/** How long the first answer waits for the card's record, in ms: a hanging disk must not use up Discord's 3 seconds. */
const recordWait = 1_500;

/** Posts the card of a change, then does what comes of it. */
export async function start(parts: RunParts, invocation: Invocation, decided: Start): Promise<Told> {
  const { command, prepared } = decided;
  const id = invocationIdOf(invocation.interaction.id);
  const opened = openedOf(parts, invocation, decided);
  let told: Told;
  let first = { ...firstCard(id, opened, prepared.kind === 'change' ? prepared : undefined), command: nameOf(command) };
  const post = async (): Promise<void> => {
    // Record first: a crash after the answer would otherwise leave a card that nobody knows.
    // What was stored while this process stood still is heard of one turn later.
    const patience = delay(recordWait, undefined, { ref: false }).then(() => turn(false));
    const isLost = !(await Promise.race([parts.cards.open(id, opened, first), patience]));
    if (isLost) {
      first = unrecordedCard(id, decided);
      void parts.cards.open(id, opened, first);
      // Also while the ledger cannot take the outcome: a process that ends meanwhile leaves this card, which nobody knows.
      parts.cards.answer(id, opened, first);
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
    await parts.limits.turns(() => turn());
    if (prepared.kind === 'change') {
      const work = workOfCommand(id, placed, prepared, invocation);
      if (isLost) await end(parts, work, work.runs, { outcome: 'unavailable', reason: 'card-unrecorded' });
      else await goOn(parts, work, invocation.denied);
    } else if (!isLost) told = await doLocally(parts, id, { ...invocation, opened: placed }, command, prepared);
  };
  await withProgress(parts, id, post, opened.asks ? opened.actor.id : undefined);
  return told;
}

async function goOn(parts: RunParts, work: Work, denied: string | undefined): Promise<void> {
  const carried = await carryOut(parts, work.actor.id, (snapshot, found) =>
    decideChange(snapshot, work, found, denied),
  );
  if (carried.kind === 'failed') await end(parts, work, work.runs, unavailable(carried.error));
  else if (carried.kind === 'append' && carried.work !== undefined) await execute(parts, carried.work);
}

function openedOf(
  parts: RunParts,
  { interaction, actor, place }: Invocation,
  { command, prepared, audience, asks }: Start,
): Opened {
  return {
    interaction: { ...interaction, at: parts.now() },
    audience,
    place: { guild: place.guild, channel: place.channel },
    actor,
    command: command.id,
    options: prepared.options,
    servers: prepared.kind === 'change' ? prepared.servers.map(serverRef) : [],
    asks,
  };
}

function workOfCommand(
  invocationId: string,
  { command, actor, place, options }: Opened,
  prepared: Work['prepared'],
  { breakGlass, undoes, since, isSuggested, inTurn }: Invocation,
): Work {
  const runs = prepared.servers.map((server, i): Run => ({ run: runIdOf(invocationId, i + 1), server }));
  return {
    invocationId,
    command,
    actor,
    place,
    options,
    prepared,
    runs,
    breakGlass,
    undoes,
    since,
    isSuggested,
    inTurn,
  };
}

/** Executes a command that changes nothing in the panel. */
async function doLocally(
  parts: RunParts,
  id: string,
  { opened, ...invocation }: Invocation & { opened: Opened },
  command: Command,
  prepared: PreparedLocal,
): Promise<Told> {
  const { message: card = '' } = opened.place;
  const asked = { ...invocation, audience: opened.audience, card };
  const show = (shown: Card, isOpen = false): Card['state'] => {
    parts.cards.answer(id, opened, shown, isOpen);
    return shown.state;
  };
  try {
    return show(await readCard(parts, asked, command, prepared, 0));
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    // The ledger may have stored it. If the command can look that up, recovery shows it once the ledger is readable.
    const isTold = command.resume !== undefined;
    if (isTold) parts.unended.set(id, { opened, why: 'bot-restarted' });
    return show({ ...unansweredNote(nameOf(command), isTold), ...headOf(command, prepared) }, isTold);
  }
}

/** Refuses a change whose card is not stored: after a crash it would show WORKING for ever. */
function unrecordedCard(id: string, { command, prepared }: Start): Card {
  const { why, next } = reasons['card-unrecorded'];
  const card = note('unavailable', nameOf(command), trusted(why), trusted(next));
  return { ...card, ...headOf(command, prepared), ...(prepared.kind === 'change' ? { run: id } : {}) };
}
