import type { Card, State } from '../card.ts';
import { beside } from '../cards/closed-thread.ts';
import type { Command, Prepared } from '../command.ts';
import type { Decision } from '../decide/decision.ts';
import { serverRef } from '../decide/entries.ts';
import { nameOf } from '../decide/notes.ts';
import { isPublic } from '../decide/reach.ts';
import type { Actor, Place } from '../outcome.ts';
import type { IncidentRead } from '../runs/entry.ts';
import { invocationIdOf } from '../runs/ids.ts';
import { brokenOff } from './fault.ts';
import type { Click, Invocation, Reply, RunParts, Told } from './parts.ts';
import { readCard } from './read.ts';

type Read = Extract<Decision, { kind: 'read' }>;

/**
 * Answers a read: Discord's own "thinking…", one look, one edit. Nothing of it is kept but its line in the timeline of an
 * incident: after a kill, Discord itself says that the application did not answer.
 */
export async function answerRead(
  parts: RunParts,
  invocation: Invocation,
  { command, prepared, audience, part }: Read,
): Promise<Told> {
  const { interaction, reply } = invocation;
  // What Discord did not confirm may have arrived: then the answer is shown there.
  if (!(await reply.think(audience).catch(() => true))) return undefined;
  const id = invocationIdOf(interaction.id);
  let breakOff = (): void => undefined;
  const stopped = new Promise<Card>((resolve) => {
    breakOff = () => resolve(brokenOff(nameOf(command), 'bot-restarted', command));
  });
  const read = readCard(parts, { ...invocation, audience }, command, prepared, part);
  const answered = Promise.race([read, stopped]).then(async (card) => {
    const { state } = card;
    if (audience === 'public') recordLook(parts, invocation, command, prepared, { state, part });
    await showRead(parts, id, reply, card);
    return state;
  });
  parts.unended.set(id, {
    stop() {
      breakOff();
      return answered;
    },
  });
  return answered.finally(() => parts.unended.delete(id));
}

/** Where Discord has no answer yet, this is the first. */
export async function showRead(
  { observe }: Pick<RunParts, 'observe'>,
  id: string,
  reply: Reply,
  card: Card,
): Promise<void> {
  const begun = performance.now();
  const shown = await reply.show(card);
  if (shown === 'gone') await reply.refuse(card);
  else observe.drawn(id, performance.now() - begun);
}

/** Replaces the clicked card by another page. */
export async function showPage(
  parts: RunParts,
  { actor, place, reply }: Click,
  { command, prepared, audience, part }: Read,
): Promise<void> {
  if (!(await reply.defer())) return;
  const card = await readCard(parts, { actor, place, audience }, command, prepared, part);
  if ((await reply.show(card)) === 'archived') await reply.whisper(beside(card));
  if (audience === 'public') recordLook(parts, { actor, place }, command, prepared, { state: card.state, part });
}

/** What the panel said, or did not. Anything else was said without it. */
const ends: readonly string[] = [
  'rejected',
  'not-sent',
  'unknown',
  'unavailable',
  'failed',
] satisfies IncidentRead['outcome'][];
const isEnd = (state: State): state is NonNullable<IncidentRead['outcome']> & State => ends.includes(state);

/**
 * Records a read of the panel for the timeline of the incident in whose thread it was asked for, also one that failed
 * and the further parts of an answer. Nobody waits for that: the read itself needs no ledger.
 */
function recordLook(
  parts: Pick<RunParts, 'forCommands' | 'ledger' | 'rules'>,
  { place, actor }: { place: Place; actor: Actor },
  command: Command,
  { options, servers: [server] }: Prepared,
  { state, part }: { state: State; part: number },
): void {
  if ((command.reads ?? []).length === 0 || !isPublic(command, place, parts)) return;
  if (state !== 'succeeded' && !isEnd(state)) return;
  const look: IncidentRead = {
    ...{ command: command.id, options },
    server: server && serverRef(server),
    part: part === 0 ? undefined : part + 1,
    outcome: isEnd(state) ? state : undefined,
  };
  void parts.forCommands.incidents.recordRead(place.channel, look, actor, place);
}
