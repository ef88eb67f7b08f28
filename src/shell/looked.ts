import type { State } from '../card.ts';
import type { Command, Prepared } from '../command.ts';
import { isPublic } from '../decide/audience.ts';
import { serverRef } from '../decide/work.ts';
import type { Actor, Place } from '../outcome.ts';
import type { Look } from '../runs/entry.ts';
import type { RunParts } from './parts.ts';

/** What the panel said, or did not. Anything else was said without it. */
const ends: readonly string[] = [
  'rejected',
  'not-sent',
  'unknown',
  'unavailable',
  'failed',
] satisfies Look['outcome'][];
const isEnd = (state: State): state is NonNullable<Look['outcome']> & State => ends.includes(state);

/**
 * Records a read of the panel for the timeline of the incident in whose thread it was asked for, also one that failed
 * and the further parts of an answer. Nobody waits for that: the read itself needs no ledger.
 */
export function recordLook(
  parts: Pick<RunParts, 'forCommands' | 'ledger' | 'rules'>,
  { place, actor }: { place: Place; actor: Actor },
  command: Command,
  { options, servers: [server] }: Prepared,
  { state, part }: { state: State; part: number },
): void {
  if ((command.reads ?? []).length === 0 || !isPublic(command, place, parts)) return;
  if (state !== 'succeeded' && !isEnd(state)) return;
  const look: Look = {
    ...{ command: command.id, options },
    server: server && serverRef(server),
    part: part === 0 ? undefined : part + 1,
    outcome: isEnd(state) ? state : undefined,
  };
  void parts.forCommands.incidents.recordRead(place.channel, look, actor, place);
}
