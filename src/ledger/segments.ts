import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Entry } from '../runs/entry.ts';
import { genesis, type Head, textOf, verify } from './chain.ts';

/** Lines without their line feeds, each decoded when it is asked for: all at once, as texts, they need more than twice their bytes. */
interface Lines extends Iterable<string> {
  length: number;
}

/** One file of the ledger, as it was read. */
export interface Segment {
  /** Its path. */
  file: string;
  /** Its complete lines. */
  lines: Lines;
  /** What follows the last line feed: in the live file an entry that is being written, or was when a crash came. */
  torn: Buffer;
  bytes: Buffer;
  /** The live file's path, where that is another name of this very file: it was being closed. */
  twin?: string;
}

/** The file that is written. The others are closed: they never change. */
export const liveName = 'ledger.jsonl';

/** A closed file is named after the month of its last entry; a clock that went back makes a second one, and so on. */
export const closedName = (month: string, n: number) => `ledger-${month}${n === 1 ? '' : `-${n}`}.jsonl`;

const closedForm = /^ledger-(\d{4}-\d{2})(?:-\d+)?\.jsonl$/;

/** The month (UTC) of an entry's time, as YYYY-MM; undefined for a time that this bot did not write. */
export const monthOf = (time: string) => /^\d{4}-\d{2}(?=-)/.exec(time)?.[0];

/**
 * Reads the ledger in `dir`, oldest file first, the live one last; none when there is no ledger. Writes nothing and needs
 * no lock: beside a bot that is at work, it ends at an entry that was the last while it read. Rejects with what readdir and
 * readFile reject with. What was read is not verified.
 */
export async function readSegments(dir: string): Promise<Segment[]> {
  for (;;) {
    const names = await closedNames(dir);
    const [live, ...closed] = await Promise.all([liveName, ...names].map((name) => read(join(dir, name))));
    // Where a file was closed meanwhile, what was read as the live one may be the old or the new.
    if (!isDeepStrictEqual(await closedNames(dir), names)) continue;
    const older = arrange(closed.filter((segment) => segment !== undefined));
    if (live === undefined) return older;
    const last = older.at(-1);
    const twins = last !== undefined && live.bytes.length > 0 && live.bytes.equals(last.bytes);
    return twins ? older.with(-1, { ...last, twin: live.file }) : [...older, live];
  }
}

const closedNames = async (dir: string) => (await readdir(dir)).filter((name) => closedForm.test(name)).sort();

async function read(file: string): Promise<Segment | undefined> {
  try {
    const bytes = await readFile(file);
    const end = bytes.lastIndexOf(lineFeed) + 1;
    return { file, lines: linesOf(bytes.subarray(0, end)), torn: bytes.subarray(end), bytes };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const lineFeed = 10;

/** `bytes` end with a line feed, where there are any. */
function linesOf(bytes: Buffer): Lines {
  let length = 0;
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, end + 1)) length += 1;
  return {
    length,
    *[Symbol.iterator]() {
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(lineFeed, start);
        yield textOf(bytes.subarray(start, end));
        start = end + 1;
      }
    },
  };
}

const firstOf = ([first]: Lines): string | undefined => first;

/** In the order of their first entries. One whose first entry was changed goes where entries are missing, to be named. */
function arrange(closed: readonly Segment[]): Segment[] {
  const strange = closed.filter(({ lines }) => soundSeq(firstOf(lines)) === undefined);
  const known = closed.flatMap((segment) => {
    const first = soundSeq(firstOf(segment.lines));
    return first === undefined ? [] : [{ segment, first }];
  });
  const arranged: Segment[] = [];
  let next = 1;
  for (const { segment, first } of known.sort((a, b) => a.first - b.first)) {
    if (first !== next) arranged.push(...strange.splice(0, 1));
    arranged.push(segment);
    next = first + segment.lines.length;
  }
  return [...arranged, ...strange];
}

const place = z.object({ seq: z.int(), prev: z.string() });

/** The sequence of an entry, wherever in a chain it belongs; undefined when its line was changed. */
function soundSeq(line = ''): number | undefined {
  try {
    const { seq, prev } = place.parse(JSON.parse(line));
    return verify([line], undefined, { seq: seq - 1, hash: prev }).ok ? seq : undefined;
  } catch {
    return undefined;
  }
}

export type SegmentsVerification = { ok: true; head: Head } | { ok: false; file: string; seq: number; problem: string };

/**
 * Walks the chain over all files, as `verify` does over one: `file` and `seq` are where it first is not as it was written.
 * A last file that is gone, or lines cut off at its end, show only by a head kept elsewhere.
 */
export function verifySegments(
  segments: readonly Segment[],
  each?: (entry: Entry, file: string) => void,
): SegmentsVerification {
  let head = genesis;
  for (const [at, { file, lines, torn }] of segments.entries()) {
    const seen: { last?: Entry } = {};
    const take = (entry: Entry) => {
      seen.last = entry;
      each?.(entry, file);
    };
    const result = verify(lines, take, head);
    if (!result.ok) {
      const before = segments[at - 1]?.file;
      const { seq, problem } = result;
      return { ok: false, file, seq, problem: seen.last ? problem : atBorder(problem, firstOf(lines), head, before) };
    }
    head = { seq: result.count, hash: result.head };
    const fault = basename(file) === liveName ? undefined : faultOf(file, torn, head.seq, seen.last);
    if (fault) return { ok: false, file, ...fault };
  }
  return { ok: true, head };
}

/** Where a sound entry does not fit the file before, nobody can tell which of the two is wrong, or if one between is gone. */
function atBorder(problem: string, first: string | undefined, head: Head, before: string | undefined): string {
  const seq = soundSeq(first);
  if (seq === undefined) return problem;
  // Before the first file there is none whose end could be missing.
  if (before === undefined)
    return seq > head.seq + 1
      ? `${lost(head.seq + 1, seq - 1)}: a whole file before this one, or its first lines`
      : problem;
  return `${problem}, and ${basename(before)} ends with entry ${head.seq}`;
}

const lost = (from: number, to: number): string =>
  from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`;

/** What is wrong with a closed file of which every complete line is sound. */
function faultOf(file: string, torn: Buffer, seq: number, last: Entry | undefined) {
  const next = seq + 1;
  if (torn.length > 0) return { seq: next, problem: `entry ${next} was changed: its line has no end` };
  if (last === undefined) return { seq: next, problem: `entry ${next} is missing: the file is empty` };
  const month = monthOf(last.time);
  if (closedForm.exec(basename(file))?.[1] === month) return undefined;
  return { seq, problem: `entry ${seq}, the last in it, is of ${month}: the file had another name` };
}
