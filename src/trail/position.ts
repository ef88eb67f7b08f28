import { bySeq, type Entries, eventsIn } from '../runs/entries.ts';
import type { Kind } from '../runs/entry.ts';
import type { Range } from '../view/trail.ts';
import { isForeign, isIn } from './compare.ts';

/** The newest message of the trail in its channel, and its last entry. */
export type Reach = NonNullable<Kind<'stopped'>['reach']>;

export interface Posted extends Range {
  message: string;
}

/** The `seq` of the first entry that names this channel as the audit channel. Older entries do not belong there. */
export const beginOf = (entries: Entries, channel: string): number | undefined =>
  eventsIn(entries).find((entry) => entry.kind === 'started' && entry.facts['audit'] === channel)?.seq;

/** The end of the trail, from this process or the last recorded stop, whichever is further. */
export function knownEnd(entries: Entries, channel: string, own?: Reach): Reach | undefined {
  const stop = eventsIn(entries).findLast((entry) => entry.kind === 'stopped' && entry.reach?.channel === channel);
  const recorded = stop?.kind === 'stopped' ? stop.reach : undefined;
  return own !== undefined && own.seq > (recorded?.seq ?? 0) ? own : recorded;
}

/** The `seq` to post after the channel's newest message. 'ahead': the ledger lacks what that message has. */
export function nextFrom(entries: Entries, channel: string, newest: Posted | undefined): number | 'ahead' | undefined {
  if (newest === undefined) return beginOf(entries, channel);
  if (isIn(entries, newest)) return newest.to + 1;
  return eventsIn(entries).findLast((entry) => isForeign(entry) && entry.message === newest.message)?.seq ?? 'ahead';
}

/**
 * At most 25 characters, for the first few billion entries. For a repeated nonce, Discord returns the old message. So
 * lines that were deleted get a new nonce, and so do those of another ledger with the same beginning.
 */
export function nonceFor(entries: Entries, from: number): string {
  // A report comes after the entries that it concerns.
  const deleted = eventsIn(entries).findLast(
    (entry) =>
      entry.seq > from &&
      entry.kind === 'tampered' &&
      entry.finding === 'deleted' &&
      (entry.from ?? 0) <= from &&
      from <= (entry.to ?? 0),
  );
  const { hash = '' } = deleted ?? bySeq(entries, from) ?? {};
  return `trail-${from}-${hash.slice(0, 8)}`;
}
