import { closeSync, openSync } from 'node:fs';
import { markOf } from '../runs/entries.ts';
import type { Entry } from '../runs/entry.ts';
import { type Numbers, numbers } from '../runs/numbers.ts';
import { type Block, openSearch, readInto } from './apart.ts';
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

/** How many bytes to read at once where many are asked for; and to search at once, here and in a thread. */
const block = 1 << 18;
const few = 1 << 16;
const many = 1 << 20;
/** How many of the newest entries are searched here: to start a thread takes as long. */
const near = 10_000;

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
    if (entry === undefined || markOf(entry.hash) !== marks.at(index)) throw changed(file, index);
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
      readInto(bytes, size, { fd: fdOf(source), from: offsets.at(index) });
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
        readInto(buffer, buffer.length, { fd: fdOf(source), from: start });
        for (; index < until; index += 1) {
          const stop = endOf(index, source) - start - 1;
          yield entryIn(buffer, offsets.at(index) - start, stop, index, source.file);
        }
      }
    },
    /** Those whose line has one of these texts, by index, the last first. The others are hashed, and not parsed. */
    async *having(texts: readonly string[], from: number, to: number): AsyncGenerator<number[], void> {
      const search = openSearch(texts);
      try {
        for (let end = to; end > from; ) {
          const source = sourceOf(end - 1);
          if (source === undefined) return;
          const isHere = to - end < near || search.isBroken();
          const [most, look] = isHere ? [few, search.here] : [many, search.apart];
          const stop = endOf(end - 1, source);
          let begin = end - 1;
          while (begin > Math.max(from, source.first) && stop - offsets.at(begin - 1) <= most) begin -= 1;
          const known = await look(blockOf(fdOf(source), { begin, end, stop }, { offsets, marks }));
          if ('changed' in known) throw changed(source.file, begin + known.changed);
          yield known.found.map((line) => begin + line);
          end = begin;
        }
      } finally {
        await search.close();
      }
    },
    close(): void {
      for (const { fd } of sources) if (fd !== undefined) closeSync(fd);
      sources.length = 0;
    },
  };
}

/** The lines from `begin` to before `end`; the last one ends at `stop`. */
function blockOf(
  fd: number,
  { begin, end, stop }: Readonly<Record<'begin' | 'end' | 'stop', number>>,
  { offsets, marks }: Readonly<Record<'offsets' | 'marks', Numbers>>,
): Block {
  const start = offsets.at(begin);
  const endAt = (index: number): number => (index + 1 < end ? offsets.at(index + 1) : stop) - start;
  const ends = Float64Array.from({ length: end - begin }, (_, line) => endAt(begin + line));
  return { fd, start, ends, marks: ends.map((_, line) => marks.at(begin + line)) };
}

const fdOf = (source: Source): number => {
  source.fd ??= openSync(source.file, 'r');
  return source.fd;
};

const changed = (file: string, index: number): LedgerDamaged =>
  new LedgerDamaged(file, index + 1, `entry ${index + 1} was changed since it was verified`);

/** A file that is just being written is opened at the first read, if not now. */
function opened(file: string, stats: Identity | undefined): number | undefined {
  if (stats !== undefined) return openSame(file, stats);
  try {
    return openSync(file, 'r');
  } catch {
    return undefined;
  }
}
