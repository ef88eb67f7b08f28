import { toLine } from '../ledger/chain.ts';
import type { Entry } from '../runs/entry.ts';

/** The ledger's own lines as they stand there, one by one: each verifies by itself, and whole ones as a chain. */
export function* jsonl(entries: Iterable<Entry>): Generator<string, void> {
  for (const entry of entries) yield `${toLine(entry)}\n`;
}
