import { toLine } from '../ledger/chain.ts';
import type { Entry } from '../runs/entry.ts';

/** The ledger's lines, unchanged: each verifies by itself, and a full export verifies as a chain. */
export function* jsonl(entries: Iterable<Entry>): Generator<string, void> {
  for (const entry of entries) yield `${toLine(entry)}\n`;
}
