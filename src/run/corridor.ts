import { own } from '../card.ts';
import type { Command, Prepared, PreparedLocal, PreparedRead } from '../command.ts';
import type { NewRunEntry } from '../ledger/entry.ts';
import type { OpenCard } from '../ledger/open-cards.ts';
import { LedgerUnavailable, RedisUnavailable } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import { type Admission, admit, type Denial } from './admit.ts';
import { type About, endCard, nameOf, note, typedName, unclaimedCard, workingCard } from './cards.ts';
import { change, end, type Run, undoing, type Work } from './change.ts';
import { doubts } from './doubts.ts';
import { type Invocation, kept, type Memory, type RunParts } from './parts.ts';
import { ask } from './question.ts';
import { decides, headOf, isPublic, readCard, reader } from './read.ts';
import { openCard, owes, settle } from './settle.ts';
import { unansweredNote, unclaimedNote } from './unsure.ts';

/** The way of one command, from what was typed to its card, which is terminal or asks when this resolves. Never rejects. */
export async function invoke(parts: RunParts, invocation: Invocation): Promise<void> {
  const { interaction, reply, command } = invocation;
  if (parts.handled.has(interaction.id)) return;
  remember(parts.handled, interaction.id);
  parts.active.add(interaction.id);
  try {
    const admission = admit(parts, invocation);
    if (admission.kind === 'out') await refuse(parts, invocation, admission);
    else await enter(parts, invocation, admission.command, admission.prepared);
  } catch (error) {
    parts.log.error(
      { interaction: interaction.id, command, problem: stackOf(error) },
      'a command met a fault of the bot',
    );
    const faulty = note('not-sent', typedName(command), own(reasons['bot-fault'].why), own(reasons['bot-fault'].next));
    await reply.refuse(faulty).catch(() => undefined);
  } finally {
    parts.active.delete(interaction.id);
  }
}

const mostRemembered = 10_000;

/** A set keeps its order: the oldest goes first. */
function remember(handled: Set<string>, interaction: string): void {
  handled.add(interaction);
  const [oldest] = handled;
  if (handled.size > mostRemembered && oldest !== undefined) handled.delete(oldest);
}

/** Does runs, and tells everybody else in this process that they are being done. */
export async function inHand<T>(parts: Memory, stem: string, interaction: string, work: () => Promise<T>): Promise<T> {
  parts.hands.set(stem, interaction);
  try {
    return await work();
  } finally {
    if (parts.hands.get(stem) === interaction) parts.hands.delete(stem);
  }
}

type Refused = Pick<Invocation, 'interaction' | 'actor' | 'place' | 'options'> & {
  reply: Pick<Invocation['reply'], 'refuse'>;
};

/** A private first answer; a denial is also an entry, once however often it is delivered. */
export async function refuse(
  parts: RunParts,
  refused: Refused,
  { card, denial }: Extract<Admission, { kind: 'out' }>,
): Promise<void> {
  const acknowledged = await refused.reply.refuse(card);
  if (denial === undefined || acknowledged.kind === 'gone') return;
  if ((await claim(parts, refused.interaction.id)) !== 'lost') await recordDenial(parts, refused, denial);
}

/** Denials are what an auditor looks for. */
export async function recordDenial(
  parts: RunParts,
  { actor, place, options, interaction }: Omit<Refused, 'reply'>,
  { command, decision }: Denial,
): Promise<void> {
  const { server } = decision;
  const entry: NewRunEntry = {
    run: `${stemOf(interaction.id)}.1`,
    kind: 'denied',
    actor,
    command: command.id,
    options,
    ...(server === undefined ? {} : { server: kept(server) }),
    place: { guild: place.guild, channel: place.channel },
    outcome: 'denied',
    reason: 'denied',
  };
  await parts.ledger.append([entry]).catch((error: unknown) => {
    parts.log.error({ command: command.id, problem: String(error) }, 'a denial could not be recorded yet');
    if (error instanceof LedgerUnavailable) parts.owed.push(entry);
  });
}

/** Acknowledge, claim, then the read or the change. */
async function enter(parts: RunParts, invocation: Invocation, command: Command, prepared: Prepared): Promise<void> {
  const { interaction, actor, place, reply } = invocation;
  const stem = stemOf(interaction.id);
  const about: About = {
    command: command.id,
    actor,
    servers: prepared.servers,
    stem,
    ...(prepared.kind === 'change' && prepared.reason !== undefined ? { reason: prepared.reason } : {}),
  };
  const runs =
    prepared.kind === 'change' ? prepared.servers.map((server, i): Run => ({ run: `${stem}.${i + 1}`, server })) : [];
  const audience = isPublic(command, place, parts.ledger.incidents()) ? 'public' : 'private';
  const open = openCard(parts, { interaction, place, audience, about, runs, options: prepared.options });

  // The request is on its way before the record is written, and both before anything is waited for.
  const asks = prepared.kind === 'change' && parts.rules.requirements(command).confirm;
  const looking = asks ? 'The question is being prepared; nothing is sent yet.' : undefined;
  const acknowledging = reply.acknowledge({ ...workingCard(about, looking), command: nameOf(command) }, audience);
  await settling(parts, open, async () => {
    const acknowledged = await acknowledging;
    if (acknowledged.kind === 'gone') return;
    const claimed = await claim(parts, interaction.id);
    if (claimed === 'lost') return;
    const { message } = acknowledged;
    if (audience === 'public') parts.openCards.put({ ...open, place: { ...open.place, message } });
    if (prepared.kind !== 'change') {
      return answer(parts, { ...invocation, audience, card: message }, command, prepared, {
        claimed,
        answered: acknowledged.kind,
      });
    }

    const work: Placed = {
      about,
      place: { guild: place.guild, channel: place.channel, message },
      options: prepared.options,
      prepared,
      runs,
      ...undoing(invocation),
      show: (card) => reply.show(card),
    };
    if (claimed === 'ours') return inHand(parts, stem, interaction.id, () => enterChange(parts, command, work));
    return unclaimed(parts, open, work, acknowledged.kind);
  });
  parts.log.info({ command: command.id, actor: actor.id, run: stem }, 'answered');
}

