import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../outcome.ts';
import { LedgerUnavailable } from '../outcome.ts';
import { type Entry, type Head, type NewEntry, seal, toLine, verify } from './entry.ts';
import { type Journal, openJournal } from './journal.ts';
import { type Ledger, LedgerDamaged, type RunState } from './ledger.ts';
import { type LockPace, lockFolder } from './lock.ts';
import { advance, runIndex } from './runs.ts';

export interface FileLedgerOptions {
  /** Created when missing. */
  dir: string;
  now?: () => Date;
  log: Log;
  lock?: LockPace;
}

/** An append that waits for its turn. */
interface Request {
  entries: readonly NewEntry[];
  resolve(entries: Entry[]): void;
  reject(error: Error): void;
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
    const head = load(file, lines, index);
    if (torn.length > 0) {
      const aside = `ledger.torn-${now().toISOString().replaceAll(':', '-')}`;
      await journal.setAside(torn, join(dir, aside));
      log.warn({ file: aside, bytes: torn.length }, 'an unfinished entry at the end of the ledger was set aside');
    }
    return fileLedger({ journal, index, head, now, log, unlock });
  } catch (error) {
    await journal?.close();
    await unlock();
    throw error;
  }
}

function load(file: string, lines: Iterable<string>, index: ReturnType<typeof runIndex>): Head {
  const result = verify(lines, (entry) => {
    try {
      index.set(advance(index.get(entry.run), entry));
    } catch (error) {
      throw new LedgerDamaged(file, entry.seq, `entry ${entry.seq}: ${String(error)}`);
    }
  });
  if (!result.ok) throw new LedgerDamaged(file, result.seq, result.problem);
  return { seq: result.count, hash: result.head };
}

interface Parts {
  journal: Journal;
  index: ReturnType<typeof runIndex>;
  head: Head;
  now: () => Date;
  log: Log;
  unlock: () => Promise<void>;
}

function fileLedger({ journal, index, head: opened, now, log, unlock }: Parts): Ledger {
  let head = opened;
  let queue: Request[] = [];
  let writing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  /** Seals what may be recorded of a group, as if all of it were on disk; what a run cannot take is refused. */
  function stage(group: readonly Request[]) {
    const states = new Map<string, RunState>();
    const accepted: { request: Request; sealed: Entry[] }[] = [];
    const refused: { request: Request; error: Error }[] = [];
    let tip = head;
    for (const request of group) {
      const own = new Map<string, RunState>();
      const stateOf = (run: string) => own.get(run) ?? states.get(run) ?? index.get(run);
      const sealed: Entry[] = [];
      let last = tip;
      try {
        for (const entry of request.entries) {
          const next = seal(entry, last.seq + 1, now().toISOString(), last.hash);
          own.set(next.run, advance(stateOf(next.run), next));
          sealed.push(next);
          last = next;
        }
      } catch (error) {
        refused.push({ request, error: error instanceof Error ? error : new Error(String(error)) });
        continue;
      }
      accepted.push({ request, sealed });
      for (const [run, state] of own) states.set(run, state);
      tip = { seq: last.seq, hash: last.hash };
    }
    return { states, accepted, refused, tip };
  }

  async function commit(group: readonly Request[]) {
    const { states, accepted, refused, tip } = stage(group);
    const lines = accepted.flatMap(({ sealed }) => sealed).map((entry) => `${toLine(entry)}\n`);
    try {
      if (lines.length > 0) await journal.append(lines.join(''));
    } catch (error) {
      log.error({ problem: String(error), entries: lines.length }, 'the ledger cannot be written');
      // The refused too: what they clashed with may have been in this very group, and is not recorded now.
      for (const request of group) request.reject(new LedgerUnavailable(error));
      return;
    }
    head = tip;
    for (const state of states.values()) index.set(state);
    for (const { request, sealed } of accepted) request.resolve(sealed);
    for (const { request, error } of refused) request.reject(error);
  }

  /** What arrives while one group is being written becomes the next: it shares one write and one sync. */
  async function writeQueue() {
    while (queue.length > 0) {
      const group = queue;
      queue = [];
      await commit(group);
    }
    writing = undefined;
  }

  async function finish() {
    await writing;
    await journal.close();
    await unlock();
  }

  return {
    append(entries) {
      if (closing) return Promise.reject(new LedgerUnavailable(new Error('the ledger is closed')));
      return new Promise((resolve, reject) => {
        // Copied: the caller's objects may change before their turn comes.
        queue.push({ entries: structuredClone(entries), resolve, reject });
        writing ??= Promise.resolve().then(writeQueue);
      });
    },
    runs: index.stem,
    open: index.open,
    head: () => head,
    close() {
      closing ??= finish();
      return closing;
    },
  };
}
