import { type Card, own } from '../card.ts';
import type { Command } from '../command.ts';
import type { NewRunEntry } from '../ledger/entry.ts';
import type { RunState } from '../ledger/ledger.ts';
import type { OpenCard } from '../ledger/open-cards.ts';
import type { RawOptions, Server } from '../outcome.ts';
import { reasons } from '../reasons.ts';
import { type About, type Ended, endCard, nameOf, note, typedName } from './cards.ts';
import type { Run } from './change.ts';
import { offersOf, preparedOf } from './offers.ts';
import { type Invocation, kept, type Parts, type RunParts } from './parts.ts';
import { decides, toolsOf } from './read.ts';

interface Opening {
  /** Without a token where no interaction stands behind it. */
  interaction: Invocation['interaction'];
  place: OpenCard['place'];
  audience: OpenCard['audience'];
  about: About;
  runs: readonly Run[];
  options: RawOptions;
}

/** The record of a card that is not at rest: enough to bring it to rest after a crash. */
export const openCard = (
  parts: Pick<Parts, 'now' | 'owner'>,
  { interaction, place, audience, about, runs, options }: Opening,
): OpenCard => ({
  interaction: interaction.id,
  token: interaction.token,
  at: parts.now(),
  audience,
  owner: parts.owner,
  actor: { ...about.actor, roles: [...about.actor.roles] },
  place,
  command: about.command,
  options,
  runs: runs.map(({ run, server }) => ({ run, server: kept(server) })),
});

/** An interaction's token is good for 15 minutes; a minute is kept for the way. */
const tokenMs = 14 * 60_000;

/**
 * Brings a card to rest from what the ledger holds: an intent without an outcome becomes unknown, a run without an intent was
 * not sent. The record goes when Discord has taken the card, or never can.
 */
export async function settle(parts: RunParts, open: OpenCard, why: 'bot-restarted' | 'bot-fault'): Promise<void> {
  try {
    if (owes(parts, open)) return;
    if (parts.unclaimed.has(open.interaction)) return await settleUnclaimed(parts, open);
    // Whoever has it shows it; but this one may have been shown as unavailable since, by a process without Redis.
    if ((await isElsewhere(parts, open)) && !isAtRest(parts, open)) return parts.openCards.remove(open);
    const ended: Ended[] = [];
    for (const run of open.runs) ended.push(await close(parts, open, run, why));
    await withdraw(parts, open);
    const followed = await followedCard(parts, open);
    // Then the follow-up has said the last word on the card already.
    if (followed === 'said') return parts.openCards.remove(open);
    await edit(parts, open, followed ?? (await restingCard(parts, open, ended, why)));
    parts.openCards.remove(open);
    parts.pauses.delete(open.interaction);
  } catch (error) {
    const ms = Math.min(60_000, 2 * (parts.pauses.get(open.interaction)?.ms ?? 100));
    parts.pauses.set(open.interaction, { until: parts.now() + ms, ms });
    parts.log.warn({ interaction: open.interaction, problem: String(error) }, 'a card could not be settled yet');
  }
}

function edit({ desk, now }: RunParts, open: OpenCard, card: Card): Promise<void> {
  const fresh = open.token !== '' && now() - open.at < tokenMs;
  const { channel, message } = open.place;
  return desk.edit(
    {
      channel,
      ...(message === undefined ? {} : { message }),
      // Whoever was killed before Discord's answer came does not know which message it made.
      ...(open.audience === 'public' && open.token !== '' ? { answers: open.interaction } : {}),
      ...(fresh ? { interaction: { id: open.interaction, token: open.token } } : {}),
    },
    card,
  );
}

/** Once Redis can tell whose it is: what nobody has is nobody's from now on, and what another has shown is shown again. */
async function settleUnclaimed(parts: RunParts, open: OpenCard): Promise<void> {
  const { interaction, owner } = open;
  const isMine = (await parts.locks.claim(interaction, owner)) || (await parts.locks.claimant(interaction)) === owner;
  if (isMine) {
    const { why, next } = reasons['redis-unavailable'];
    const command = parts.commands.find(({ id }) => id === open.command);
    await edit(parts, open, note('unavailable', nameOf(command ?? { id: open.command }), own(why), own(next)));
  } else if (parts.unclaimed.get(interaction) === 'spoken') {
    // Whoever has it may still be at work.
    const all = await parts.openCards.list();
    if (all.some((each) => each.interaction === interaction && each.owner !== owner)) return;
    await edit(parts, open, await restingCard(parts, open, [], 'bot-restarted'));
  }
  parts.openCards.remove(open);
  parts.unclaimed.delete(interaction);
  parts.pauses.delete(interaction);
}

/** Whether outcomes of its runs are still to be written: until then the ledger does not say how they ended. */
export const owes = ({ owed }: RunParts, { runs }: OpenCard): boolean =>
  owed.some((entry) => runs.some(({ run }) => run === entry.run));

/** Whether somebody else has the card: another process its interaction or its runs, or another interaction its runs here. */
async function isElsewhere(parts: RunParts, { interaction, owner, runs }: OpenCard): Promise<boolean> {
  const claimant = await parts.locks.claimant(interaction).catch(() => undefined);
  if (claimant !== undefined && claimant !== owner) return true;
  const [first] = runs;
  if (first === undefined) return false;
  const stem = stemOfRun(first.run);
  const hand = parts.hands.get(stem);
  if (hand !== undefined) return hand !== interaction;
  const senders = parts.ledger
    .runs(stem)
    .flatMap(({ intent, outcome }) => (outcome === undefined ? (intent?.owner ?? []) : []));
  const foreign = senders.filter((sender) => sender !== parts.owner);
  return foreign.length > 0 && (await parts.alive(foreign)).size > 0;
}

