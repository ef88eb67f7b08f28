import { sealLine, written } from '../../../src/ledger/chain.ts';
import type { Entry, NewEntry } from '../../../src/runs/entry.ts';

/** An entry as it stands in a chain, after the one of this hash. */
export function seal(entry: NewEntry, seq: number, time: string, prev: string): Entry {
  const { hash } = JSON.parse(sealLine(written(entry), time, { seq: seq - 1, hash: prev }));
  return { ...entry, seq, time, prev, hash };
}
