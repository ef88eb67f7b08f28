import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type Entry, type NewEntry, readEntry } from '../runs/entry.ts';

/** The last entry that stands: where the next one is linked to. */
export interface Head {
  seq: number;
  hash: string;
}

/** The head of an empty ledger. */
export const genesis: Head = { seq: 0, hash: '0'.repeat(64) };

/** JSON with sorted keys and nothing left to choice, so that one value has one text, and one hash. */
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

/** Gives an entry its place in the chain: the hash is SHA-256 over the canonical JSON of everything but itself. */
export function seal(entry: NewEntry, seq: number, time: string, prev: string): Entry {
  const body = { ...entry, seq, time, prev };
  return { ...body, hash: sha256(canonical(body)) };
}

/** The one line that stands for an entry in a file, without its line feed. */
export function toLine(entry: Entry): string {
  return canonical(entry);
}

/** The text of a line as it was stored. Decoding would mend broken UTF-8 and so hide a change. */
export const textOf = (line: Buffer): string => line.toString(isUtf8(line) ? 'utf8' : 'latin1');

/** The entry in a line, or undefined when the line is not, byte for byte, what `seal` and `toLine` made. */
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
 * Walks a chain from its first line, or the one after `from`, handing each sound entry to `each`, and stops at the first
 * that is changed, missing or out of order; `seq` names it. `count` is the last entry's `seq`. Lines cut off at the end
 * leave a sound chain: only a head kept elsewhere shows that.
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

/** An entry that stands further on was moved, not taken out. */
function misplaced(seq: number, found: number, left: Iterator<string>): string {
  for (let next = left.next(); next.done !== true; next = left.next())
    if (unseal(next.value)?.seq === seq) return `entry ${seq} is reordered: it stands behind entry ${found}`;
  return `entry ${seq} is missing: entry ${found} is there`;
}
