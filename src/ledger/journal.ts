import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFile,
  type FileHandle,
  link,
  lstat,
  open,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, unlessMissing } from '../system.ts';

export type Journal = ReturnType<typeof journalAt>;

const forAppending = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND;

/** Opens a journal, for its owner alone, that has `complete` bytes of whole lines. The caller is the only writer. */
export async function openJournal(file: string, complete: number, isNew: boolean, hardLink = link): Promise<Journal> {
  if (isNew) return journalAt({ file, complete: 0, size: 0, hardLink });
  const handle = await open(file, forAppending, 0o600);
  try {
    // FAT and SMB have no modes, and refuse this one.
    await handle.chmod(0o600).catch(() => undefined);
    await syncFolder(file);
    const { size } = await handle.stat();
    return journalAt({ file, opened: handle, complete, size, hardLink });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface Opened {
  file: string;
  /** Missing: there is none yet. */
  opened?: FileHandle;
  /** The length up to which the file is known to be written by us. */
  complete: number;
  size: number;
  hardLink: typeof link;
}

function journalAt({ file, opened, complete, size, hardLink }: Opened) {
  let handle = opened;
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
    const [ours, { ino, dev, size }] = await Promise.all([handle?.stat(), stat(file)]);
    if (ino !== ours?.ino || dev !== ours.dev) throw new Error(`${file} was replaced`);
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
    /** Removes what follows the last line feed, after saving it to `other`. */
    async setAside(torn: Buffer, other: string): Promise<void> {
      await writeNew(other, torn);
      await cutBack();
    },
    /** Appends text and syncs it to disk. Throws when that fails, and then removes what was written of it. */
    async append(text: string): Promise<void> {
      await finishRetiring();
      await cutBack();
      const live = await checked();
      excess = true;
      try {
        const bytes = Buffer.from(text);
        await live.writeFile(bytes);
        await live.sync();
        good += bytes.length;
        excess = false;
      } catch (error) {
        // If the disk refuses even this, the next append starts with it.
        await cutBack().catch(() => undefined);
        throw error;
      }
    },
    /** Renames the file for good, to the first free of `nameOf`(1), (2) …, and returns that. An append begins anew. */
    async retire(nameOf: (n: number) => string): Promise<string> {
      await cutBack();
      const live = await checked();
      // A killed process may have written lines without syncing them.
      await live.sync();
      const { name, moved } = await giveFreeName(file, nameOf, hardLink);
      namesSynced = false;
      named = moved ? 'retired' : 'both';
      return name;
    },
    close: async (): Promise<void> => handle?.close(),
  };
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
    unlessMissing(error);
  }
  await syncFolder(file);
}

/**
 * Gives a file a name that no file has, and keeps the old one. Throws with EEXIST where there is one. `moved`: the old name
 * is gone. That is so without hard links, as on FAT and SMB; there, nobody else may make a file of that name meanwhile.
 */
async function giveName(file: string, name: string, hardLink: typeof link): Promise<{ moved: boolean }> {
  const refusal = await hardLink(file, name).then(() => undefined, codeOf);
  if (refusal === undefined) return { moved: false };
  // Unlike link(), rename() replaces a file.
  if (refusal === 'EEXIST' || (await isThere(name)))
    throw Object.assign(new Error(`${name} is there already`), { code: 'EEXIST', syscall: 'link' });
  await rename(file, name);
  return { moved: true };
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function giveFreeName(file: string, nameOf: (n: number) => string, hardLink: typeof link) {
  for (let n = 1; ; n += 1) {
    try {
      return { name: nameOf(n), ...(await giveName(file, nameOf(n), hardLink)) };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}

type Text = Uint8Array | Iterable<string>;

async function writeNew(file: string, text: Text) {
  await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
  await syncFolder(file);
}

/**
 * Writes a new file for its owner alone, whole or not at all. `check` judges it before it gets its name; if that throws, there is no
 * file. Throws with EEXIST where there is one already.
 */
export const writeWhole = (file: string, text: Text, check: (draft: string) => Promise<void>, hardLink = link) =>
  drafted(file, text, async (draft) => {
    await check(draft);
    await giveName(draft, file, hardLink);
  });

/** The same in the place of what has this name, without a check. */
export const replaceWhole = (file: string, text: Text) => drafted(file, text, (draft) => rename(draft, file));

/** `place` gives what was written its name. */
async function drafted(file: string, text: Text, place: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.${randomUUID()}.part`;
  try {
    await writeNew(draft, text);
    await place(draft);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(file);
}

/** There is no such thing on this file system or platform. */
const notSynced: readonly string[] = ['EPERM', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF', 'EISDIR'];

/** A new name is on disk only after its folder is synced, where folders can be. */
export async function syncFolder(file: string, openFolder = open): Promise<void> {
  try {
    const folder = await openFolder(dirname(file), constants.O_RDONLY);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (!notSynced.includes(codeOf(error))) throw error;
  }
}
