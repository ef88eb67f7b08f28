import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  constants,
  copyFile,
  type FileHandle,
  link,
  open,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';

/** An append-only file of lines. */
export interface Journal {
  /** Removes what follows the last line feed, after saving it to `file`. */
  setAside(torn: Buffer, file: string): Promise<void>;
  /** Appends text and syncs it to disk. Throws when that fails, and then removes what was written of it. */
  append(text: string): Promise<void>;
  /**
   * Renames the file for good, to the first free name of `nameOf`(1), (2) …; the next append starts an empty file in
   * its place. Returns that name. Throws when it fails, and then nothing has changed.
   */
  retire(nameOf: (n: number) => string): Promise<string>;
  close(): Promise<void>;
}

const forAppending = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

/**
 * Opens or creates a journal readable only by its owner, whose first `complete` bytes are whole lines. `isNew`: there is
 * none, and the first append makes it. The caller makes sure that there is one writer at a time.
 */
export async function openJournal(file: string, complete: number, isNew: boolean): Promise<Journal> {
  if (isNew) return journalAt(file, undefined, 0, 0);
  const handle = await open(file, forAppending, 0o600);
  try {
    await handle.chmod(0o600);
    await syncFolder(file);
    const { size } = await handle.stat();
    return journalAt(file, handle, complete, size);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** `complete` is the length up to which the file is known to be written by us. */
function journalAt(file: string, opened: FileHandle | undefined, complete: number, size: number): Journal {
  let handle = opened;
  const identity = rememberedStats();
  let good = complete;
  /** True while the file may hold bytes beyond `good`, from a write that failed. */
  let excess = good < size;
  /** Which names the open file has: the live one, both, or only the retired one. `none`: there is no file yet. */
  let named: 'live' | 'both' | 'retired' | 'none' = opened === undefined ? 'none' : 'live';
  /** False while a change of the folder may not be on disk yet. */
  let namesSynced = true;

  async function cutBack() {
    if (!excess) return;
    await handle?.truncate(good);
    await handle?.sync();
    excess = false;
  }

  /** The open file, if it still is the one with this name, with nothing but what was written here. */
  async function checked(): Promise<FileHandle> {
    const { size } = await same(file, handle && (await identity(handle)));
    if (handle === undefined || size !== good) throw new Error(`${file} has ${size} bytes where ${good} were written`);
    return handle;
  }

  async function syncNames() {
    if (!namesSynced) await syncFolder(file);
    namesSynced = true;
  }

  /** Resumes a retirement where it stopped. If it fails, the next append tries again. */
  async function finishRetiring() {
    if (named === 'both') {
      await syncNames();
      await checked();
      await unlink(file);
      namesSynced = false;
      named = 'retired';
    }
    if (named === 'retired' || named === 'none') {
      await syncNames();
      const old = handle;
      handle = await open(file, forAppending | constants.O_EXCL, 0o600);
      good = 0;
      namesSynced = false;
      named = 'live';
      // Everything in the file is already synced, so a failed close loses nothing.
      await old?.close().catch(() => undefined);
    }
    await syncNames();
  }

  return {
    async setAside(torn, other) {
      await writeNew(other, torn);
      await cutBack();
    },
    async append(text) {
      await finishRetiring();
      await cutBack();
      const live = await checked();
      excess = true;
      try {
        const bytes = Buffer.from(text);
        await writeAll(live, bytes);
        await live.sync();
        good += bytes.length;
        excess = false;
      } catch (error) {
        // If the disk refuses even this, the next append starts with it.
        await cutBack().catch(() => undefined);
        throw error;
      }
    },
    async retire(nameOf) {
      await cutBack();
      const live = await checked();
      // A killed process may have written lines without syncing them.
      await live.sync();
      const name = await linkFree(file, nameOf);
      namesSynced = false;
      named = 'both';
      return name;
    },
    close: async () => handle?.close(),
  };
}

/** Device and inode of an open file never change, so that the first look is enough. */
function rememberedStats(): (handle: FileHandle) => Promise<Stats> {
  const known = new WeakMap<FileHandle, Stats>();
  return async (handle) => {
    const stats = known.get(handle) ?? (await handle.stat());
    known.set(handle, stats);
    return stats;
  };
}

/** What has this name, as long as that is our file. */
async function same(file: string, ours: Stats | undefined): Promise<Stats> {
  const here = await stat(file);
  if (here.ino !== ours?.ino || here.dev !== ours.dev) throw new Error(`${file} was replaced`);
  return here;
}

/** More than an entry takes, with the rules that it keeps. */
const scratchBytes = 160 * 1024;

/** Throws where the folder takes no more. */
export async function writeScratch(file: string): Promise<void> {
  try {
    await writeFile(file, Buffer.alloc(scratchBytes), { mode: 0o600, flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

/** Removes one name of a file that keeps another. */
export async function dropName(file: string): Promise<void> {
  // The other name may not be on disk yet.
  await syncFolder(file);
  await unlink(file);
}

/** Replaces a file, if it exists, by a copy: a process that has the old one open writes to that only. */
export async function replaceByCopy(file: string): Promise<void> {
  const copy = `${file}.${randomUUID()}.part`;
  try {
    await copyFile(file, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const handle = await open(copy, constants.O_RDWR);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(copy, file);
  } catch (error) {
    await rm(copy, { force: true });
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  await syncFolder(file);
}

/** Unlike rename(), link() never replaces an existing file. */
async function linkFree(file: string, nameOf: (n: number) => string): Promise<string> {
  for (let n = 1; ; n += 1) {
    try {
      await link(file, nameOf(n));
      return nameOf(n);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

async function writeNew(file: string, text: Uint8Array | Iterable<string>) {
  await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
  await syncFolder(file);
}

/**
 * Writes a new file for its owner alone, whole or not at all. `check` judges it before it gets its name; if that throws, there is no
 * file. Throws with EEXIST where there is one already.
 */
export async function writeWhole(
  file: string,
  text: Uint8Array | Iterable<string>,
  check: (draft: string) => Promise<void>,
) {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    await writeNew(draft, text);
    await check(draft);
    // Unlike rename(), it never replaces a file.
    await link(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(file);
}

/** The same in the place of what has this name, without a check. */
export async function replaceWhole(file: string, bytes: Uint8Array): Promise<void> {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    await writeNew(draft, bytes);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(file);
}

async function writeAll(handle: FileHandle, bytes: Buffer) {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written)).bytesWritten;
  }
}

/** A new name is on disk only after its folder is synced. */
async function syncFolder(file: string) {
  // Windows refuses to sync a folder, and keeps names by itself.
  if (process.platform === 'win32') return;
  const folder = await open(dirname(file), constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
