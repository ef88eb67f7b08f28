import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../outcome.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { type Book, openBook } from '../runs/book.ts';
import type { Entry } from '../runs/entry.ts';
import { type Head, toLine } from './chain.ts';
import { answer, grouping, type Request, stage } from './group.ts';
import { dropName, type Journal, openJournal } from './journal.ts';
import { type Ledger, LedgerDamaged } from './ledger.ts';
import { type LockPace, lockFolder } from './lock.ts';
import { closedName, liveName, monthOf, readSegments, type Segment, verifySegments } from './segments.ts';

export interface FileLedgerOptions {
  /** Created when missing. */
  dir: string;
  now?: () => Date;
  log: Log;
  lock?: LockPace;
}

/**
 * Opens the ledger in `dir`: ledger.jsonl, and the files of earlier months. Locks the folder. Throws LedgerLocked when
 * another live process has it, and LedgerDamaged when the chain does not verify; nothing in the folder is changed then.
 * What a crash left of an unfinished line is moved to a file beside it, with a warning.
 */
export async function openFileLedger(options: FileLedgerOptions): Promise<Ledger> {
  const { dir, now = () => new Date(), log, lock } = options;
  const file = join(dir, liveName);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dir, lock);
  let journal: Journal | undefined;
  try {
    const segments = await readSegments(dir);
    const book = openBook();
    const { head, month } = load(segments, file, book);
    const last = segments.at(-1);
    if (last?.twin !== undefined) await dropName(last.twin);
    const live = last?.file === file ? last : undefined;
    const torn = live?.torn ?? Buffer.alloc(0);
    journal = await openJournal(file, (live?.bytes.length ?? 0) - torn.length);
    if (torn.length > 0) {
      const aside = `ledger.torn-${now().toISOString().replaceAll(':', '-')}`;
      await journal.setAside(torn, join(dir, aside));
      log.warn({ file: aside, bytes: torn.length }, 'an unfinished entry at the end of the ledger was set aside');
    }
    return fileLedger({ dir, journal, book, head, month, now, log, unlock });
  } catch (error) {
    await journal?.close();
    await unlock();
    throw error;
  }
}

/** Takes in all entries. `month` is that of the last one in the live file. */
function load(segments: readonly Segment[], live: string, book: Book) {
  let month: string | undefined;
  const result = verifySegments(segments, (entry, file) => {
    if (file === live) month = monthOf(entry.time);
    book.add(entry);
  });
  if (!result.ok) throw new LedgerDamaged(result.file, result.seq, result.problem);
  return { head: result.head, month };
}

interface Parts {
  dir: string;
  journal: Journal;
  book: Book;
  head: Head;
  month: string | undefined;
  now: () => Date;
  log: Log;
  unlock: () => Promise<void>;
}

function fileLedger({ dir, journal, book, head: opened, month: openedMonth, now, log, unlock }: Parts): Ledger {
  let head = opened;
  /** Of the last entry in the live file; undefined while that is empty. */
  let month = openedMonth;

  /** A group that crosses into a new month goes to the new file as a whole: one write, so that a crash cannot split it. */
  async function turnMonth(entries: readonly Entry[]) {
    const ending = month;
    if (ending === undefined || !entries.some(({ time }) => (monthOf(time) ?? '') > ending)) return;
    await journal.retire((n) => join(dir, closedName(ending, n)));
    month = undefined;
  }

  async function write(group: readonly Request[]) {
    const staged = stage(group, book.heads, head, now);
    const lines = staged.entries.map((entry) => `${toLine(entry)}\n`);
    try {
      await turnMonth(staged.entries);
      if (lines.length > 0) await journal.append(lines.join(''));
    } catch (error) {
      log.error({ problem: String(error), entries: lines.length }, 'the ledger cannot be written');
      // The refused too: what they clashed with may have been in this very group, and is not recorded now.
      for (const request of group) request.reject(new LedgerUnavailable(error));
      return;
    }
    head = staged.head;
    const last = staged.entries.at(-1);
    if (last) month = monthOf(last.time);
    for (const entry of staged.entries) book.add(entry, true);
    answer(staged);
  }

  const { append, close } = grouping(write, async () => {
    await journal.close();
    await unlock();
  });
  return {
    append,
    ...book.records,
    subscribe: book.subscribe,
    // The folder is this process's alone: nobody else can have appended.
    refresh: () => Promise.resolve(),
    head: () => head,
    close,
  };
}
