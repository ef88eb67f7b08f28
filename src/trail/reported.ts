import type { Entry, Kind } from '../runs/entry.ts';
import type { Oddity } from './compare.ts';

type Report = Kind<'tampered'>;
/** With the entry that reports it, if any does. */
type Judged = Oddity & { report?: Report };

/** What is one and the same, whether it was heard as it happened or found later. */
const alike: Record<Report['finding'], readonly Report['finding'][]> = {
  deleted: ['deleted'],
  missing: ['deleted', 'missing'],
  edited: ['edited', 'changed'],
  changed: ['edited', 'changed'],
  reordered: ['reordered'],
  // A ledger that was cut off grows past what it lost.
  strange: ['strange', 'ahead'],
  ahead: ['strange', 'ahead'],
};

/** What the ledger reports of a channel. */
export const reportsOf = (entries: readonly Entry[], channel: string): Report[] =>
  entries.filter((entry): entry is Report => entry.kind === 'tampered' && entry.channel === channel);

/**
 * Each with the entry of the ledger that reports it already. A gap comes in pieces: what was recorded of one message says
 * nothing of those beside it.
 */
export function withReports(oddities: readonly Oddity[], entries: readonly Entry[], channel: string): Judged[] {
  const reports = reportsOf(entries, channel);
  return oddities.flatMap((oddity) => {
    const alikes = reports.filter(({ finding }) => alike[oddity.finding].includes(finding));
    return oddity.finding === 'missing'
      ? pieces(oddity, alikes)
      : judged(
          oddity,
          alikes.find(({ message }) => message === oddity.message),
        );
  });
}

/** Those that the ledger does not report yet. */
export const unreported = (oddities: readonly Oddity[], entries: readonly Entry[], channel: string): Oddity[] =>
  withReports(oddities, entries, channel).filter(({ report }) => report === undefined);

const judged = (oddity: Oddity, report: Report | undefined): Judged =>
  report === undefined ? oddity : { ...oddity, report };

function pieces(gap: Oddity, reports: readonly Report[]): Judged[] {
  // Who deleted is said where it was heard; a gap that was found later may go beyond that.
  const best = [...reports].sort((a, b) => Number(b.finding === 'deleted') - Number(a.finding === 'deleted'));
  const { from = 0, to = from } = gap;
  const parts: Judged[] = [];
  for (let seq = from; seq <= to; seq += 1) {
    const by = best.find((each) => (each.from ?? 0) <= seq && seq <= (each.to ?? each.from ?? 0));
    const last = parts.at(-1);
    if (last !== undefined && last.report === by) last.to = seq;
    else parts.push(judged({ ...gap, from: seq, to: seq }, by));
  }
  return parts;
}
