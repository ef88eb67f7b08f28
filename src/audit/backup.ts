import { stat } from 'node:fs/promises';
import { type Copy, NotRestored, readCopy, restoreFiles, restoreStream, writeCopy } from '../ledger/copy.ts';
import { NotAFile } from '../ledger/ledger.ts';
import { makeFolders } from '../ledger/try-folder.ts';
import { connectRedis } from '../redis/connect.ts';
import { isInside, type LedgerPlace, readLedger, silentLog } from './place.ts';

interface Output {
  out(text: string): void;
  say(text: string): void;
  now?: () => Date;
}

const counted = ({ entries, head }: Copy): string =>
  `${entries.length.toLocaleString('en-US')} ${entries.length === 1 ? 'entry' : 'entries'}, head ${head.hash}`;

/**
 * Writes the whole ledger into a new file, also while the bot runs. `path`: the file, or a folder for a file named after
 * the time. Returns the exit code: 0, or 1 if the ledger is damaged, or the file cannot be written or would be in
 * DATA_DIR. Rejects as readLedger does.
 */
export async function backUp(place: LedgerPlace, path: string, { out, say, now }: Output): Promise<number> {
  const { problem, ...copy } = await readLedger(place);
  if (problem !== undefined) {
    say(
      `${problem.words}. Nothing was written: a copy of that could not be restored. Copy the ledger as it is, then repair it.\n`,
    );
    return 1;
  }
  const at = (now?.() ?? new Date()).toISOString().replace(/[-:]|\.\d+/g, '');
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  // Not by join(), which takes `link/..` for the folder of the link.
  const file = isFolder ? `${path.replace(/\/+$/, '')}/panelops-ledger-${at}.jsonl` : path;
  if (await isInside(place.dataDir, file)) {
    say(
      `${file} is in DATA_DIR, the folder of the ledger itself: name a file elsewhere, best on another disk. Nothing was written.\n`,
    );
    return 1;
  }
  try {
    await writeCopy(file, copy);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    say(code === 'EEXIST' ? `${file} already exists: name another file.\n` : `${file} cannot be written (${code}).\n`);
    return 1;
  }
  out(`${file}: ${counted(copy)}\n`);
  return 0;
}

/** Restores a copy where there is no ledger. Returns the exit code: 1 if the copy is damaged, or Redis is in use. */
export async function restore({ dataDir, redisUrl }: LedgerPlace, file: string, { out, say }: Output): Promise<number> {
  const wait = (words: string): void => say(`${words}\n`);
  try {
    const copy = await readCopy(file);
    if (redisUrl === undefined) {
      await makeFolders(dataDir);
      await restoreFiles(dataDir, copy, wait);
    } else await intoRedis(redisUrl, copy, wait);
    out(
      `restored: ${counted(copy)}\nNow run panelops audit verify, which compares it with the audit channel, and start the bot.\n`,
    );
    return 0;
  } catch (error) {
    const code = codeOf(error);
    const isTold = error instanceof NotRestored || error instanceof NotAFile;
    if (!isTold && code === undefined) throw error;
    const what = isTold ? error.message : `${file} or ${dataDir} cannot be used (${code}).`;
    say(`${what} Nothing was restored.\n`);
    return 1;
  }
}

async function intoRedis(url: string, copy: Copy, onWait: (words: string) => void): Promise<void> {
  // No command timeout: one command writes all entries.
  const { redis, ready, close } = connectRedis(url, silentLog, 'forWorker');
  try {
    await ready();
    await restoreStream(redis, copy, onWait);
  } finally {
    await close();
  }
}

/** The code of a file system error. Undefined for any other error. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined;
