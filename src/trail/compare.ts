import type { Entry, Finding, Kind } from '../runs/entry.ts';
import { contradicts } from '../runs/findings.ts';
import { isAlike } from './alike.ts';
import type { Message } from './channel.ts';
import { entriesFrom, formOf, type Range, rangeIn, textOf } from './pack.ts';

/** Something in the channel that is not as it was posted. `from` and `to` are entries' `seq`. */
export interface Oddity {
  finding: Finding;
  /** The message that is meant, or the one after a gap. */
  message: string;
  from?: number;
  to?: number;
}

/** The range of a message of the trail. */
export const trailRange = ({ own, content }: Message): Range | undefined => (own ? rangeIn(content) : undefined);

/** Whether the ledger holds just these entries. */
export const isIn = (entries: readonly Entry[], { from, to, head }: Range): boolean => {
  const last = entries[to - 1];
  return from >= 1 && from <= to && last?.hash.startsWith(head) === true;
};

/** Whether it reports a message that stands for what this ledger never held. The trail goes on from there. */
export const isForeign = (entry: Entry | undefined): entry is Kind<'tampered'> =>
  entry?.kind === 'tampered' && contradicts(entry);

/** What is wrong with one message by itself, whatever stands around it. */
function wrongWith(message: Message, range: Range, entries: readonly Entry[]): Finding | undefined {
  if (range.to > entries.length) return 'ahead';
  if (!isIn(entries, range)) return 'strange';
  const text = textOf(entriesFrom(entries, range.from, range.to), formOf(range));
  return message.edited || text === undefined || !isAlike(message.content, text) ? 'changed' : undefined;
}

interface Gap {
  from: number;
  to: number;
  /** The message behind it; none: nobody can say that there was anything, for the messages before were not read. */
  message?: string;
}

/**
 * Holds messages, oldest first, against the ledger. With `begin`, the `seq` at which the trail begins, the messages are all
 * that there are; without it, whatever was before the first is not missed. Lines that stand there twice are no finding: they
 * were posted again after somebody deleted them.
 */
export function compare(messages: readonly Message[], entries: readonly Entry[], begin?: number): Oddity[] {
  const judged = messages.flatMap((message) => {
    const range = trailRange(message);
    return range === undefined ? [] : [{ message: message.id, ...range, finding: wrongWith(message, range, entries) }];
  });
  const wrong = judged.flatMap(({ finding, message, from, to }) => (finding ? [{ finding, message, from, to }] : []));
  const standing = judged.filter(({ finding }) => finding !== 'ahead' && finding !== 'strange');
  return [...wrong, ...misplaced(standing, entries, begin)];
}

/** Messages that stand for entries of the ledger, but not all of them, or not in their order. */
function misplaced(
  messages: readonly (Range & { message: string })[],
  entries: readonly Entry[],
  begin: number | undefined,
): Oddity[] {
  const late: Oddity[] = [];
  let gaps: Gap[] = [];
  /** Up to which entry there was something, or a gap. */
  let reach = (begin ?? 1) - 1;
  for (const [at, range] of messages.entries()) {
    const { message, from, to } = range;
    const fills = gaps.some((gap) => from <= gap.to && to >= gap.from);
    if (fills) {
      late.push({ finding: 'reordered', message, from, to });
      gaps = gaps.flatMap((gap) => without(gap, range));
    }
    const isLost = at > 0 || begin !== undefined;
    if (from > reach + 1) gaps.push({ from: reach + 1, to: from - 1, ...(isLost ? { message } : {}) });
    reach = Math.max(reach, to);
  }
  return [...late, ...missing(gaps, entries)];
}

/** What is left of a gap that a message fills. */
const without = (gap: Gap, { from, to }: Range): Gap[] =>
  [
    { ...gap, to: Math.min(gap.to, from - 1) },
    { ...gap, from: Math.max(gap.from, to + 1) },
  ].filter((left) => left.from <= left.to);

function missing(gaps: readonly Gap[], entries: readonly Entry[]): Oddity[] {
  return gaps.flatMap(({ from, to, message }) => {
    const next = entries[to];
    // After such a finding the trail goes on from its entry: what was before is not posted any more.
    const skipped = isForeign(next);
    return message === undefined || skipped ? [] : [{ finding: 'missing' as const, message, from, to }];
  });
}