/** Whether all runs have ended, and nothing that they began is followed. */
function isAtRest({ ledger }: RunParts, { runs }: OpenCard): boolean {
  const [first] = runs;
  const states = first === undefined ? [] : ledger.runs(stemOfRun(first.run));
  const rests = ({ outcome, followUp }: RunState): boolean => outcome !== undefined && followUp === undefined;
  return states.length > 0 && states.length === runs.length && states.every(rests);
}

/** What became of the runs of a card of which one was followed to an end; 'said' where that end, the last of all, is on the card. */
async function followedCard(parts: RunParts, { runs: [first] }: OpenCard): Promise<Card | 'said' | undefined> {
  const stem = first === undefined ? '' : stemOfRun(first.run);
  const states = parts.ledger.runs(stem);
  const end = Math.max(0, ...states.map(({ followUp }) => followUp?.ended?.seq ?? 0));
  if (end === 0) return undefined;
  const isSaid = states.every(({ outcome, resolved }) => Math.max(outcome?.seq ?? 0, resolved?.seq ?? 0) < end);
  return isSaid ? 'said' : await parts.followUps.card(stem);
}

/** A question whose card is settled must not be there to be confirmed. One that led to an intent is not. */
async function withdraw(parts: Pick<Parts, 'ledger' | 'questions' | 'now'>, open: OpenCard): Promise<void> {
  const [first] = open.runs;
  if (first === undefined) return;
  const states = parts.ledger.runs(stemOfRun(first.run));
  if (states.some(({ intent }) => intent !== undefined)) return;
  const asked = states.find((state) => state.asked !== undefined)?.asked;
  const question = asked?.question === undefined ? undefined : await parts.questions.get(asked.question);
  if (question !== undefined)
    await parts.questions.take(question, { who: open.actor.name, what: 'expired', at: parts.now() });
}

async function restingCard(
  parts: RunParts,
  open: OpenCard,
  ended: readonly Ended[],
  why: 'bot-restarted' | 'bot-fault',
): Promise<Card> {
  const command = parts.commands.find(({ id }) => id === open.command);
  if (ended.length === 0 && command?.local !== undefined && decides(command))
    return await localCard(parts, open, command);
  if (ended.length === 0)
    return note('not-sent', typedName(open.command), own(reasons[why].why), own(reasons[why].next));
  const [first] = open.runs;
  const states = first === undefined ? [] : parts.ledger.runs(stemOfRun(first.run));
  return endCard(
    {
      command: open.command,
      actor: open.actor,
      servers: open.runs.flatMap(({ server }) => (server === undefined ? [] : [server])),
      stem: first === undefined ? '' : stemOfRun(first.run),
      ...(typeof open.options.reason === 'string' ? { reason: open.options.reason } : {}),
    },
    ended,
    offersOf(parts.ledger, states, preparedOf(parts, open)),
  );
}

/** What people decide about follow-ups is no run: the ledger cannot be asked by this card whether it was done. */
async function localCard(parts: RunParts, { place, actor }: OpenCard, command: Command): Promise<Card> {
  if (command.resume !== undefined) {
    const { message: card, ...where } = place;
    const tools = toolsOf(parts, { place: where, ...(card === undefined ? {} : { card }) });
    const { outcome = 'succeeded', body } = await command.resume(tools);
    return { state: outcome, command: nameOf(command), body: [...body, own(`By <@${actor.id}>.`)] };
  }
  return note(
    'unknown',
    typedName(command.id),
    own('The bot stopped while it was doing this. It may have been done, or not. Nothing was sent to the panel.'),
    own('/follow-ups list shows what is followed now.'),
  );
}

export const stemOfRun = (run: string): string => run.slice(0, run.lastIndexOf('.'));

/** The end of one run, recorded now if it was not. */
async function close(
  parts: Pick<Parts, 'ledger'>,
  open: Pick<OpenCard, 'actor' | 'command' | 'options' | 'place'>,
  { run, server }: { run: string; server?: Server },
  why: 'bot-restarted' | 'bot-fault',
): Promise<Ended> {
  const state = parts.ledger.runs(stemOfRun(run)).find((each) => each.run === run);
  if (state?.outcome !== undefined) return endedOf(state, server);
  const how =
    state?.intent === undefined
      ? ({ outcome: 'not-sent', reason: why } as const)
      : ({ outcome: 'unknown', reason: 'bot-stopped' } as const);
  const { guild, channel, message } = open.place;
  const entry: NewRunEntry = {
    run,
    kind: 'outcome',
    actor: open.actor,
    command: open.command,
    options: open.options,
    ...(server === undefined ? {} : { server: kept(server) }),
    place: { guild, channel, ...(message === undefined ? {} : { message }) },
    ...how,
  };
  await parts.ledger.append([entry]);
  return { run, ...(server === undefined ? {} : { server }), ...how };
}

/** How the ledger says that a run ended. */
export function endedOf({ run, outcome, resolved }: RunState, server: Server | undefined): Ended {
  return {
    run,
    ...(server === undefined ? {} : { server }),
    outcome: outcome?.outcome ?? 'unknown',
    ...(outcome?.reason === undefined ? {} : { reason: outcome.reason }),
    ...(outcome?.said === undefined ? {} : { said: outcome.said }),
    // The ledger is ours, and its detail was Markup when it was recorded.
    ...(outcome?.detail === undefined ? {} : { detail: own(outcome.detail) }),
    ...(resolved === undefined || outcome?.outcome !== 'unknown'
      ? {}
      : { resolved: { happened: resolved.happened === true, by: resolved.actor, why: resolved.why ?? '' } }),
  };
}
