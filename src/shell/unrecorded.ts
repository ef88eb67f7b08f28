import { type Card, trusted } from '../card.ts';
import type { Opened } from '../cards/record.ts';
import type { Command, Prepared } from '../command.ts';
import { nameOf, note } from '../decide/notes.ts';
import type { Run } from '../decide/work.ts';
import { reasons } from '../reasons.ts';
import { runIdOf } from '../runs/ids.ts';
import { end } from './change.ts';
import type { RunParts } from './parts.ts';
import { headOf } from './read.ts';

/**
 * Refuses a change whose card record is not stored: after a crash nobody would know about it, and its card would show
 * WORKING forever.
 */
export async function unrecorded(
  parts: RunParts,
  id: string,
  opened: Opened,
  prepared: Prepared,
  card: Card,
): Promise<void> {
  if (prepared.kind !== 'change') return parts.cards.answer(id, opened, card);
  const runs = prepared.servers.map((server, i): Run => ({ run: runIdOf(id, i + 1), server }));
  await end(parts, opened, runs, { outcome: 'unavailable', reason: 'card-unrecorded' });
}

export function unrecordedCard(id: string, command: Command, prepared: Prepared): Card {
  const { why, next } = reasons['card-unrecorded'];
  const card = note('unavailable', nameOf(command), trusted(why), trusted(next));
  return { ...card, ...headOf(command, prepared), ...(prepared.kind === 'change' ? { run: id } : {}) };
}
