import { basename } from 'node:path';
import type { Log } from '../outcome.ts';
import type { Book } from '../runs/book.ts';
import type { Head } from './chain.ts';
import { type Checkpoints, type Draft, readCheckpoints } from './checkpoint.ts';
import { LedgerDamaged } from './ledger.ts';
import { type KnownSegments, liveName, monthOf, type Segment, verifySegments } from './segments.ts';
import type { Stored } from './stored.ts';

interface Into {
  book: Book;
  stored: Stored;
  draft: Draft;
}

/** What is loaded. `month` is that of the last entry in the live file; empty where its time does not say. */
interface Loaded {
  head: Head;
  month?: string;
}

/**
 * Takes the ledger into the book: what checkpoints cover by their rows, and all other lines one by one. Throws
 * LedgerDamaged.
 */
export async function load(segments: readonly Segment[], into: Into, log: Log): Promise<Loaded> {
  const { book, stored, draft } = into;
  const closed = segments.filter(({ file }) => !isLive(file));
  const live = segments.find(({ file }) => isLive(file));
  const checkpoints = await readCheckpoints(closed, live).catch((error: unknown) => {
    log.warn({ problem: String(error) }, 'the checkpoint of the ledger is of no use, so all of it is read');
    return undefined;
  });
  const known = checkpoints && place(checkpoints, closed, into);
  let month: string | undefined;
  const take: Parameters<typeof verifySegments>[1] = (entry, line, { segment: { file, stats }, isFirst }) => {
    if (isFirst) {
      stored.open(file, stats);
      draft.open(file);
    }
    if (isLive(file)) month = monthOf(entry.time) ?? '';
    draft.add(book.add(entry, line.length), line);
  };
  const result = verifySegments(segments, take, known);
  if (!result.ok) throw new LedgerDamaged(result.file, result.seq, result.problem);
  return { head: result.head, month };
}

const isLive = (file: string): boolean => basename(file) === liveName;

function place({ all, last }: Checkpoints, closed: readonly Segment[], { book, stored, draft }: Into): KnownSegments {
  const segments = closed.values();
  for (const { files, rows } of all) {
    const counts = files.map(({ count }) => count).values();
    let left = 0;
    for (const row of rows) {
      if (left === 0) {
        const { value: segment } = segments.next();
        if (segment !== undefined) stored.open(segment.file, segment.stats);
        left = counts.next().value ?? 0;
      }
      left -= 1;
      stored.place(row);
      book.place(row);
    }
  }
  book.resume(last.unsettled);
  draft.follow(last);
  return { files: closed.length, head: last.head };
}
