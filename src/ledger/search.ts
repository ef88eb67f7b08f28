import { once } from 'node:events';
import { readSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { isSealed } from './chain.ts';

/** Verified lines that stand one behind the other in a file. */
export interface Block {
  fd: number;
  start: number;
  /** Where each line ends, from `start`. */
  ends: Float64Array;
  /** Of each line: see Row. */
  marks: Float64Array;
}

/** What a search is about; what the thread is sent, which has the files of its process open, too. */
export interface SearchOrder {
  block: Block;
  texts: readonly string[];
}

/** Which lines have one of the texts, the last first; or one that is no longer what was verified. */
type Searched = { found: number[] } | { changed: number };

/** Reads and hashes all of them: one that was changed may have had such a text. */
export function searchBlock({ block: { fd, start, ends, marks }, texts }: SearchOrder): Searched {
  const bytes = Buffer.allocUnsafe(ends.at(-1) ?? 0);
  readInto(bytes, bytes.length, { fd, from: start });
  let begin = 0;
  for (const [line, end] of ends.entries()) {
    if (!isSealed(bytes.subarray(begin, end - 1), marks[line] ?? 0)) return { changed: line };
    begin = end;
  }
  return { found: linesWith(texts, bytes, ends) };
}

function linesWith(texts: readonly string[], bytes: Buffer, ends: Float64Array): number[] {
  const found = new Set<number>();
  for (const text of texts.map((each) => Buffer.from(each)))
    for (let [line, at] = [0, bytes.indexOf(text)]; at !== -1; at = bytes.indexOf(text, ends[line])) {
      while ((ends[line] ?? 0) <= at) line += 1;
      found.add(line);
    }
  return [...found].sort((a, b) => b - a);
}

export function readInto(bytes: Buffer, size: number, { fd, from }: { fd: number; from: number }): void {
  for (let got = 0; got < size; ) {
    const more = readSync(fd, bytes, got, size - got, from + got);
    // What is missing does not verify.
    if (more === 0) return;
    got += more;
  }
}

/** The thread's program, and what it is told to be. */
const usual = new URL('../audit/thread.js', import.meta.url);
export const forSearch = 'search';
/** Lines are garbage at once. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

/** Searches blocks for the same texts, here or in a thread of its own. */
export function openSearch(texts: readonly string[], program = usual) {
  let worker: Worker | undefined;
  let isBroken = false;
  const here = (block: Block): Searched => searchBlock({ block, texts });
  return {
    here,
    isBroken: (): boolean => isBroken,
    /** Here, too, where there can be no thread: what is wrong with the files is said here. */
    async apart(block: Block): Promise<Searched> {
      if (isBroken) return here(block);
      try {
        // It may die between two orders, too.
        worker ??= new Worker(program, { workerData: forSearch, resourceLimits }).on('error', () => {
          isBroken = true;
        });
        const heard = once(worker, 'message');
        worker.postMessage({ block, texts } satisfies SearchOrder);
        // The thread says nothing else.
        const [searched] = (await heard) as [Searched];
        return searched;
      } catch {
        isBroken = true;
        return here(block);
      }
    },
    close: async (): Promise<void> => void (await worker?.terminate()),
  };
}
