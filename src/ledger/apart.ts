import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { isEvent } from '../runs/entries.ts';
import type { EventEntry } from '../runs/entry.ts';
import { markOf } from '../runs/row.ts';
import { type Head, verifyLines } from './chain.ts';
import { linesOf } from './file-lines.ts';
import { followedBy, type Segment } from './segments.ts';

/** A file of the ledger, as it was found. */
export type FileToVerify = Pick<Segment, 'file' | 'size' | 'stats'>;

/** What is in a file whose lines are all valid, and follow each other. */
export interface VerifiedFile {
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
export function verifyFile({ file, size, stats }: FileToVerify): VerifiedFile | undefined {
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

/** The thread's program, and what it is told to be. */
const usual = new URL('../audit/thread.js', import.meta.url);
export const forFiles = 'files';
/** Lines are garbage at once: there is no use in room for more of it. */
const resourceLimits = { maxYoungGenerationSizeMb: 4 };

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
    for (let n = 0; n < Math.min(threads, files.length); n += 1)
      workers.push(new Worker(program, { workerData: forFiles, resourceLimits }));
    await Promise.all(
      workers.map(async (worker) => {
        // All take from the same list.
        for (const [at, { file, size, stats }] of left) {
          worker.postMessage({ file, size, stats });
          // The thread says nothing else.
          const [verified] = (await once(worker, 'message')) as [VerifiedFile | undefined];
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
