import { createHash } from 'node:crypto';
import type { CardFile } from '../card.ts';
import { toLine } from '../ledger/chain.ts';
import type { Entry } from '../runs/entry.ts';
import { csv } from './csv.ts';
import { jsonl } from './jsonl.ts';
import { markdown, type RoleName } from './markdown.ts';

export const formats = ['jsonl', 'csv', 'md'] as const;
export type Format = (typeof formats)[number];

const kinds: Record<Format, { type: string; write(entries: readonly Entry[], roleName: RoleName): string }> = {
  jsonl: { type: 'application/jsonl', write: jsonl },
  csv: { type: 'text/csv', write: csv },
  md: { type: 'text/markdown', write: markdown },
};

export interface RecordFile extends CardFile {
  /** Of its bytes, in hex. */
  sha256: string;
  count: number;
  first: Entry;
  last: Entry;
}

/**
 * Entries as a file. The same entries give the same name and bytes, wherever they were read from; as Markdown, also the same names
 * of roles. Undefined: there are none.
 */
export function fileOf(
  entries: readonly Entry[],
  format: Format,
  roleName: RoleName = () => undefined,
): RecordFile | undefined {
  const all = entries.map(inOrder);
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const bytes = new TextEncoder().encode(kinds[format].write(all, roleName));
  return {
    name: `panelops-${last.time.slice(0, 10)}-${first.seq}-${last.seq}.${format}`,
    type: kinds[format].type,
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    count: all.length,
    first,
    last,
  };
}

/** With its members in the order of the ledger's line: one that was just recorded still has them as they were put together. */
const inOrder = (entry: Entry): Entry => JSON.parse(toLine(entry));
