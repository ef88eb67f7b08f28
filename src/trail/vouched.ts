import type { Entry } from '../runs/entry.ts';
import { isIn, type Oddity } from './compare.ts';
import { beginOf, type Posted } from './position.ts';
import { unreported } from './reported.ts';
import type { Seals, Settling } from './seals.ts';

const isSettling = (entry: Entry): entry is Settling => entry.kind === 'acknowledged' || entry.kind === 'alerted';

/**
 * What settles findings, although neither the channel has it nor the bot has sealed it, and the ledger does not report that yet.
 * `posted`: messages of the trail, oldest first. What another release or another token sealed counts once it is posted.
 */
export function unvouched(
  entries: readonly Entry[],
  channel: string,
  posted: readonly Posted[],
  seals: Pick<Seals, 'match'>,
): Oddity[] {
  const begin = beginOf(entries, channel);
  if (begin === undefined) return [];
  const held = posted.findLast((each) => isIn(entries, each))?.to ?? begin - 1;
  const message = posted.at(-1)?.message ?? channel;
  const found = entries
    .slice(held)
    .filter((entry) => isSettling(entry) && !seals.match(entry, entries))
    .map(({ seq }): Oddity => ({ finding: 'unvouched', message, from: seq, to: seq }));
  return unreported(found, entries, channel);
}
