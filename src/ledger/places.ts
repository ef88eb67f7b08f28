import { closeSync, openSync, readSync } from 'node:fs';
import type { Entry } from '../runs/entry.ts';
import { numbers } from '../runs/numbers.ts';
import { markOf } from '../runs/row.ts';
import { unsealed } from './chain.ts';
import { type Identity, openSame } from './file-lines.ts';
import { LedgerDamaged } from './ledger.ts';

/** A file whose lines are known, and the index of its first entry. */
interface Source {
  file: string;
  /** Missing: it is opened when it is read for the first time. */
  fd?: number;
  first: number;
  size: number;
}

/** How many bytes to read at once where many are asked for, and where most are none of those. */
const block = 1 << 18;
const searched = 1 << 16;

/** Where each entry stands in the files, and what of its hash proves that it is the one that was verified: 16 bytes for each. */
export function openPlaces() {
  const sources: Source[] = [];
  const offsets = numbers(Float64Array);
  /** The first 52 bits of each hash. */
  const marks = numbers(Float64Array);
  let bytes = Buffer.allocUnsafe(1 << 14);

  const sourceOf = (index: number): Source | undefined => sources.findLast(({ first }) => first <= index);
  const firstAfter = (index: number): number => sources.find(({ first }) => first > index)?.first ?? offsets.length;
  const endOf = (index: number, { size }: Source): number =>
    index + 1 < firstAfter(index) ? offsets.at(index + 1) : size;

  /** The bytes of the line begin at `start`, and its line feed stands at `stop`. */
  function entryIn(buffer: Buffer, start: number, stop: number, index: number, file: string): Entry {
    const entry = unsealed(buffer.subarray(start, stop));
    if (entry === undefined || markOf(entry.hash) !== marks.at(index))
      throw new LedgerDamaged(file, index + 1, `entry ${index + 1} was changed since it was verified`);
    return entry;
  }

  return {
    /** The lines that are added from here on are in this file, from its beginning. */
    open(file: string, stats?: Identity): void {
      sources.push({ file, first: offsets.length, size: 0, fd: opened(file, stats) });
    },
    add(size: number, mark: number): void {
      const source = sources.at(-1);
      if (source === undefined) throw new Error('no file is open');
      offsets.push(source.size);
      marks.push(mark);
      source.size += size;
    },
    one(index: number): Entry | undefined {
      const source = sourceOf(index);
      if (source === undefined) return undefined;
      const size = endOf(index, source) - offsets.at(index);
      if (bytes.length < size) bytes = Buffer.allocUnsafe(2 * size);
      read(source, bytes, size, offsets.at(index));
      return entryIn(bytes, 0, size - 1, index, source.file);
    },
    /** Many, a block of a file at a time. */
    *range(from: number, to: number): Generator<Entry, void> {
      for (let index = from; index < to; ) {
        const source = sourceOf(index);
        if (source === undefined) return;
        const start = offsets.at(index);
        const most = Math.min(to, firstAfter(index));
        let until = index + 1;
        while (until < most && endOf(until, source) - start <= block) until += 1;
        const buffer = Buffer.allocUnsafe(endOf(until - 1, source) - start);
        read(source, buffer, buffer.length, start);
        for (; index < until; index += 1) {
          const stop = endOf(index, source) - start - 1;
          yield entryIn(buffer, offsets.at(index) - start, stop, index, source.file);
        }
      }
    },
    /** Those whose line has one of these texts, by index, the last first. The others are neither hashed nor parsed. */
    *having(texts: readonly string[], from: number, to: number): Generator<number[], void> {
      const wanted = texts.map((text) => Buffer.from(text));
      for (let end = to; end > from; ) {
        const source = sourceOf(end - 1);
        if (source === undefined) return;
        const stop = endOf(end - 1, source);
        const least = Math.max(from, source.first);
        let begin = end - 1;
        while (begin > least && stop - offsets.at(begin - 1) <= searched) begin -= 1;
        const start = offsets.at(begin);
        const buffer = Buffer.allocUnsafe(stop - start);
        read(source, buffer, buffer.length, start);
        const nextAfter = (index: number): number => (index + 1 < end ? offsets.at(index + 1) : stop) - start;
        yield [...linesWith(wanted, buffer, begin, nextAfter)].sort((a, b) => b - a);
        end = begin;
      }
    },
    close(): void {
      for (const { fd } of sources) if (fd !== undefined) closeSync(fd);
      sources.length = 0;
    },
  };
}

/** `nextAfter`: where the line behind that of an index begins. */
function linesWith(
  wanted: readonly Buffer[],
  buffer: Buffer,
  first: number,
  nextAfter: (index: number) => number,
): Set<number> {
  const found = new Set<number>();
  for (const text of wanted)
    for (let [index, at] = [first, buffer.indexOf(text)]; at !== -1; at = buffer.indexOf(text, nextAfter(index))) {
      while (nextAfter(index) <= at) index += 1;
      found.add(index);
    }
  return found;
}

function read(source: Source, into: Buffer, size: number, from: number): void {
  source.fd ??= openSync(source.file, 'r');
  for (let got = 0; got < size; ) {
    const more = readSync(source.fd, into, got, size - got, from + got);
    // What is missing does not verify.
    if (more === 0) return;
    got += more;
  }
}

/** A file that is just being written is opened at the first read, if not now. */
function opened(file: string, stats: Identity | undefined): number | undefined {
  if (stats !== undefined) return openSame(file, stats);
  try {
    return openSync(file, 'r');
  } catch {
    return undefined;
  }
}