/** What needs no question and no lease. Without Redis only what is read goes on. */
async function answer(
  parts: RunParts,
  invocation: Invocation & { audience: OpenCard['audience']; card: string },
  command: Command,
  prepared: PreparedRead | PreparedLocal,
  { claimed, answered }: { claimed: 'ours' | 'unknown'; answered: 'ours' | 'taken' },
): Promise<void> {
  const { reply, interaction } = invocation;
  if (!decides(command)) return reply.show(await readCard(parts, invocation, command, prepared, 0));
  if (claimed === 'unknown') {
    // Whoever has it says how it ended. Where that is nobody, the sweep does, once Redis can tell.
    parts.unclaimed.set(interaction.id, answered === 'ours' ? 'spoken' : 'silent');
    if (answered === 'ours') await reply.show({ ...unclaimedNote(nameOf(command)), ...headOf(command, prepared) });
    return;
  }
  try {
    await reply.show(await readCard(parts, invocation, command, prepared, 0));
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    const isTold = command.resume !== undefined;
    await reply.show({ ...unansweredNote(nameOf(command), isTold), ...headOf(command, prepared) });
    // Settled from the ledger, as soon as that can be read.
    if (isTold) throw error;
  }
}

/**
 * Redis cannot tell whether another process has this command. Once the ledger says that nothing was sent, nobody sends it; until
 * then this process speaks for itself alone, and only where the card is its own.
 */
async function unclaimed(parts: RunParts, open: OpenCard, work: Work, answered: 'ours' | 'taken'): Promise<void> {
  const how = { outcome: 'unavailable', reason: 'redis-unavailable' } as const;
  const ended = await Promise.all(work.runs.map((run) => end(parts, work, run, how)));
  const states = parts.ledger.runs(work.about.stem);
  const isBegun = states.some(({ intent, outcome }) => intent !== undefined && outcome === undefined);
  // Nor of what another has ended: its card has more than is known here.
  const isTheirs = states.some(({ outcome }) => outcome !== undefined && outcome.reason !== how.reason);
  if (isBegun || isTheirs) return;
  if (!owes(parts, open)) return work.show(endCard(work.about, ended));
  if (answered === 'ours') await work.show(unclaimedCard(work.about));
}

type Placed = Work & { place: { guild: string; channel: string; message: string } };

/** Asks first where the policy or the danger wants it; else goes straight on. */
async function enterChange(parts: RunParts, command: Command, work: Placed): Promise<void> {
  const { confirm, typed } = parts.rules.requirements(command);
  if (confirm) return ask(parts, work, typed);
  const { prepared, runs } = work;
  const [only] = runs;
  // Without a question, what a look can tell is told on the card itself.
  const looked =
    prepared.look === undefined || only === undefined
      ? []
      : (await prepared.look(only.server, reader(parts.panel, { kind: 'bot' }))).says;
  // What another process recorded; where it cannot be read, nothing is sent anyway.
  await parts.ledger.refresh().catch(() => undefined);
  const unknown = doubts(parts.ledger, prepared.servers, 'look at the server, and say on its card how it ended.');
  return change(parts, { ...work, extra: [...looked, ...unknown] });
}

/**
 * Does what brings a card to rest, and answers what `work` does. When that fails, the card is settled from the ledger; it stays
 * open until Discord has taken it. So `work` must not fail where somebody else has the card in hand.
 */
export async function settling<T>(parts: RunParts, open: OpenCard, work: () => Promise<T>): Promise<T | undefined> {
  parts.active.add(open.interaction);
  parts.openCards.put(open);
  try {
    const done = await work();
    // While an outcome is owed, the record stays: the next life must know that this was done.
    if (!owes(parts, open) && !parts.unclaimed.has(open.interaction)) parts.openCards.remove(open);
    return done;
  } catch (error) {
    const facts = { interaction: open.interaction, command: open.command, problem: stackOf(error) };
    parts.log.error(facts, 'a card could not be brought to rest; settling it from the ledger');
    const latest = (await parts.openCards.list()).find(
      ({ interaction, owner }) => interaction === open.interaction && owner === open.owner,
    );
    await settle(parts, latest ?? open, 'bot-fault');
    return undefined;
  } finally {
    parts.active.delete(open.interaction);
  }
}

/** 'ours' to go on, 'lost' to stop, 'unknown' when Redis cannot tell: then nothing may change, and reads go on. */
export async function claim(parts: RunParts, interaction: string): Promise<'ours' | 'lost' | 'unknown'> {
  try {
    return (await parts.locks.claim(interaction, parts.owner)) ? 'ours' : 'lost';
  } catch (error) {
    if (error instanceof RedisUnavailable) return 'unknown';
    throw error;
  }
}

/** A run's stem: the interaction's id, shorter. The same interaction gives the same runs, wherever it is delivered. */
export const stemOf = (interaction: string): string => BigInt(interaction).toString(36);

export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
