import { type Entries, eventsIn } from '../runs/entries.ts';
import type { Entry } from '../runs/entry.ts';
import { type Discrepancy, isIn } from './compare.ts';
import { beginOf, type Posted } from './position.ts';
import { unreported } from './reported.ts';
import type { Seals, SettlingEntry } from './seals.ts';

const isSettling = (entry: Entry): entry is SettlingEntry => entry.kind === 'acknowledged' || entry.kind === 'alerted';

/**
 * Entries that settle findings but are neither posted in the channel nor sealed by the bot, and that the ledger does
 * not report yet. `posted`: messages of the trail, oldest first. A seal of another release or token does not match;
 * such an entry counts once it is posted.
 */
export function unvouchedEntries(
  entries: Entries,
  channel: string,
  posted: readonly Posted[],
  seals: Pick<Seals, 'match'>,
): Discrepancy[] {
  const begin = beginOf(entries, channel);
  if (begin === undefined) return [];
  const held = posted.findLast((each) => isIn(entries, each))?.to ?? begin - 1;
  const message = posted.at(-1)?.message ?? channel;
  const found = eventsIn(entries)
    .filter((entry) => entry.seq > held && isSettling(entry) && !seals.match(entry, entries))
    .map(({ seq }): Discrepancy => ({ finding: 'unvouched', message, from: seq, to: seq }));
  return unreported(found, entries, channel);
}
