import type { Entry, Finding, Kind } from '../runs/entry.ts';
import { contradicts } from '../runs/findings.ts';
import type { Oddity } from './compare.ts';

type Report = Kind<'tampered'>;

/** What is one and the same, whether it was heard as it happened or found later. */
const alike: Partial<Record<Finding, readonly Finding[]>> = {
  deleted: ['deleted'],
  missing: ['deleted', 'missing'],
  edited: ['edited', 'changed'],
  changed: ['edited', 'changed'],
  reordered: ['reordered'],
  unvouched: ['unvouched'],
};

/** What the ledger reports of a channel. */
export const reportsOf = (entries: readonly Entry[], channel: string): Report[] =>
  entries.filter((entry): entry is Report => entry.kind === 'tampered' && entry.channel === channel);

/**
 * Those that the ledger does not report yet. A gap comes in pieces: what was recorded of one message says nothing of those beside
 * it. What the ledger never held comes as one, under the name of the newest message: it was lost, or replaced, at once.
 */
export function unreported(oddities: readonly Oddity[], entries: readonly Entry[], channel: string): Oddity[] {
  const reports = reportsOf(entries, channel);
  const others = oddities.filter((oddity) => !contradicts(oddity));
  return [
    ...newlyForeign(oddities.filter(contradicts), reports.filter(contradicts)),
    ...others.flatMap((oddity) => {
      const alikes = reports.filter(({ finding }) => alike[oddity.finding]?.includes(finding) === true);
      if (oddity.finding === 'missing' || oddity.finding === 'unvouched') return pieces(oddity, alikes);
      return alikes.some(({ message }) => message === oddity.message) ? [] : [oddity];
    }),
  ];
}

/** One for all, with what no report covers. An old report names its message's entries alone, and stands for all before it. */
function newlyForeign(foreign: readonly Oddity[], reports: readonly Report[]): Oddity[] {
  const newest = newestOf(foreign);
  const reported = newestOf(reports);
  if (newest === undefined || (reported !== undefined && !isAfter(newest, reported))) return [];
  const left = foreign.filter((each) => !reports.some((report) => covers(report, each)));
  return [{ ...newest, ...spanOf(left) }];
}

const covers = (report: Report, oddity: Oddity): boolean =>
  !isAfter(oddity, report) && (oddity.from ?? 0) >= (report.from ?? 0);

function spanOf(oddities: readonly Oddity[]): { from: number; to: number } {
  const seqs = oddities.flatMap(({ from, to }) => [from ?? [], to ?? []].flat());
  return { from: Math.min(...seqs), to: Math.max(...seqs) };
}

const isAfter = (a: { message: string }, b: { message: string }): boolean => BigInt(a.message) > BigInt(b.message);

const newestOf = <T extends { message: string }>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>(
    (newest, each) => (newest === undefined || isAfter(each, newest) ? each : newest),
    undefined,
  );

/** What of a gap no report covers. */
function pieces(gap: Oddity, reports: readonly Report[]): Oddity[] {
  const parts: Oddity[] = [];
  const { from = 0, to = from } = gap;
  for (let seq = from; seq <= to; seq += 1) {
    if (reports.some((each) => (each.from ?? 0) <= seq && seq <= (each.to ?? each.from ?? 0))) continue;
    const last = parts.at(-1);
    if (last?.to === seq - 1) last.to = seq;
    else parts.push({ ...gap, from: seq, to: seq });
  }
  return parts;
}
