import { createHash } from 'node:crypto';
import type { CardFile } from '../card.ts';
import { toLine } from '../ledger/chain.ts';
import type { Entry } from '../runs/entry.ts';
import { csv } from './csv.ts';
import { jsonl } from './jsonl.ts';
import { markdown, type RoleName } from './markdown.ts';
import { walk } from './walk.ts';

export const formats = ['jsonl', 'csv', 'md'] as const;
export type Format = (typeof formats)[number];

const kinds: Record<Format, { type: string; write(entries: readonly Entry[], roleName: RoleName): Iterable<string> }> =
  {
    jsonl: { type: 'application/jsonl', write: jsonl },
    csv: { type: 'text/csv', write: (entries) => csv(inOrder(entries)) },
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
 * of roles. Undefined: there are none. With `most`, a file that would have more bytes is not written to its end.
 */
export async function fileOf(
  entries: readonly Entry[],
  format: Format,
  roleName?: RoleName,
): Promise<RecordFile | undefined>;
export async function fileOf(
  entries: readonly Entry[],
  format: Format,
  roleName: RoleName,
  most: number,
): Promise<RecordFile | 'too-large' | undefined>;
export async function fileOf(
  entries: readonly Entry[],
  format: Format,
  roleName: RoleName = () => undefined,
  most = Number.POSITIVE_INFINITY,
): Promise<RecordFile | 'too-large' | undefined> {
  const [first] = entries;
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
    // As a plain array of bytes: a Buffer has a form of its own as JSON.
    bytes: new Uint8Array(Buffer.concat(pieces)),
    sha256: hash.digest('hex'),
    count: entries.length,
    first,
    last,
  };
}

/** With their members in the order of the ledger's line: one that was just recorded still has them as they were put together. */
function* inOrder(entries: Iterable<Entry>): Generator<Entry, void> {
  for (const entry of entries) yield JSON.parse(toLine(entry));
}
