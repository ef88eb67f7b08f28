import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LedgerUnavailable, type Log } from '../outcome.ts';
import { type Book, openBook } from '../runs/book.ts';
import type { Head } from './chain.ts';
import { type Checkpoints, type Draft, openDraft, readCheckpoints } from './checkpoint.ts';
import { answer, grouping, type Request, type Staged, stage } from './group.ts';
import { dropName, type Journal, openJournal, replaceByCopy, writeScratch } from './journal.ts';
import { type Ledger, LedgerDamaged, LedgerTaken } from './ledger.ts';
import { type Lock, type LockOptions, lockFolder, usualPace } from './lock.ts';
import {
  closedName,
  type KnownSegments,
  liveName,
  monthOf,
  readSegments,
  type Segment,
  verifySegments,
} from './segments.ts';
import { openStored, type Stored } from './stored.ts';

interface FileLedgerOptions {
  /** Created when missing. */
  dir: string;
  now?: () => Date;
  log: Log;
  lock?: Pick<LockOptions, 'beat' | 'patience' | 'kernelLock'>;
  /** Called when another process has taken the folder: this one writes nothing more and must exit. */
  onTaken?: (error: LedgerTaken) => void;
}

/**
 * Opens the ledger in `dir`: ledger.jsonl and the files of earlier months. Locks the folder. Throws LedgerLocked when
 * another live process holds it and LedgerDamaged when the chain does not verify; neither changes the folder. An
 * unfinished line left by a crash is moved to a file beside the ledger, with a warning.
 */
export async function openFileLedger(options: FileLedgerOptions): Promise<Ledger> {
  const { dir, now = () => new Date(), log, onTaken } = options;
  const pace = { ...usualPace, ...options.lock };
  const file = join(dir, liveName);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dir, { ...pace, onTaken, onWait: (words) => log.warn({}, words) });
  let journal: Journal | undefined;
  const stored = openStored();
  const book = openBook(stored);
  const draft = openDraft(dir);
  try {
    // The previous holder may wake in the middle of a write. It then writes to the file it has open, which is no
    // longer ours.
    if (lock.isSeized) await replaceByCopy(file);
    const segments = await readSegments(dir);
    const { head, month } = await load(segments, { book, stored, draft }, log);
    const last = segments.at(-1);
    if (last?.twin !== undefined) await dropName(last.twin);
    const live = last?.file === file ? last : undefined;
    const torn = live?.torn ?? Buffer.alloc(0);
    // A start that is refused because the ledger is lost leaves no empty one, which a restore would not replace.
    journal = await openJournal(file, live?.size ?? 0, segments.length === 0);
    if (torn.length > 0) {
      const aside = `ledger.torn-${now().toISOString().replaceAll(':', '-')}`;
      await journal.setAside(torn, join(dir, aside));
      log.warn({ file: aside, bytes: torn.length }, 'an unfinished entry at the end of the ledger was set aside');
    }
    return fileLedger({ dir, journal, book, stored, draft, head, month, now, log, lock, patience: pace.patience });
  } catch (error) {
    stored.close();
    await journal?.close();
    await lock.release();
    throw error;
  }
}

interface Parts {
  dir: string;
  journal: Journal;
  book: Book;
  head: Head;
  month: string | undefined;
  stored: Stored;
  draft: Draft;
  now: () => Date;
  log: Log;
  lock: Lock;
  /** How long the holder may show no sign of life before another process may take the folder, in ms. */
  patience: number;
}

function fileLedger({ dir, journal, book, stored, draft, now, log, lock, patience, ...opened }: Parts): Ledger {
  let { head } = opened;
  /** The month of the last entry in the live file; empty where its time does not say, undefined while there is none. */
  let { month } = opened;

  /** The first entry of a file vouches for the checkpoint of those before. Without one, the next start takes longer. */
  async function beginFile() {
    if (head.seq === 0 || head.checkpoint !== undefined) return;
    try {
      head = { ...head, checkpoint: await draft.write(head, book.unsettled()) };
    } catch (error) {
      log.warn({ problem: String(error) }, 'the checkpoint of the ledger cannot be written');
    }
  }

  /** A group that crosses into a new month goes to the new file whole: one write, so a crash cannot split it. */
  async function stageInMonth(group: readonly Request[]): Promise<Staged> {
    if (month === undefined) await beginFile();
    const staged = stage(group, book.records, head, now);
    const ending = month ?? '';
    if (ending === '' || !staged.entries.some(({ time }) => (monthOf(time) ?? '') > ending)) return staged;
    draft.rename(await journal.retire((n) => join(dir, closedName(ending, n))));
    month = undefined;
    await beginFile();
    return stage(group, book.records, head, now);
  }

  async function put(group: readonly Request[]): Promise<Staged> {
    // Nobody can take the folder that soon after a check: another process waits for `patience` first. In a row of groups, the
    // check after each is the one before the next.
    if (lock.age() >= fresh) await lock.check();
    try {
      const staged = await stageInMonth(group);
      // Nothing, appended, says whether the file takes anything.
      const isProbe = staged.entries.length === 0 && staged.refused.length === 0;
      const text = staged.lines.map((line) => `${line}\n`).join('');
      if (isProbe || text !== '') await journal.append(text);
      return staged;
    } finally {
      // If this process was suspended during the write, another may have taken the folder, and the lines are lost.
      await lock.check().catch(unlessTaken);
    }
  }

  async function write(group: readonly Request[]) {
    const staged = await put(group).catch((error: unknown) => {
      log.error({ problem: String(error) }, 'the ledger cannot be written');
      // Rejects the refused requests too: the entry they conflict with may be in this group, which was not written.
      for (const request of group) request.reject(new LedgerUnavailable(error));
    });
    if (staged === undefined) return;
    head = staged.head;
    const last = staged.entries.at(-1);
    if (last !== undefined) {
      if (month === undefined) begin(join(dir, liveName));
      month = monthOf(last.time) ?? '';
    }
    for (const [at, entry] of staged.entries.entries()) {
      const line = `${staged.lines[at]}\n`;
      draft.add(book.add(entry, Buffer.byteLength(line)), line);
    }
    answer(staged);
  }

  function begin(file: string): void {
    stored.open(file);
    draft.open(file);
  }

  const { append, settle, close } = grouping(write, async () => {
    stored.close();
    await journal.close();
    await lock.release();
  });
  return {
    append,
    ...book.records,
    subscribe: book.subscribe,
    settle,
    async probe() {
      try {
        await append([]);
        await writeScratch(join(dir, `probe-${randomUUID()}.part`));
      } catch (error) {
        throw new LedgerUnavailable(error);
      }
    },
    head: () => head,
    // Others wait for `patience`, and this process a little less.
    isHeld: () => lock.age() < (2 * patience) / 3,
    close,
  };
}

/** How long a check of the lock counts as one of now, in ms: far below the patience of others. */
const fresh = 20;

/** The write succeeded, so a failure to check the lock does not matter; losing it does. */
function unlessTaken(error: unknown): void {
  if (error instanceof LedgerTaken) throw error;
}

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

/** Takes the ledger into the book: what checkpoints cover by rows, the rest line by line. Throws LedgerDamaged. */
async function load(segments: readonly Segment[], into: Into, log: Log): Promise<Loaded> {
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
