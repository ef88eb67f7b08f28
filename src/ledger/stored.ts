import { LRUCache } from 'lru-cache';
import { bounds, type EntryStore, isEvent, type Row } from '../runs/entries.ts';
import type { Entry, EventEntry } from '../runs/entry.ts';
import type { Identity } from './file-lines.ts';
import { openPlaces } from './places.ts';

/**
 * Entries that stay in their files: in memory are where each one stands, and the newest. What is read again must be what
 * was there when it was verified: throws LedgerDamaged where a line has changed since, and the file system's errors.
 */
export interface Stored extends EntryStore {
  /** The lines that are added from here on are in this file, from its beginning. */
  open(file: string, stats?: Identity): void;
  /** Adds a line that is known by its row, and reads it only if it is of no run. */
  place(row: Row): void;
  /** Adds a line that has been verified. `event`: its entry, if it is of no run. */
  addLine(line: Line, event?: EventEntry): void;
  close(): void;
}

/** What is known of a line. */
type Line = Pick<Row, 'size' | 'mark' | 'time'>;

/** How many of the newest are in memory, at least; and how many of those that were read again. */
const recent = 6_000;
const again = 4_096;

export function openStored(): Stored {
  const places = openPlaces();
  const times = openTimes();
  const cache = new LRUCache<number, Entry>({ max: again });
  const events: EventEntry[] = [];
  let length = 0;
  let newest: Entry[] = [];

  /** From here on they are in memory. */
  const inMemoryFrom = (): number => length - newest.length;

  function at(index: number): Entry | undefined {
    const place = index < 0 ? length + index : index;
    if (place < 0 || place >= length) return undefined;
    return place >= inMemoryFrom() ? newest[place - inMemoryFrom()] : readAgain(place);
  }

  function readAgain(place: number): Entry | undefined {
    const entry = cache.get(place) ?? places.one(place);
    cache.set(place, entry);
    return entry;
  }

  function* range(from: number, to: number): Generator<Entry, void> {
    const border = Math.min(to, Math.max(from, inMemoryFrom()));
    yield* places.range(from, border);
    yield* newest.slice(border - inMemoryFrom(), Math.max(0, to - inMemoryFrom()));
  }

  function add({ size, mark, time }: Line): void {
    places.add(size, mark);
    times.add(length, time);
    length += 1;
  }

  return {
    get length() {
      return length;
    },
    events,
    at,
    slice: (from, to) => [...range(...bounds(length, from, to))],
    [Symbol.iterator]: () => range(0, length),
    span: (since, until) => times.span(since, until, length),
    having: places.having,
    open: places.open,
    add(entry, row) {
      add(row);
      if (isEvent(entry)) events.push(entry);
      newest.push(entry);
      if (newest.length > 2 * recent) newest = newest.slice(recent);
    },
    addLine(line, event) {
      // What stands in memory must be the end.
      if (newest.length > 0) newest = [];
      add(line);
      if (event !== undefined) events.push(event);
    },
    place(row) {
      if (newest.length > 0) newest = [];
      add(row);
      const entry = row.thread === 0 ? at(-1) : undefined;
      if (entry !== undefined && isEvent(entry)) events.push(entry);
    },
    close: places.close,
  };
}

/** How many entries share one note of their times. */
const together = 256;
const [lowest, highest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** When the entries of a ledger were written, roughly, in ms. The clock may have gone back between any two. */
export function openTimes() {
  const firsts: number[] = [];
  const lasts: number[] = [];
  return {
    /** NaN: it may be any time. */
    add(index: number, time: number): void {
      const at = Math.floor(index / together);
      const [first = highest, last = lowest] = [firsts[at], lasts[at]];
      const isAny = Number.isNaN(time);
      firsts[at] = isAny ? lowest : Math.min(time, first);
      lasts[at] = isAny ? highest : Math.max(time, last);
    },
    /** Where to look for those from `since` on and before `until`. */
    span(since: number, until: number, length: number): readonly [from: number, to: number] {
      const first = lasts.findIndex((last) => last >= since);
      const last = firsts.findLastIndex((each) => each <= until);
      return first === -1 || last < first
        ? [length, length]
        : [first * together, Math.min(length, (last + 1) * together)];
    },
  };
}
