import { type Card, trusted } from '../card.ts';
import type { Opened } from '../cards/record.ts';
import type { Command, Prepared } from '../command.ts';
import { nameOf, note, unclaimedNote } from '../decide/notes.ts';
import { outcomeEntry, type Run } from '../decide/work.ts';
import { reasons } from '../reasons.ts';
import { runIdOf } from '../runs/ids.ts';
import { end } from './change.ts';
import type { RunParts } from './parts.ts';
import { headOf } from './read.ts';

/**
 * Redis cannot tell whether another process has this command. Once the ledger has `unavailable` for it, nobody sends
 * it. Until then this process speaks only for itself, and only on its own card.
 */
export function unclaimed(
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

export function unclaimedCard(id: string, command: Command, prepared: Prepared): Card {
  const isChange = prepared.kind === 'change';
  const card = unclaimedNote(nameOf(command), isChange ? 'sent' : 'done');
  return { ...card, ...headOf(command, prepared), ...(isChange ? { run: id } : {}) };
}

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
