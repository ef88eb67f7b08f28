import type { Entry, Kind } from '../runs/entry.ts';
import { isForeign, isIn } from './compare.ts';
import type { Range } from './pack.ts';

/** The newest message of the trail in its channel, and up to which entry it goes. */
export type Reach = NonNullable<Kind<'stopped'>['reach']>;

/** A message of the trail. */
export interface Posted extends Range {
  message: string;
}

/** The first entry that named this channel for the trail, by `seq`: what was before never belonged there. */
export const beginOf = (entries: readonly Entry[], channel: string): number | undefined =>
  entries.find((entry) => entry.kind === 'started' && entry.facts['audit'] === channel)?.seq;

/** The end of the trail as this process or the last stop knows it, whichever goes further. */
export function knownEnd(entries: readonly Entry[], channel: string, own?: Reach): Reach | undefined {
  const stop = entries.findLast((entry) => entry.kind === 'stopped' && entry.reach?.channel === channel);
  const recorded = stop?.kind === 'stopped' ? stop.reach : undefined;
  return own !== undefined && own.seq > (recorded?.seq ?? 0) ? own : recorded;
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
  return entries.findLast((entry) => isForeign(entry) && entry.message === newest.message)?.seq ?? 'ahead';
}

/**
 * At most 25 characters, for the first few billion entries. Of a nonce Discord may answer with the message that it took before:
 * lines that were deleted, and those of another ledger that began alike, are posted under their own.
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
  const { hash = '' } = deleted ?? entries[from - 1] ?? {};
  return `trail-${from}-${hash.slice(0, 8)}`;
}
