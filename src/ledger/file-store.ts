import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../outcome.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { type Entry, type Head, toLine, verify } from './entry.ts';
import { answer, grouping, type Request, stage } from './group.ts';
import { type Journal, openJournal } from './journal.ts';
import { type Ledger, LedgerDamaged } from './ledger.ts';
import { type LockPace, lockFolder } from './lock.ts';
import { advance, type RunIndex, runIndex } from './runs.ts';

export interface FileLedgerOptions {
  /** Created when missing. */
  dir: string;
  now?: () => Date;
  log: Log;
  lock?: LockPace;
}

/**
 * Opens the ledger in `dir`/ledger.jsonl and locks the folder. Throws LedgerLocked when another live process has it, and
 * LedgerDamaged when the chain does not verify; nothing in the folder is changed then. What a crash left of an unfinished
 * line is moved to a file beside it, with a warning.
 */
export async function openFileLedger(options: FileLedgerOptions): Promise<Ledger> {
  const { dir, now = () => new Date(), log, lock = { beat: 1_000, patience: 5_000 } } = options;
  const file = join(dir, 'ledger.jsonl');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dir, lock);
  let journal: Journal | undefined;
  try {
    const opened = await openJournal(file);
    journal = opened.journal;
    const { lines, torn } = opened.found;
    const index = runIndex();
    const entries: Entry[] = [];
    const head = load(file, lines, index, entries);
    if (torn.length > 0) {
      const aside = `ledger.torn-${now().toISOString().replaceAll(':', '-')}`;
      await journal.setAside(torn, join(dir, aside));
      log.warn({ file: aside, bytes: torn.length }, 'an unfinished entry at the end of the ledger was set aside');
    }
    return fileLedger({ journal, index, entries, head, now, log, unlock });
  } catch (error) {
    await journal?.close();
    await unlock();
    throw error;
  }
}

function load(file: string, lines: Iterable<string>, index: RunIndex, entries: Entry[]): Head {
  const result = verify(lines, (entry) => {
    try {
      index.set(advance(index.get(entry.run), entry));
      entries.push(entry);
    } catch (error) {
      throw new LedgerDamaged(file, entry.seq, `entry ${entry.seq}: ${String(error)}`);
    }
  });
  if (!result.ok) throw new LedgerDamaged(file, result.seq, result.problem);
  return { seq: result.count, hash: result.head };
}

interface Parts {
  journal: Journal;
  index: RunIndex;
  entries: Entry[];
  head: Head;
  now: () => Date;
  log: Log;
  unlock: () => Promise<void>;
}

function fileLedger({ journal, index, entries, head: opened, now, log, unlock }: Parts): Ledger {
  let head = opened;

  async function write(group: readonly Request[]) {
    const staged = stage(group, index, head, now);
    const lines = staged.entries.map((entry) => `${toLine(entry)}\n`);
    try {
      if (lines.length > 0) await journal.append(lines.join(''));
    } catch (error) {
      log.error({ problem: String(error), entries: lines.length }, 'the ledger cannot be written');
      // The refused too: what they clashed with may have been in this very group, and is not recorded now.
      for (const request of group) request.reject(new LedgerUnavailable(error));
      return;
    }
    head = staged.head;
    for (const state of staged.states.values()) index.set(state);
    entries.push(...staged.entries);
    answer(staged);
  }

  const { append, close } = grouping(write, async () => {
    await journal.close();
    await unlock();
  });
  return {
    append,
    runs: index.stem,
    open: index.open,
    following: index.following,
    entries: () => entries,
    // The folder is this process's alone: nobody else can have appended.
    refresh: () => Promise.resolve(),
    head: () => head,
    close,
  };
}
