import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { NotAFile } from './ledger.ts';

/** Whether there is a file of this name. Throws NotAFile, and the file system's errors. */
export async function isFile(path: string): Promise<boolean> {
  const found = await statsOf(path);
  if (found !== undefined && !found.isFile()) throw new NotAFile(path, kindOf(found));
  return found !== undefined;
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOENT' && code !== 'ELOOP') throw error;
    // A link that leads nowhere.
    return await lstat(path).catch(() => undefined);
  }
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a named pipe';
  if (found.isSocket()) return 'a socket';
  return found.isSymbolicLink() ? 'a symbolic link that leads nowhere' : 'a device';
}
