import { closeSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { jsonIn } from '../json.ts';
import type { Entry } from '../runs/entry.ts';
import { unlessMissing } from '../system.ts';
import { type EachLine, genesis, type Head, type Lines, verifyLines } from './chain.ts';
import { findLines, type Identity, isSame, openSame } from './file-lines.ts';

/** One file of the ledger, as found. Its lines stay in it, and are read when they are asked for. */
export interface Segment {
  file: string;
  /** Only the complete lines. Throws with the file system's errors. */
  lines: Lines;
  /** How many bytes the complete lines have. */
  size: number;
  /** What follows the last line feed: in the live file an entry being written now, or interrupted by a crash. */
  torn: Buffer;
  /** Which file it was. */
  stats: Identity;
  /** The live file's path if it is a second name of this file: a crash interrupted the closing. */
  twin?: string;
}

/** The file that is appended to. The others are closed and never change. */
export const liveName = 'ledger.jsonl';

/** After the month of its last entry. If the clock went back, the second one gets `-2`, and so on. */
export const closedName = (month: string, n: number) => `ledger-${month}${n === 1 ? '' : `-${n}`}.jsonl`;

const closedForm = /^ledger-(\d{4}-\d{2})(?:-\d+)?\.jsonl$/;

/** The month (UTC) of an entry's time as YYYY-MM; undefined for a time not written by this bot. */
export const monthOf = (time: string) => /^\d{4}-\d{2}(?=-)/.exec(time)?.[0];

/**
 * Finds the files of the ledger in `dir`, oldest first, the live one last; none when there is none. Needs no lock and
 * writes nothing; beside a running bot it ends at an entry that was the last one during the look. Does not verify.
 * Rejects with the file system's errors. `listed`: the names of the closed ones.
 */
export async function readSegments(dir: string, listed = closedNames): Promise<Segment[]> {
  for (;;) {
    const names = await listed(dir);
    const [live, ...closed] = await Promise.all([liveName, ...names].map((name) => lookAt(join(dir, name))));
    // If a file was closed meanwhile, the live one may be the old or the new.
    if (!isDeepStrictEqual(await listed(dir), names)) continue;
    const older = arrange(closed.filter((segment) => segment !== undefined));
    if (live === undefined) return older;
    const last = older.at(-1);
    const twins = last !== undefined && isTwin(live, last);
    return twins ? older.with(-1, { ...last, twin: live.file }) : [...older, live];
  }
}

export const closedNames = async (dir: string) => (await readdir(dir)).filter((name) => closedForm.test(name)).sort();

const lookAt = (file: string): Promise<Segment | undefined> =>
  findLines(file).then((found) => ({ file, ...found }), unlessMissing);

/** Whether both are one file with two names, or a file and its copy. */
function isTwin(live: Segment, last: Segment): boolean {
  const length = live.size + live.torn.length;
  if (length === 0 || length !== last.size + last.torn.length) return false;
  return isSame(live.stats, last.stats) || contentOf(live).equals(contentOf(last));
}

function contentOf({ file, stats }: Segment): Buffer {
  const fd = openSame(file, stats);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

const firstOf = (lines: Lines): Buffer | undefined => {
  for (const line of lines) return line;
  return undefined;
};

function countOf(lines: Lines): number {
  let count = 0;
  for (const _ of lines) count += 1;
  return count;
}

/** By first entry. A file whose first entry was changed goes where entries are missing, and so gets reported. */
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
    // Where all files are sound, nobody has to know.
    next = strange.length === 0 ? first : first + countOf(segment.lines);
  }
  return [...arranged, ...strange];
}

const place = z.object({ seq: z.int(), prev: z.string() });

/** What the first of these says that it follows; undefined where it says nothing of the kind. */
export function followedBy(lines: Lines): Head | undefined {
  const { data } = place.safeParse(jsonIn(firstOf(lines)?.toString() ?? ''));
  return data && { seq: data.seq - 1, hash: data.prev };
}

/** The `seq` of a valid line, wherever in a chain it belongs; undefined if the line was changed. */
function soundSeq(line: Buffer = Buffer.alloc(0)): number | undefined {
  const before = followedBy([line]);
  return before !== undefined && verifyLines([line], undefined, before).ok ? before.seq + 1 : undefined;
}

type SegmentsVerification = { ok: true; head: Head } | { ok: false; file: string; seq: number; problem: string };

/** The first files, where it is known that they are sound, and the head of the last of them. */
export interface KnownSegments {
  files: number;
  head: Head;
}

/**
 * Verifies the chain over all files, as `verify` does for one. `file` and `seq` are the first invalid entry. A
 * missing last file, or lines cut off at its end, show only against a head stored elsewhere.
 */
export function verifySegments(
  segments: readonly Segment[],
  each?: (entry: Entry, line: Buffer, at: { segment: Segment; isFirst: boolean }) => void,
  known: KnownSegments = { files: 0, head: genesis },
): SegmentsVerification {
  let { head } = known;
  for (const [at, segment] of segments.entries()) {
    if (at < known.files) continue;
    const { file, lines, torn } = segment;
    const seen: { last?: string } = {};
    const take: EachLine = (entry, line) => {
      each?.(entry, line, { segment, isFirst: seen.last === undefined });
      seen.last = entry.time;
    };
    const result = verifyLines(lines, take, head);
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

/** The head of files that were verified each by itself. Undefined unless each goes on where the one before ends. */
export function joinedHead(
  segments: readonly Segment[],
  verified: readonly { from: Head; head: Head; time: string }[],
): Head | undefined {
  let head = genesis;
  for (const [at, { file, torn }] of segments.entries()) {
    const found = verified[at];
    if (found?.from.seq !== head.seq || found.from.hash !== head.hash) return undefined;
    ({ head } = found);
    if (basename(file) !== liveName && faultOf(file, torn, head.seq, found.time) !== undefined) return undefined;
  }
  return head;
}

/** Where an entry does not fit the file before, either may be wrong, or one between them missing: name both. */
function atBorder(problem: string, first: Buffer | undefined, head: Head, before: string | undefined): string {
  const seq = soundSeq(first);
  if (seq === undefined) return problem;
  // Before the first file there is none to name.
  if (before === undefined)
    return seq > head.seq + 1
      ? `${lost(head.seq + 1, seq - 1)}: a whole file before this one, or its first lines`
      : problem;
  return `${problem}, and ${basename(before)} ends with entry ${head.seq}`;
}

const lost = (from: number, to: number): string =>
  from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`;

/** What is wrong with a closed file whose complete lines are all valid. */
function faultOf(file: string, torn: Buffer, seq: number, last: string | undefined) {
  const next = seq + 1;
  if (torn.length > 0) return { seq: next, problem: `entry ${next} was changed: its line has no end` };
  if (last === undefined) return { seq: next, problem: `entry ${next} is missing: the file is empty` };
  const month = monthOf(last);
  if (closedForm.exec(basename(file))?.[1] === month) return undefined;
  return { seq, problem: `entry ${seq}, the last in it, is of ${month}: the file had another name` };
}
