import type { Entry } from '../ledger/entry.ts';
import type { Oddity } from './compare.ts';

type Told = Extract<Entry, { kind: 'tampered' }>;
type Known = Oddity & { told?: Told };

/** What is one and the same about a message, whether it was heard as it happened or found later. */
const alike: Record<Told['finding'], readonly Told['finding'][]> = {
  deleted: ['deleted', 'missing'],
  missing: ['deleted', 'missing'],
  edited: ['edited', 'changed'],
  changed: ['edited', 'changed'],
  reordered: ['reordered'],
  // A ledger that was cut off grows past what it lost.
  strange: ['strange', 'ahead'],
  ahead: ['strange', 'ahead'],
};

/**
 * Each with the entry of the ledger that tells of it already, if any does. A gap comes in pieces: what was recorded of one
 * message says nothing of those beside it.
 */
export function recorded(oddities: readonly Oddity[], entries: readonly Entry[], channel: string): Known[] {
  const told = entries.filter((entry): entry is Told => entry.kind === 'tampered' && entry.channel === channel);
  return oddities.flatMap((oddity) => {
    const alikes = told.filter(({ finding }) => alike[oddity.finding].includes(finding));
    if (oddity.finding === 'missing') return pieces(oddity, alikes);
    return withTold(
      oddity,
      alikes.find(({ message }) => message === oddity.message),
    );
  });
}

/** Those that the ledger does not tell of yet. */
export const unrecorded = (oddities: readonly Oddity[], entries: readonly Entry[], channel: string): Oddity[] =>
  recorded(oddities, entries, channel).filter(({ told }) => told === undefined);

const withTold = (oddity: Oddity, told: Told | undefined): Known => (told === undefined ? oddity : { ...oddity, told });

function pieces(gap: Oddity, told: readonly Told[]): Known[] {
  // Who deleted is said where it was heard; a gap that was found later may go beyond that.
  const best = [...told].sort((a, b) => Number(b.finding === 'deleted') - Number(a.finding === 'deleted'));
  const { from = 0, to = from } = gap;
  const parts: Known[] = [];
  for (let seq = from; seq <= to; seq += 1) {
    const by = best.find((each) => (each.from ?? 0) <= seq && seq <= (each.to ?? each.from ?? 0));
    const last = parts.at(-1);
    if (last !== undefined && last.told === by) last.to = seq;
    else parts.push(withTold({ ...gap, from: seq, to: seq }, by));
  }
  return parts;
}
