import { realpath } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';

/** Whether a new file would come to lie in a folder or below it, also by way of symbolic links. */
export async function isInside(folder: string, file: string): Promise<boolean> {
  const [outer, inner] = await Promise.all([real(folder), real(dirname(resolve(file)))]);
  return join(inner, sep).startsWith(join(outer, sep));
}

/** Of a folder that is not there, the path as it is given. */
const real = (folder: string): Promise<string> => realpath(folder).catch(() => resolve(folder));
