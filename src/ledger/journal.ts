import { constants, type FileHandle, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { textOf } from './entry.ts';

/** A file of lines that only grows. */
export interface Journal {
  /** Cuts off what follows the last line feed, once it is safe in a file of its own. */
  setAside(torn: Buffer, file: string): Promise<void>;
  /** Adds text and syncs it to disk. Throws when it could not, and then takes back what did arrive. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/** What was in a journal when it was opened: its complete lines, and what a crash left of a write after them. */
export interface Found {
  lines: Iterable<string>;
  torn: Buffer;
}

const lineFeed = 10;

/** Opens or creates a journal that only its owner can read. One writer at a time: the caller sees to that. */
export async function openJournal(file: string): Promise<{ journal: Journal; found: Found }> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
  try {
    await handle.chmod(0o600);
    await syncFolder(file);
    const bytes = await handle.readFile();
    const good = bytes.lastIndexOf(lineFeed) + 1;
    const found = { lines: linesOf(bytes.subarray(0, good)), torn: bytes.subarray(good) };
    return { journal: journalAt(file, handle, good, bytes.length), found };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** `complete` is the length up to which everything is written, synced and ours. */
function journalAt(file: string, handle: FileHandle, complete: number, size: number): Journal {
  let good = complete;
  /** True while bytes beyond `good` may be there that nobody was told of. */
  let excess = good < size;

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

  return {
    async setAside(torn, other) {
      await writeNew(other, torn);
      await cutBack();
    },
    async append(text) {
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
    close: () => handle.close(),
  };
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

function* linesOf(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start);
    yield textOf(bytes.subarray(start, end));
    start = end + 1;
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
