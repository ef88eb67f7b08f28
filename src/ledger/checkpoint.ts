import { createHash, hash as digest, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { jsonIn } from '../json.ts';
import type { Unsettled } from '../runs/book.ts';
import type { Row } from '../runs/entries.ts';
import { numbers } from '../runs/numbers.ts';
import type { Head } from './chain.ts';
import { openSame } from './file-lines.ts';
import { replaceWhole } from './journal.ts';
import { isFile } from './kept-out.ts';
import type { Segment } from './segments.ts';

/** A closed file that a checkpoint covers, and how many entries are in it. */
interface Covered {
  file: string;
  count: number;
  sha256: string;
}

interface Named {
  file: string;
  sha256: string;
}

/** Its first line. Behind it are the rows of its entries. */
interface Heading {
  version: typeof version;
  /** The one that covers what is older. */
  before?: Named;
  files: readonly Covered[];
  head: Head;
  effects: RowEffects;
  unsettled: Unsettled;
}

/** Another version is not read: then the ledger is. */
const version = 1;

/** What stands in for the lines of closed files. */
interface Checkpoint extends Named, Pick<Heading, 'before' | 'files' | 'head' | 'unsettled'> {
  rows: Iterable<Row>;
}

/** It lies beside the last file that it covers. */
const nameOf = (closed: string): string => basename(closed).replace(/\.jsonl$/, '.checkpoint');

/** Collects what the next checkpoint covers. */
export function openDraft(dir: string) {
  let before: Named | undefined;
  let files: { file: string; count: number; hash: Hash }[] = [];
  let rows = openRows();
  return {
    follow({ file, sha256 }: Named): void {
      before = { file, sha256 };
    },
    /** The lines that are added from here on are in this file, from its beginning. */
    open(file: string): void {
      files.push({ file: basename(file), count: 0, hash: createHash('sha256') });
    },
    /** The file of the last lines has this name from here on. */
    rename(file: string): void {
      const last = files.at(-1);
      if (last !== undefined) last.file = basename(file);
    },
    /** `line`: its bytes with the line feed. */
    add(row: Row, line: Uint8Array | string): void {
      rows.push(row);
      const last = files.at(-1);
      if (last === undefined) throw new Error('no file is open');
      last.hash.update(line);
      last.count += 1;
    },
    /** Writes it, and begins the next one. Returns its hash. Throws the file system's errors, and then nothing has changed. */
    async write(head: Head, unsettled: Unsettled): Promise<string> {
      const heading: Heading = {
        version,
        before,
        files: files.map(({ hash, ...each }) => ({ ...each, sha256: hash.copy().digest('hex') })),
        ...{ head, effects: rows.effects, unsettled },
      };
      const bytes = Buffer.concat([firstLineOf(heading), ...rows.bytes()]);
      const own: Named = { file: nameOf(files.at(-1)?.file ?? ''), sha256: digest('sha256', bytes, 'hex') };
      await replaceWhole(join(dir, own.file), bytes);
      before = own;
      files = [];
      rows = openRows();
      return own.sha256;
    },
  };
}

export type Draft = ReturnType<typeof openDraft>;

/** So long that the rows behind it can be used where they lie: their longest numbers have eight bytes. */
function firstLineOf(heading: Heading): Buffer {
  const text = Buffer.from(JSON.stringify(heading));
  return Buffer.concat([text, Buffer.from('\n'.padStart(8 - (text.length % 8)))]);
}

/** A checkpoint, or a file that it covers, is not as it was left. Then the ledger itself is read. */
class NotAsLeft extends Error {}

/** Those of all closed files, oldest first. */
export interface Checkpoints {
  all: readonly Checkpoint[];
  last: Checkpoint;
}

/** Reads the checkpoints for which the live file's first entry vouches. Throws where one is not as it was left. */
export async function readCheckpoints(closed: readonly Segment[], live?: Segment): Promise<Checkpoints | undefined> {
  const sha256 = live && vouchedBy(live);
  const newest = closed.at(-1);
  if (sha256 === undefined || newest === undefined) return undefined;
  const dir = dirname(newest.file);
  const last = await readOne(dir, { file: nameOf(newest.file), sha256 });
  const all: Checkpoint[] = [last];
  for (let { before } = last; before !== undefined; ) {
    const older = await readOne(dir, before);
    all.unshift(older);
    ({ before } = older);
  }
  const files = all.flatMap((each) => each.files);
  if (files.length !== closed.length)
    throw new NotAsLeft(`it covers ${files.length} files, and ${closed.length} are there`);
  for (const [at, segment] of closed.entries()) await judge(segment, files[at]);
  return { all, last };
}

async function judge(segment: Segment, covered: Covered | undefined): Promise<void> {
  const file = basename(segment.file);
  if (covered?.file !== file || (await hashOf(segment)) !== covered.sha256)
    throw new NotAsLeft(`${file} is not as it was closed`);
}

/** What the first entry of the live file says. Whoever goes on from there finds out whether that entry is valid. */
function vouchedBy({ lines }: Segment): string | undefined {
  for (const line of lines) {
    const { checkpoint }: { checkpoint?: unknown } = Object(jsonIn(line.toString()));
    return typeof checkpoint === 'string' ? checkpoint : undefined;
  }
  return undefined;
}

async function readOne(dir: string, { file, sha256 }: Named): Promise<Checkpoint> {
  await isFile(join(dir, file));
  const bytes = await readFile(join(dir, file));
  if (digest('sha256', bytes, 'hex') !== sha256) throw new NotAsLeft(`${file} is not as it was written`);
  const end = bytes.indexOf('\n') + 1;
  // Its hash is in the chain, so it is what this bot wrote.
  const { version: known, effects, ...heading } = JSON.parse(bytes.toString('utf8', 0, end)) as Heading;
  if (known !== version) throw new NotAsLeft(`${file} is of another version`);
  const count = heading.files.reduce((sum, each) => sum + each.count, 0);
  return { file, sha256, ...heading, rows: readRows(bytes.subarray(end), count, effects) };
}

/** Of a whole file, a piece at a time. */
async function hashOf({ file, stats }: Segment): Promise<string> {
  const hash = createHash('sha256');
  const pieces = createReadStream(file, { fd: openSame(file, stats), highWaterMark: 1 << 20 });
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** The longest numbers first, so that each column begins where its numbers may begin. */
const columns = [
  ['mark', Float64Array],
  ['time', Float64Array],
  ['server', Float64Array],
  ['thread', Int32Array],
  ['size', Int32Array],
  ['flags', Uint8Array],
] as const;

/** Which row has which effects: few have any. */
type RowEffects = readonly (readonly [index: number, effects: NonNullable<Row['effects']>])[];

/** Rows in little memory: 33 bytes each. */
function openRows() {
  const all = columns.map(([name, Kind]) => ({ name, Kind, values: numbers(Kind) }));
  const effects: RowEffects[number][] = [];
  let length = 0;
  return {
    effects: effects as RowEffects,
    push(row: Row): void {
      for (const { name, values } of all) values.push(row[name]);
      if (row.effects !== undefined) effects.push([length, row.effects]);
      length += 1;
    },
    /** One column after the other, in this machine's byte order. */
    bytes: (): Buffer[] =>
      all.map(({ Kind, values }) => {
        const column = new Kind(length);
        for (let at = 0; at < length; at += 1) column[at] = values.at(at);
        return Buffer.from(column.buffer, column.byteOffset, column.byteLength);
      }),
  };
}

/** The rows that `bytes` wrote, each good until the next. Throws a RangeError where there are not as many. */
function* readRows(bytes: Buffer, length: number, effects: RowEffects): Generator<Row, void> {
  const of = new Map(effects);
  let at = bytes.byteOffset;
  const take = <T>(Kind: {
    new (from: ArrayBufferLike, offset: number, length: number): T;
    BYTES_PER_ELEMENT: number;
  }): T => {
    const from = at;
    at += length * Kind.BYTES_PER_ELEMENT;
    // Earlier versions did not begin the rows where they can be used.
    return from % Kind.BYTES_PER_ELEMENT === 0
      ? new Kind(bytes.buffer, from, length)
      : new Kind(bytes.buffer.slice(from, at), 0, length);
  };
  const [mark, time, server] = [take(Float64Array), take(Float64Array), take(Float64Array)];
  const [thread, size, flags] = [take(Int32Array), take(Int32Array), take(Uint8Array)];
  if (at !== bytes.byteOffset + bytes.length) throw new RangeError('there are more or fewer rows than it says');
  // One for all of them: a million objects take longer than what is done with them.
  const row: Row = { mark: 0, time: 0, server: 0, thread: 0, size: 0, flags: 0 };
  for (let index = 0; index < length; index += 1) {
    row.mark = mark[index] ?? 0;
    row.time = time[index] ?? 0;
    row.server = server[index] ?? 0;
    row.thread = thread[index] ?? 0;
    row.size = size[index] ?? 0;
    row.flags = flags[index] ?? 0;
    const found = of.get(index);
    yield found === undefined ? row : { ...row, effects: found };
  }
}
