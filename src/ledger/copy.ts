import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Entries } from '../runs/entries.ts';
import type { Entry } from '../runs/entry.ts';
import { type EachLine, genesis, type Head, toLine, verifyLines } from './chain.ts';
import { findLines } from './file-lines.ts';
import { writeWhole } from './journal.ts';
import { isReleased, usualPace as leasePace, patienceWith, released } from './lease.ts';
import { type LockOptions, lockFolder } from './lock.ts';
import { ledgerStream } from './redis-stream.ts';
import { liveName } from './segments.ts';

/** A whole ledger in one file, verified. */
export interface Copy {
  entries: Entries;
  head: Head;
}

/** A copy that cannot be restored, or a place that has a ledger. The message says which and what to do. */
export class NotRestored extends Error {
  override name = 'NotRestored';
}

/** Reads a copy. Throws NotRestored when its chain is not whole, and the file system's errors. */
export async function readCopy(file: string): Promise<Copy> {
  const entries: Entry[] = [];
  const head = await verifiedCopy(file, (entry) => entries.push(entry));
  return { entries, head };
}

async function verifiedCopy(file: string, each?: EachLine): Promise<Head> {
  const { lines, size, torn } = await findLines(file);
  if (size + torn.length === 0) throw new NotRestored(`${file} is empty.`);
  if (torn.length > 0) throw new NotRestored(`${file} ends in the middle of a line: it was cut off.`);
  const result = verifyLines(lines, each);
  if (!result.ok) throw new NotRestored(`${file}: ${result.problem}. Use another copy.`);
  return { seq: result.count, hash: result.head };
}

const linesInWrite = 1_000;

function* textIn(entries: Entries): Generator<string, void> {
  for (let at = 0; at < entries.length; at += linesInWrite)
    yield entries
      .slice(at, at + linesInWrite)
      .map((entry) => `${toLine(entry)}\n`)
      .join('');
}

/** Writes a copy into a new file, and reads it again before it gets its name. Throws the file system's errors. */
export async function writeCopy(file: string, { entries, head }: Copy): Promise<void> {
  await writeWhole(file, textIn(entries), async (draft) => {
    const written = await verifiedCopy(draft);
    if (written.hash !== head.hash) throw new Error('what was written is not what was read');
  });
}

const isLedger = (name: string): boolean => /^ledger.*\.jsonl$/.test(name);

/** Puts a copy into a folder without a ledger. Throws NotRestored, and LedgerLocked while a bot has the folder. */
export async function restoreFiles(dir: string, copy: Copy, onWait: LockOptions['onWait']): Promise<void> {
  const lock = await lockFolder(dir, { onWait });
  try {
    if ((await readdir(dir)).some(isLedger))
      throw new NotRestored(
        `There is a ledger in ${dir}. Move its files (ledger*.jsonl) elsewhere first: a restore replaces none.`,
      );
    await writeCopy(join(dir, liveName), copy);
  } finally {
    await lock.release();
  }
}

/** The same for a Redis, in one step, once nobody leads there. `onWait`: the words about a leader that may be gone. */
export async function restoreStream(
  redis: Redis,
  copy: Copy,
  onWait: (words: string) => void,
  { prefix = 'panelops:', pace = leasePace } = {},
): Promise<void> {
  const stream = ledgerStream(redis, prefix);
  const used = new NotRestored('A bot uses this Redis. Stop every process first.');
  try {
    // First of all: a ledger that a bot still writes must not be removed.
    const from = await stream.lease();
    if (from !== '' && !isReleased(from)) {
      onWait(`A bot that leads may still use this Redis: waiting ${pace.patience / 1_000} s for a sign of life.`);
      const patience = patienceWith(pace);
      for (let lease = from; !patience.mayTake(lease); lease = await stream.lease()) {
        if (lease !== from) throw used;
        await delay(pace.look);
      }
    }
    if ((await stream.exchange(genesis)).kind === 'moved')
      throw new NotRestored(
        `There is a ledger in this Redis, in ${stream.name}. Back it up and remove it first, with ${prefix}ledger-head: a restore replaces none.`,
      );
    const lines = copy.entries.slice().map(toLine);
    const taking = { from, to: released({ version: '0.0.0' }) };
    const { kind } = await stream.exchange(genesis, lines, copy.entries.at(-1), taking);
    if (kind !== 'ours') throw used;
  } finally {
    stream.close();
  }
}
