/** `seq` of entries, in rising order. */
export interface Seqs {
  readonly length: number;
  /** 0: there is none. */
  at(index: number): number;
  /** How many of them are at or below `seq`. */
  upTo(seq: number): number;
}

/** Whole numbers in little memory: a list of objects takes ten times as much. */
export interface Numbers extends Seqs {
  push(value: number): void;
  set(index: number, value: number): void;
}

/** `Kind` says how large they may be. Those that were never set are 0. */
export function numbers(Kind: typeof Int32Array | typeof Float64Array | typeof Uint8Array = Int32Array): Numbers {
  let all = new Kind(4);
  let length = 0;
  function grow(to: number): void {
    if (to <= all.length) return;
    const larger = new Kind(Math.max(to, Math.ceil(all.length * 1.5)));
    larger.set(all);
    all = larger;
  }
  return {
    get length() {
      return length;
    },
    at: (index) => all[index] ?? 0,
    push(value) {
      grow(length + 1);
      all[length] = value;
      length += 1;
    },
    set(index, value) {
      grow(index + 1);
      all[index] = value;
      length = Math.max(length, index + 1);
    },
    upTo: (value) => upTo(all.subarray(0, length), value),
  };
}

/** Lists of them, each of something with a number, such as a server. */
export function numbersBy() {
  const lists = new Map<number, Numbers>();
  const none = numbers();
  return {
    push(key: number, value: number): void {
      const list = lists.get(key) ?? numbers();
      lists.set(key, list);
      list.push(value);
    },
    of: (key: number): Seqs => lists.get(key) ?? none,
    keys: (): Iterable<number> => lists.keys(),
  };
}

/** How many of these numbers, in rising order, are at or below `value`. */
function upTo(rising: ArrayLike<number>, value: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const listed = (rising: readonly number[]): Seqs => ({
  length: rising.length,
  at: (index) => rising[index] ?? 0,
  upTo: (seq) => upTo(rising, seq),
});

/** All of these, in rising order, each once. */
export function inOrder(lists: readonly Seqs[]): Seqs {
  const all = new Int32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const list of lists)
    for (let at = 0; at < list.length; at += 1) {
      all[filled] = list.at(at);
      filled += 1;
    }
  return listed([...new Set(all.sort())]);
}
