import { toLine } from '../ledger/chain.ts';
import type { Entry } from '../runs/entry.ts';

/** The ledger's own lines as they stand there: each verifies by itself, and whole ones as a chain. */
export const jsonl = (entries: readonly Entry[]): string => entries.map((entry) => `${toLine(entry)}\n`).join('');
