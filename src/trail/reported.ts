import { type Entries, eventsIn } from '../runs/entries.ts';
import type { Entry, Finding, Kind } from '../runs/entry.ts';
import { contradicts } from '../runs/findings.ts';
import { type Discrepancy, isIn } from './compare.ts';
import { beginOf, type Posted } from './position.ts';
import type { Seals, SettlingEntry } from './seals.ts';

type Report = Kind<'tampered'>;

/** Findings that a report already covers, whether an event or a comparison found them. */
const equivalents: Partial<Record<Finding, readonly Finding[]>> = {
  deleted: ['deleted'],
  missing: ['deleted', 'missing'],
  edited: ['edited', 'changed'],
  changed: ['edited', 'changed'],
  reordered: ['reordered'],
  unvouched: ['unvouched'],
};

const reportsOf = (entries: Entries, channel: string): Report[] =>
  eventsIn(entries).filter((entry): entry is Report => entry.kind === 'tampered' && entry.channel === channel);

/**
 * The discrepancies that the ledger does not report yet. A gap is split: a report about one message does not cover its
 * neighbours. Entries that the ledger never held become one report that names the newest message: the ledger lost them,
 * or was replaced, all at once.
 */
export function unreported(discrepancies: readonly Discrepancy[], entries: Entries, channel: string): Discrepancy[] {
  // Called on every turn, and `reportsOf` scans the whole ledger.
  if (discrepancies.length === 0) return [];
  const reports = reportsOf(entries, channel);
  const others = discrepancies.filter((discrepancy) => !contradicts(discrepancy));
  return [
    ...newlyForeign(discrepancies.filter(contradicts), reports.filter(contradicts)),
    ...others.flatMap((discrepancy) => {
      const matching = reports.filter(({ finding }) => equivalents[discrepancy.finding]?.includes(finding) === true);
      if (discrepancy.finding === 'missing' || discrepancy.finding === 'unvouched')
        return pieces(discrepancy, matching);
      return matching.some(({ message }) => message === discrepancy.message) ? [] : [discrepancy];
    }),
  ];
}

/** One discrepancy for all foreign messages that no report covers. Older reports cover everything before them. */
function newlyForeign(foreign: readonly Discrepancy[], reports: readonly Report[]): Discrepancy[] {
  const newest = newestOf(foreign);
  const reported = newestOf(reports);
  if (newest === undefined || (reported !== undefined && !isAfter(newest, reported))) return [];
  const left = foreign.filter((each) => !reports.some((report) => covers(report, each)));
  return [{ ...newest, ...spanOf(left) }];
}

const covers = (report: Report, discrepancy: Discrepancy): boolean =>
  !isAfter(discrepancy, report) && (discrepancy.from ?? 0) >= (report.from ?? 0);

function spanOf(discrepancies: readonly Discrepancy[]): { from: number; to: number } {
  const seqs = discrepancies.flatMap(({ from, to }) => [from ?? [], to ?? []].flat());
  return { from: Math.min(...seqs), to: Math.max(...seqs) };
}

const isAfter = (a: { message: string }, b: { message: string }): boolean => BigInt(a.message) > BigInt(b.message);

const newestOf = <T extends { message: string }>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>(
    (newest, each) => (newest === undefined || isAfter(each, newest) ? each : newest),
    undefined,
  );

/** The parts of a gap that no report covers. */
function pieces(gap: Discrepancy, reports: readonly Report[]): Discrepancy[] {
  const parts: Discrepancy[] = [];
  const { from = 0, to = from } = gap;
  for (let seq = from; seq <= to; seq += 1) {
    if (reports.some((each) => (each.from ?? 0) <= seq && seq <= (each.to ?? each.from ?? 0))) continue;
    const last = parts.at(-1);
    if (last?.to === seq - 1) last.to = seq;
    else parts.push({ ...gap, from: seq, to: seq });
  }
  return parts;
}

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
