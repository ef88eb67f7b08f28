import { isUtf8 } from 'node:buffer';
import { hash as digest } from 'node:crypto';
import { markOf } from '../runs/entries.ts';
import { type Entry, type NewEntry, readEntry } from '../runs/entry.ts';

/** The last entry of a chain; the next one links to it. */
export interface Head {
  seq: number;
  hash: string;
  /** The hash of the checkpoint up to here: the next entry has it, too. */
  checkpoint?: string;
}

export const genesis: Head = { seq: 0, hash: '0'.repeat(64) };

/** JSON with sorted keys, so that one value has exactly one text and one hash. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) return textOfMembers(membersOf(value));
  return JSON.stringify(value) ?? 'null';
}

/** Whether that is its canonical text. Of what is sorted as it was parsed, JSON.stringify says so in a third of the time. */
const isCanonical = (value: unknown, text: string): boolean =>
  (isSorted(value) && JSON.stringify(value) === text) || canonical(value) === text;

function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  let before = '';
  // What was parsed has no members but its own, and a list of them is not made.
  for (const name in value) {
    if (name < before || !isSorted(value[name as keyof typeof value])) return false;
    before = name;
  }
  return true;
}

/** A member of an object: its name, and the canonical text of both. */
type Member = readonly [name: string, text: string];

const membersOf = (value: object): Member[] =>
  Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]): Member => [name, `${JSON.stringify(name)}:${canonical(member)}`]);

/** Sorts them in place. */
const textOfMembers = (members: Member[]): string =>
  `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text)
    .join(',')}}`;

const sha256 = (text: string): string => digest('sha256', text, 'hex');

/** The text of a new entry, member by member. The entry may change afterwards: this does not. */
export interface Written {
  kind: NewEntry['kind'];
  members: readonly Member[];
}
export const written = (entry: NewEntry): Written => ({ kind: entry.kind, members: membersOf(entry) });

/**
 * Links an entry into the chain, as a line without the line feed. Its hash is SHA-256 over the canonical JSON of all its other
 * members, each of whose texts is made once.
 */
export function sealLine({ members }: Written, time: string, { seq, hash: prev, checkpoint }: Head): string {
  const all = [...members, ...membersOf({ seq: seq + 1, time, prev, checkpoint })];
  const hash = sha256(textOfMembers(all));
  return textOfMembers([...all, ...membersOf({ hash })]);
}

/** An entry as one line of a file, without the line feed. */
export function toLine(entry: Entry): string {
  return canonical(entry);
}

/** The text of a line as stored. UTF-8 decoding would replace invalid bytes and so hide a change. */
export const textOf = (line: Buffer): string => line.toString(isUtf8(line) ? 'utf8' : 'latin1');

/** A line without its line feed, and what it says. Undefined unless its hash is right. */
function hashed(line: Buffer): { entry: Entry; text: string } | undefined {
  try {
    const text = isUtf8(line) ? line.toString() : '';
    // Whoever has verified it knows its form.
    const entry = JSON.parse(text) as Entry;
    return sha256(text.replace(`"hash":"${entry.hash}",`, '')) === entry.hash ? { entry, text } : undefined;
  } catch {
    return undefined;
  }
}

/** The entry of a line that was verified before, without its line feed. Undefined unless its hash is right. */
export const unsealed = (line: Buffer): Entry | undefined => hashed(line)?.entry;

const hashName = '"hash":"';

/** Whether a line, without its line feed, is still the one of this mark that was verified. What it says is not read. */
export function isSealed(line: Buffer, mark: number): boolean {
  const text = textOf(line);
  let at = text.indexOf(hashName);
  // A member of a member may have the same name.
  while (at !== -1 && markOf(text.slice(at + hashName.length)) !== mark) at = text.indexOf(hashName, at + 1);
  const hash = text.slice(at + hashName.length).slice(0, genesis.hash.length);
  return sha256(text.replace(`${hashName}${hash}",`, '')) === hash;
}

/** Undefined unless the line is byte for byte what `sealLine` produces. */
function verified(line: Buffer): Entry | undefined {
  const found = hashed(line);
  return found !== undefined && readEntry(found.entry) !== undefined && isCanonical(found.entry, found.text)
    ? found.entry
    : undefined;
}

export type Verification = { ok: true; count: number; head: string } | { ok: false; seq: number; problem: string };

/** One line after the other, each with its line feed, and good until the next one. */
export type Lines = Iterable<Buffer>;

export type EachLine = (entry: Entry, line: Buffer) => void;

/**
 * Verifies a chain after `from`, and calls `each` with every valid line. Stops at the first entry that was changed, is
 * missing or out of order, and names its `seq`. `count` is the last entry's `seq`. Truncation at the end goes
 * unnoticed: detecting it takes a head stored elsewhere.
 */
export function verifyLines(lines: Lines, each?: EachLine, from: Head = genesis): Verification {
  let { seq, hash } = from;
  /** An entry that stands where the next one should. */
  let found: number | undefined;
  for (const line of lines) {
    const entry = verified(line.subarray(0, -1));
    if (found !== undefined) {
      if (entry?.seq === seq + 1) return wrong(seq + 1, `is reordered: it stands behind entry ${found}`);
      continue;
    }
    if (entry === undefined) return wrong(seq + 1, 'was changed');
    if (entry.seq !== seq + 1) found = entry.seq;
    else if (entry.prev !== hash) return wrong(seq + 1, `does not follow entry ${seq}`);
    else {
      each?.(entry, line);
      ({ seq, hash } = entry);
    }
  }
  return found === undefined
    ? { ok: true, count: seq, head: hash }
    : wrong(seq + 1, `is missing: entry ${found} is there`);
}

const wrong = (seq: number, problem: string): Verification => ({ ok: false, seq, problem: `entry ${seq} ${problem}` });

function* bytesOf(lines: Iterable<string>): Generator<Buffer, void> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

/** The same for lines as texts; `each` gets the entries. */
export const verify = (lines: Iterable<string>, each?: (entry: Entry) => void, from: Head = genesis): Verification =>
  verifyLines(bytesOf(lines), each, from);
