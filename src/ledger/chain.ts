import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type Entry, type NewEntry, readEntry } from '../runs/entry.ts';

/** The last entry of a chain; the next one links to it. */
export interface Head {
  seq: number;
  hash: string;
}

/** The head of an empty ledger. */
export const genesis: Head = { seq: 0, hash: '0'.repeat(64) };

/** JSON with sorted keys, so that one value has exactly one text and one hash. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Links an entry into the chain. Its hash is SHA-256 over the canonical JSON of all its other members. */
export function seal(entry: NewEntry, seq: number, time: string, prev: string): Entry {
  const body = { ...entry, seq, time, prev };
  return { ...body, hash: sha256(canonical(body)) };
}

/** An entry as one line of a file, without the line feed. */
export function toLine(entry: Entry): string {
  return canonical(entry);
}

/** The text of a line as stored. UTF-8 decoding would replace invalid bytes and so hide a change. */
export const textOf = (line: Buffer): string => line.toString(isUtf8(line) ? 'utf8' : 'latin1');

/** Parses a line. Returns undefined unless the line is byte for byte what `seal` and `toLine` produce. */
function unseal(line: string): Entry | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  const entry = readEntry(parsed);
  if (entry === undefined || canonical(parsed) !== line) return undefined;
  const { hash, ...body } = entry;
  return sha256(canonical(body)) === hash ? entry : undefined;
}

export type Verification = { ok: true; count: number; head: string } | { ok: false; seq: number; problem: string };

/**
 * Verifies a chain from its first line, or from the one after `from`, and calls `each` with every valid entry. Stops
 * at the first entry that was changed, is missing or out of order, and returns its `seq`. `count` is the last entry's
 * `seq`. Truncation at the end goes unnoticed: detecting it takes a head stored elsewhere.
 */
export function verify(lines: Iterable<string>, each?: (entry: Entry) => void, from: Head = genesis): Verification {
  let head = from;
  const left = lines[Symbol.iterator]();
  for (let next = left.next(); next.done !== true; next = left.next()) {
    const line = next.value;
    const seq = head.seq + 1;
    const entry = unseal(line);
    if (entry === undefined) return { ok: false, seq, problem: `entry ${seq} was changed` };
    if (entry.seq !== seq) return { ok: false, seq, problem: misplaced(seq, entry.seq, left) };
    if (entry.prev !== head.hash) return { ok: false, seq, problem: `entry ${seq} does not follow entry ${head.seq}` };
    each?.(entry);
    head = { seq, hash: entry.hash };
  }
  return { ok: true, count: head.seq, head: head.hash };
}

/** If the expected entry appears later, the lines were reordered; otherwise it is missing. */
function misplaced(seq: number, found: number, left: Iterator<string>): string {
  for (let next = left.next(); next.done !== true; next = left.next())
    if (unseal(next.value)?.seq === seq) return `entry ${seq} is reordered: it stands behind entry ${found}`;
  return `entry ${seq} is missing: entry ${found} is there`;
}
