import { effectsOf, type RunEffects } from './effects.ts';
import { type Entry, type EventEntry, isOfRun, type Kind } from './entry.ts';
import { isRestoreJob } from './follow-up.ts';
import { invocationOf, threadOf } from './ids.ts';
import type { Seqs } from './numbers.ts';
import { type RunState, touches } from './state.ts';

/** Entries, oldest first, that need not be in memory. A plain list is one. */
export interface Entries extends Iterable<Entry> {
  readonly length: number;
  /** As of a list: from 0, and negative from the end. */
  at(index: number): Entry | undefined;
  slice(from?: number, to?: number): readonly Entry[];
  /** Those of no run. Missing: they have to be looked for. */
  readonly events?: readonly EventEntry[];
  /** By index, entries n to m, among which is every entry in [since, until); in ms. */
  span?(since: number, until: number): readonly [from: number, to: number];
  /**
   * By index, those of entries n to m whose line has one of these texts, the newest first, as many at a time as were read at
   * once; often none. Missing: each has to be read.
   */
  having?(texts: readonly string[], from: number, to: number): AsyncIterable<readonly number[]>;
  /** Whether a later entry of the same invocation may follow the one with this `seq`. Missing: always. */
  hasLater?(seq: number): boolean;
}

/** The entries of a whole ledger, which can be added to. */
export interface EntryStore extends Entries {
  readonly events: readonly EventEntry[];
  add(entry: Entry, row: Row): void;
}

/** Of a whole ledger: entry n is at index n - 1. */
export const bySeq = (entries: Entries, seq: number): Entry | undefined => (seq >= 1 ? entries.at(seq - 1) : undefined);

export const isEvent = (entry: Entry): entry is EventEntry => !isOfRun(entry);

export const eventsIn = (entries: Entries): readonly EventEntry[] => entries.events ?? entries.slice().filter(isEvent);

/** Goes back from the newest, as far as it takes. */
export function lastOf<T extends Entry>(entries: Entries, fits: (entry: Entry) => entry is T): T | undefined {
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries.at(at);
    if (entry !== undefined && fits(entry)) return entry;
  }
  return undefined;
}

/** Some of them, a few at a time. */
export function* between(entries: Entries, from: number, to: number): Generator<Entry, void> {
  for (let at = from; at < to; at += few) yield* entries.slice(at, Math.min(to, at + few));
}
/** From the newest back, a few at a time. */
export function* newestFirst(entries: Entries): Generator<Entry, void> {
  for (let to = entries.length; to > 0; to -= few) yield* entries.slice(Math.max(to - few, 0), to).toReversed();
}
const few = 256;

/** Some entries of a whole ledger, by `seq`, which stay where they are. `shown`: as what each is shown. */
export function view(
  entries: Entries,
  seqs: Pick<Seqs, 'length' | 'at'>,
  { shown = (entry) => entry, ...more }: Pick<Entries, 'events' | 'hasLater'> & { shown?(entry: Entry): Entry } = {},
): Entries {
  const at = (index: number): Entry | undefined => {
    const entry = bySeq(entries, seqs.at(index < 0 ? seqs.length + index : index));
    return entry && shown(entry);
  };
  function* range(from: number, to: number): Generator<Entry, void> {
    for (let begin = from; begin < to; ) {
      // Those that stand together are read together.
      let end = begin + 1;
      while (end < to && end - begin < few && seqs.at(end) === seqs.at(end - 1) + 1) end += 1;
      const first = seqs.at(begin);
      yield* entries.slice(first - 1, first - 1 + end - begin).map(shown);
      begin = end;
    }
  }
  return {
    ...more,
    get length() {
      return seqs.length;
    },
    at,
    slice: (from, to) => [...range(...bounds(seqs.length, from, to))],
    [Symbol.iterator]: () => range(0, seqs.length),
  };
}

/** Outcomes, oldest first, each read when it is asked for. */
export interface Outcomes extends Pick<Seqs, 'length' | 'upTo'> {
  at(index: number): Kind<'outcome'> | undefined;
}

export function outcomeAt(entries: Entries, seq: number): Kind<'outcome'> | undefined {
  const entry = bySeq(entries, seq);
  return entry?.kind === 'outcome' ? entry : undefined;
}

export const outcomesOf = (entries: Entries, seqs: Seqs): Outcomes => ({
  get length() {
    return seqs.length;
  },
  upTo: seqs.upTo,
  at: (index) => outcomeAt(entries, seqs.at(index)),
});

/** Where a slice of so many begins and ends. */
export function bounds(length: number, from = 0, to = length): readonly [from: number, to: number] {
  const place = (at: number): number => Math.min(length, Math.max(0, at < 0 ? length + at : at));
  return [place(from), place(to)];
}

/** All in memory. */
export function inMemory(): EntryStore {
  const all: Entry[] = [];
  const events: EventEntry[] = [];
  return {
    get length() {
      return all.length;
    },
    events,
    at: (index) => all.at(index),
    slice: (from, to) => all.slice(from, to),
    [Symbol.iterator]: () => all[Symbol.iterator](),
    add(entry) {
      all.push(entry);
      if (isEvent(entry)) events.push(entry);
    },
  };
}

/** What an entry adds to the index: who has it need not read the entry. */
export interface Row {
  /** The bytes of its line with the line feed. */
  size: number;
  /** The first 52 bits of its hash. */
  mark: number;
  /** In ms; NaN where it cannot be read. */
  time: number;
  /** The thread of its invocation; 0: it is of no run. */
  thread: number;
  /** The server that it names; 0: none. */
  server: number;
  /** See `flags`. */
  flags: number;
  effects?: RunEffects;
}

/** An outcome; one that makes older decisions about the server stale; the start of a restore with a job. */
export const flags = { outcome: 1, touches: 2, restore: 4 } as const;

export const markOf = (hash: string): number => Number.parseInt(hash.slice(0, 13), 16);

/** `state`: of its run, with it. */
export function rowOf(entry: Entry, size: number, state?: RunState): Row {
  const row = { size, mark: markOf(entry.hash), time: Date.parse(entry.time), thread: 0, server: 0, flags: 0 };
  if (!isOfRun(entry) || state === undefined) return row;
  const isTouching = touches(entry, state);
  return {
    ...row,
    thread: threadOf(invocationOf(entry.run)),
    server: entry.server?.id ?? 0,
    flags:
      (entry.kind === 'outcome' ? flags.outcome : 0) |
      (isTouching ? flags.touches : 0) |
      (isRestoreJob(entry) ? flags.restore : 0),
    effects: isTouching || entry.kind === 'outcome' ? effectsOf(state) : undefined,
  };
}
