import { createHash } from 'node:crypto';
import type { CardFile } from '../card.ts';
import { toLine } from '../ledger/chain.ts';
import type { Entries } from '../runs/entries.ts';
import type { Entry } from '../runs/entry.ts';
import { walk } from '../walk.ts';
import { csv } from './csv.ts';
import type { Format } from './formats.ts';
import { markdown, type RoleName } from './markdown.ts';

const kinds: Record<Format, { type: string; write(entries: Entries, roleName: RoleName): Iterable<string> }> = {
  jsonl: { type: 'application/jsonl', write: jsonl },
  csv: { type: 'text/csv', write: (entries) => csv(inOrder(entries)) },
  md: { type: 'text/markdown', write: markdown },
};

export interface RecordFile extends CardFile {
  sha256: string;
  count: number;
  first: Entry;
  last: Entry;
}

/**
 * Entries as a file; undefined if there are none. The same entries give the same name and bytes wherever they were
 * read from; Markdown also depends on the role names. Stops early once the file exceeds `most` bytes.
 */
export async function fileOf(entries: Entries, format: Format, roleName?: RoleName): Promise<RecordFile | undefined>;
export async function fileOf(
  entries: Entries,
  format: Format,
  roleName: RoleName,
  most: number,
): Promise<RecordFile | 'too-large' | undefined>;
export async function fileOf(
  entries: Entries,
  format: Format,
  roleName: RoleName = () => undefined,
  most = Number.POSITIVE_INFINITY,
): Promise<RecordFile | 'too-large' | undefined> {
  const first = entries.at(0);
  const last = entries.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const { type, write } = kinds[format];
  const pieces: Uint8Array[] = [];
  const hash = createHash('sha256');
  let size = 0;
  function* bounded() {
    for (const text of write(entries, roleName)) {
      const piece = Buffer.from(text);
      size += piece.byteLength;
      if (size > most) return;
      yield piece;
    }
  }
  await walk(bounded(), (piece) => {
    hash.update(piece);
    pieces.push(piece);
  });
  if (size > most) return 'too-large';
  return {
    name: `panelops-${last.time.slice(0, 10)}-${first.seq}-${last.seq}.${format}`,
    type,
    // A plain byte array: a Buffer has its own form in JSON.
    bytes: new Uint8Array(Buffer.concat(pieces)),
    sha256: hash.digest('hex'),
    count: entries.length,
    first,
    last,
  };
}

/** Sorts members as in the ledger's line: an entry just recorded still has the order in which it was built. */
function* inOrder(entries: Iterable<Entry>): Generator<Entry, void> {
  for (const entry of entries) yield JSON.parse(toLine(entry));
}

/** The ledger's lines, unchanged: each verifies by itself, and a full export verifies as a chain. */
export function* jsonl(entries: Iterable<Entry>): Generator<string, void> {
  for (const entry of entries) yield `${toLine(entry)}\n`;
}
