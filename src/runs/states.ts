import { bySeq, type Entries } from './entries.ts';
import { type Entry, isOfRun, type RunEntry } from './entry.ts';
import { invocationOf, threadOf } from './ids.ts';
import { numbers } from './numbers.ts';
import { advance, type RunState } from './state.ts';

/** How many invocations stay in memory although nothing of them is open. */
const mostSettled = 1_000;

/** What the ledger knows of each run. What has long been over is forgotten, and read again when somebody asks. */
export function openStates(entries: Entries) {
  const threads = openThreads();
  const known = new Map<string, Map<string, RunState>>();
  /** Those of them that may be forgotten, the longest unused first. */
  const settled = new Set<string>();

  function settle(id: string): void {
    settled.delete(id);
    settled.add(id);
    for (const oldest of settled) {
      if (settled.size <= mostSettled) return;
      settled.delete(oldest);
      known.delete(oldest);
    }
  }

  const entriesOf = (id: string, read = (seq: number): Entry | undefined => bySeq(entries, seq)): RunEntry[] =>
    threads.of(id).flatMap((seq) => {
      const entry = read(seq);
      return entry !== undefined && isOfRun(entry) && invocationOf(entry.run) === id ? [entry] : [];
    });

  function readAgain(id: string): Map<string, RunState> | undefined {
    const states = new Map<string, RunState>();
    for (const entry of entriesOf(id)) states.set(entry.run, advance(states.get(entry.run), entry));
    if (states.size === 0) return undefined;
    known.set(id, states);
    settle(id);
    return states;
  }

  function of(id: string): Map<string, RunState> | undefined {
    const states = known.get(id);
    if (states === undefined) return readAgain(id);
    if (settled.has(id)) settle(id);
    return states;
  }

  return {
    of,
    run: (id: string): RunState | undefined => of(invocationOf(id))?.get(id),
    take(entry: RunEntry): RunState {
      const id = invocationOf(entry.run);
      const states = of(id) ?? new Map<string, RunState>();
      const state = advance(states.get(entry.run), entry);
      known.set(id, states.set(entry.run, state));
      settled.delete(id);
      return state;
    },
    /** An entry of this thread is there, to be read when its invocation is asked for. */
    place: threads.add,
    /** From now on it stays in memory, until it is settled. */
    hold(id: string): void {
      of(id);
      settled.delete(id);
    },
    /** From now on it may be forgotten. */
    settle,
    entriesOf,
    ...{ hasLater: threads.hasLater, before: threads.before },
  };
}

/**
 * Which entries belong to one invocation, for all of a ledger, without their texts: some twelve bytes an entry. Two
 * invocations may rarely share a thread, so whoever follows one looks at whose entries they are.
 */
function openThreads() {
  /** By `seq`: the one before in the same thread; 0: none. */
  const before = numbers();
  /** By `seq`: 1 where another one follows. */
  const hasLater = numbers(Uint8Array);
  let heads = table(1_024);

  return {
    add(thread: number, seq: number): void {
      const last = heads.put(thread, seq);
      before.set(seq, last);
      hasLater.set(seq, 0);
      if (last > 0) hasLater.set(last, 1);
      if (heads.isFull()) heads = heads.larger();
    },
    /** Whether a later entry belongs to the same thread. */
    hasLater: (seq: number): boolean => hasLater.at(seq) === 1,
    /** The `seq` of the entry before in the same thread; 0: none. */
    before: (seq: number): number => before.at(seq),
    /** Their `seq`, oldest first. */
    of(invocationId: string): number[] {
      const found: number[] = [];
      for (let seq = heads.get(threadOf(invocationId)); seq > 0; seq = before.at(seq)) found.push(seq);
      return found.reverse();
    },
  };
}

interface Table {
  /** 0: not there. */
  get(key: number): number;
  /** What was there before; 0: nothing. */
  put(key: number, value: number): number;
  isFull(): boolean;
  larger(): Table;
}

/** Open addressing; `size` is a power of two. A key is never 0. */
function table(size: number): Table {
  const [keys, values] = [new Int32Array(size), new Int32Array(size)];
  let used = 0;
  const placeOf = (key: number): number => {
    let at = (Math.imul(key, 0x9e3779b1) >>> 0) & (size - 1);
    while (keys[at] !== 0 && keys[at] !== key) at = (at + 1) & (size - 1);
    return at;
  };
  const own: Table = {
    get: (key) => values[placeOf(key)] ?? 0,
    put(key, value) {
      const at = placeOf(key);
      const before = values[at] ?? 0;
      if (keys[at] === 0) used += 1;
      keys[at] = key;
      values[at] = value;
      return before;
    },
    isFull: () => used > size * 0.6,
    larger() {
      const next = table(2 * size);
      for (let at = 0; at < size; at += 1) if (keys[at] !== 0) next.put(keys[at] ?? 0, values[at] ?? 0);
      return next;
    },
  };
  return own;
}
