import { randomUUID } from 'node:crypto';
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

/** A file of lines that only grows. */
export interface Journal {
  /** Cuts off what follows the last line feed, once it is safe in a file of its own. */
  setAside(torn: Buffer, file: string): Promise<void>;
  /** Adds text and syncs it to disk. Throws when it could not, and then takes back what did arrive. */
  append(text: string): Promise<void>;
  /**
   * Gives the file the first name of `nameOf`(1), (2) … that nothing has, for good; the next append begins an empty one in
   * its place. Throws when it could not: then all is as before.
   */
  retire(nameOf: (n: number) => string): Promise<void>;
  close(): Promise<void>;
}

const forAppending = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

/**
 * Opens or creates a journal that only its owner can read, of which the first `complete` bytes are whole lines. One writer
 * at a time: the caller sees to that.
 */
export async function openJournal(file: string, complete: number): Promise<Journal> {
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

/** `complete` is the length up to which everything is written and ours. */
function journalAt(file: string, opened: FileHandle, complete: number, size: number): Journal {
  let handle = opened;
  let good = complete;
  /** True while bytes beyond `good` may be there that were never reported. */
  let excess = good < size;
  /** What the open file is called: by its own name, by that and the one for good, or by the latter alone. */
  let named: 'live' | 'both' | 'retired' = 'live';
  /** False while the folder has a change that may not be on disk. */
  let namesSynced = true;

  async function cutBack() {
    if (!excess) return;
    await handle.truncate(good);
    await handle.sync();
    excess = false;
  }

  async function checkSame() {
    const [here, ours] = await Promise.all([stat(file), handle.stat()]);
    if (here.ino !== ours.ino || here.dev !== ours.dev) throw new Error(`${file} was replaced`);
    if (ours.size !== good) throw new Error(`${file} has ${ours.size} bytes where ${good} were written`);
  }

  async function syncNames() {
    if (!namesSynced) await syncFolder(file);
    namesSynced = true;
  }

  /** Goes on where a retirement is. What fails here is tried again by the next append. */
  async function finishRetiring() {
    if (named === 'both') {
      await syncNames();
      await checkSame();
      await unlink(file);
      namesSynced = false;
      named = 'retired';
    }
    if (named === 'retired') {
      await syncNames();
      const next = await open(file, forAppending | constants.O_EXCL, 0o600);
      const old = handle;
      handle = next;
      good = 0;
      namesSynced = false;
      named = 'live';
      // All in it is on disk already.
      await old.close().catch(() => undefined);
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
      await checkSame();
      excess = true;
      try {
        const bytes = Buffer.from(text);
        await writeAll(handle, bytes);
        await handle.sync();
        good += bytes.length;
        excess = false;
      } catch (error) {
        // Where the disk refuses even this, the next append begins with it.
        await cutBack().catch(() => undefined);
        throw error;
      }
    },
    async retire(nameOf) {
      await cutBack();
      await checkSame();
      // A killed process may have written lines and not synced them.
      await handle.sync();
      await linkFree(file, nameOf);
      namesSynced = false;
      named = 'both';
    },
    close: () => handle.close(),
  };
}

/** More than an entry takes. */
const scratchBytes = 8_192;

/** Throws where the folder takes no more. */
export async function writeScratch(file: string): Promise<void> {
  try {
    await writeFile(file, Buffer.alloc(scratchBytes), { mode: 0o600, flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

/** Removes a second name of a file whose other name is to stay. */
export async function dropName(file: string): Promise<void> {
  // The other name may be as new as a crash.
  await syncFolder(file);
  await unlink(file);
}

/** Puts a copy in the place of a file, where there is one: whoever has it open has it no more. */
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

/** Unlike rename(), link() never takes the place of a file. */
async function linkFree(file: string, nameOf: (n: number) => string) {
  for (let n = 1; ; n += 1) {
    try {
      return await link(file, nameOf(n));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

async function writeNew(file: string, bytes: Buffer) {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(file);
}

async function writeAll(handle: FileHandle, bytes: Buffer) {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written)).bytesWritten;
  }
}

/** A new name in a folder is on disk only when the folder is. */
async function syncFolder(file: string) {
  const folder = await open(dirname(file), constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
