import { realpath } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/** Whether a new file would be in or below a folder. Resolves symbolic links. */
export async function isInside(folder: string, file: string): Promise<boolean> {
  const [outer, inner] = await Promise.all([realPath(folder), realPath(dirname(resolve(file)))]);
  return join(inner, sep).startsWith(join(outer, sep));
}

/** Resolves symbolic links. For a missing folder, returns the absolute path. */
const realPath = (folder: string): Promise<string> => realpath(folder).catch(() => resolve(folder));
