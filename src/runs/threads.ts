import { numbers } from './numbers.ts';

/**
 * Which entries belong to one invocation, for all of a ledger, without their texts: some twelve bytes an entry. Two
 * invocations may rarely share a thread, so whoever follows one looks at whose entries they are.
 */
export function openThreads() {
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

/** FNV-1a, never 0. */
export function threadOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash === 0 ? 1 : hash | 0;
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
