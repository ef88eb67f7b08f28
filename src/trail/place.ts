import type { Entry } from '../ledger/entry.ts';
import { isForeign, isIn } from './compare.ts';
import type { Range } from './pack.ts';

/** The newest message of the trail in its channel, and up to which entry it goes. */
export type Reach = NonNullable<Extract<Entry, { kind: 'stopped' }>['reach']>;

/** A message of the trail. */
export interface Posted extends Range {
  message: string;
}

/** The first entry that named this channel for the trail, by `seq`: what was before never belonged there. */
export const beginOf = (entries: readonly Entry[], channel: string): number | undefined =>
  entries.find((entry) => entry.kind === 'started' && entry.facts.audit === channel)?.seq;

/** How far the trail was in this channel at the last stop that tells of it, or, for a process that was killed, by what it kept. */
export function lastReach(entries: readonly Entry[], channel: string, kept?: Reach): Reach | undefined {
  const stop = entries.findLast((entry) => entry.kind === 'stopped' && entry.reach?.channel === channel);
  const told = stop?.kind === 'stopped' ? stop.reach : undefined;
  // A ledger that is older than what was kept came from elsewhere.
  const isOurs = kept?.channel === channel && kept.seq <= entries.length;
  return isOurs && kept.seq > (told?.seq ?? 0) ? kept : told;
}

/**
 * Where the trail goes on: the entry after those of the channel's newest message. 'ahead': the ledger does not have what that
 * message stands for, and has not said so yet. Undefined: nothing was ever for this channel.
 */
export function nextFrom(
  entries: readonly Entry[],
  channel: string,
  newest: Posted | undefined,
): number | 'ahead' | undefined {
  if (newest === undefined) return beginOf(entries, channel);
  if (isIn(entries, newest)) return newest.to + 1;
  let said = entries.findLast((entry) => isForeign(entry) && entry.message === newest.message)?.seq;
  // What else was found at the same time is told as well.
  while (said !== undefined && isForeign(entries[said - 2])) said -= 1;
  return said ?? 'ahead';
}

/**
 * At most 25 characters. Lines that were deleted are posted again under another nonce: of the first one Discord may still
 * answer with the message that is no more.
 */
export function nonceFor(entries: readonly Entry[], from: number): string {
  const deleted = entries.findLast(
    (entry) =>
      entry.seq > from &&
      entry.kind === 'tampered' &&
      entry.finding === 'deleted' &&
      (entry.from ?? 0) <= from &&
      from <= (entry.to ?? 0),
  );
  return `trail-${from}${deleted === undefined ? '' : `-${deleted.seq}`}`;
}
