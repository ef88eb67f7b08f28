import type { Entry, Finding, Kind } from './entry.ts';

/** A finding: something in the trail that is not as posted, until an authorized person acknowledges it. */
export interface FindingState {
  found: Kind<'tampered'>;
  acknowledged?: Kind<'acknowledged'>;
}

/** Whether the channel shows something this ledger never held: the ledger was truncated, rewritten or replaced. */
export const contradicts = ({ finding }: { finding: Finding }): boolean => finding === 'ahead' || finding === 'strange';

/** Up to which finding people were pinged: none that came later. */
export const toldUpTo = (alerted: Kind<'alerted'> | undefined): number =>
  alerted === undefined ? 0 : Math.min(alerted.upTo, alerted.seq);

/** What is asked of findings by the `seq` of their entries. */
export interface FindingHeads {
  finding(seq: number): FindingState | undefined;
  /** The last alert to people. */
  alerted(): Kind<'alerted'> | undefined;
}

/** Collects findings, on top of those `below`. */
export function openFindings(below?: FindingHeads) {
  const all = new Map<number, FindingState>();
  let alerted: Kind<'alerted'> | undefined;
  const heads: FindingHeads = {
    finding: (seq) => all.get(seq) ?? below?.finding(seq),
    alerted: () => alerted ?? below?.alerted(),
  };
  /** What nobody vouches for settled nothing. */
  function reopen({ from = 0, to = from }: Kind<'tampered'>): void {
    for (const [seq, { found, acknowledged: by }] of all)
      if (by !== undefined && from <= by.seq && by.seq <= to) all.set(seq, { found });
  }
  return {
    ...heads,
    take(entry: Entry): void {
      if (entry.kind === 'tampered') all.set(entry.seq, { found: entry });
      if (entry.kind === 'tampered' && entry.finding === 'unvouched') reopen(entry);
      if (entry.kind === 'alerted') alerted = entry;
      if (entry.kind !== 'acknowledged') return;
      for (const seq of entry.findings) {
        const state = heads.finding(seq);
        if (state !== undefined) all.set(seq, { ...state, acknowledged: entry });
      }
    },
    all: (): FindingState[] => [...all.values()],
  };
}

/** The findings in a ledger's entries. */
export function findingsIn(entries: readonly Entry[]): FindingState[] {
  const findings = openFindings();
  for (const entry of entries) findings.take(entry);
  return findings.all();
}
