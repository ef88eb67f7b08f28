import { once } from 'node:events';
import { readSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { isEvent, markOf } from '../runs/entries.ts';
import type { EventEntry } from '../runs/entry.ts';
import { type Head, isSealed, verifyLines } from './chain.ts';
import { linesOf } from './file-lines.ts';
import { followedBy, type Segment } from './segments.ts';

/** A file of the ledger, as it was found. */
type FileToVerify = Pick<Segment, 'file' | 'size' | 'stats'>;

/** What is in a file whose lines are all valid, and follow each other. */
interface VerifiedFile {
  /** What its first line says that it follows. */
  from: Head;
  head: Head;
  /** Of its last line. */
  time: string;
  /** Of each line. */
  sizes: Int32Array;
  marks: Float64Array;
  times: Float64Array;
  /** Its entries of no run. */
  events: EventEntry[];
}

/** Verifies a file by itself. Undefined: it is empty, or a line is not as it should be. */
function verifyFile({ file, size, stats }: FileToVerify): VerifiedFile | undefined {
  const lines = linesOf(file, stats, size);
  const from = followedBy(lines);
  if (from === undefined) return undefined;
  const sizes: number[] = [];
  const marks: number[] = [];
  const times: number[] = [];
  const events: EventEntry[] = [];
  let time = '';
  const result = verifyLines(
    lines,
    (entry, line) => {
      ({ time } = entry);
      sizes.push(line.length);
      marks.push(markOf(entry.hash));
      times.push(Date.parse(time));
      if (isEvent(entry)) events.push(entry);
    },
    from,
  );
  if (!result.ok) return undefined;
  return {
    ...{ from, head: { seq: result.count, hash: result.head }, time, events },
    ...{ sizes: Int32Array.from(sizes), marks: Float64Array.from(marks), times: Float64Array.from(times) },
  };
}

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
interface SearchOrder {
  block: Block;
  texts: readonly string[];
}

/** Which lines have one of the texts, the last first; or one that is no longer what was verified. */
type Searched = { found: number[] } | { changed: number };

/** Reads and hashes all of them: one that was changed may have had such a text. */
function searchBlock({ block: { fd, start, ends, marks }, texts }: SearchOrder): Searched {
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

/** What a thread is told to do with each message. */
export const tasks = { files: verifyFile, search: searchBlock } as const;

/** The thread's program. */
const usual = new URL('../audit/thread.js', import.meta.url);

/** Throws where no thread can begin. */
const begin = (task: keyof typeof tasks, program: URL): Worker =>
  // Lines are garbage at once: there is no use in room for more of it.
  new Worker(program, { workerData: task, resourceLimits: { maxYoungGenerationSizeMb: 4 } });

async function asked<T extends keyof typeof tasks>(
  worker: Worker,
  order: Parameters<(typeof tasks)[T]>[0],
): Promise<ReturnType<(typeof tasks)[T]>> {
  const heard = once(worker, 'message');
  worker.postMessage(order);
  // The thread says nothing else.
  const [answer] = (await heard) as [ReturnType<(typeof tasks)[T]>];
  return answer;
}

/** Verifies each of these files by itself, in so many threads. Undefined: one is not as it should be, or a thread failed. */
export async function verifyApart(
  files: readonly FileToVerify[],
  threads: number,
  program = usual,
): Promise<readonly VerifiedFile[] | undefined> {
  const found: VerifiedFile[] = [];
  const left = files.entries();
  const workers: Worker[] = [];
  try {
    for (let n = 0; n < Math.min(threads, files.length); n += 1) workers.push(begin('files', program));
    await Promise.all(
      workers.map(async (worker) => {
        // All take from the same list.
        for (const [at, { file, size, stats }] of left) {
          const verified = await asked<'files'>(worker, { file, size, stats });
          if (verified === undefined) throw new Error(`${file} is not as it should be`);
          found[at] = verified;
        }
      }),
    );
    return found;
  } catch {
    return undefined;
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

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
        worker ??= begin('search', program).on('error', () => {
          isBroken = true;
        });
        return await asked<'search'>(worker, { block, texts });
      } catch {
        isBroken = true;
        return here(block);
      }
    },
    close: async (): Promise<void> => void (await worker?.terminate()),
  };
}
