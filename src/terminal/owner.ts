import { randomBytes, timingSafeEqual } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../system.ts';

/** Node does not say who is at the other end of a socket. Whoever can write a file with this nonce is its owner. */
export interface Challenge {
  file: string;
  nonce: string;
}

export const challengeIn = (folder: string): Challenge => ({
  file: join(folder, `panelops-${randomBytes(16).toString('hex')}`),
  nonce: randomBytes(32).toString('hex'),
});

/** Where everybody may write, and nobody may rename or remove the file of another: on this machine, and root's own. */
export async function openFolder(folders: readonly string[] = ['/dev/shm', '/tmp']): Promise<string | undefined> {
  for (const each of folders) {
    const folder = await realpath(each).catch(() => undefined);
    const found = folder === undefined ? undefined : await stat(folder).catch(() => undefined);
    if (found?.isDirectory() && found.uid === 0 && (found.mode & 0o1002) === 0o1002) return folder;
  }
  return undefined;
}

/** The file does not say who is there. `why` has nothing of it. */
export class Unproven extends Error {
  override name = 'Unproven';
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/**
 * The uid of the file's owner. Everything is asked of the opened file, so it does not matter what its name leads to by
 * then. Nobody else may have written into it: its content came after the connection, and another name could be theirs.
 */
export async function ownerOf({ file, nonce }: Challenge): Promise<number> {
  const opened = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: unknown) => {
    const code = codeOf(error, 'unknown');
    throw new Unproven(code === 'ELOOP' ? 'it is a link' : `it cannot be read (${code})`);
  });
  try {
    const { uid, size, nlink, mode, isFile } = await opened
      .stat()
      .then((found) => ({ ...found, isFile: found.isFile() }));
    if (!isFile) throw new Unproven('it is not a regular file');
    if (nlink !== 1) throw new Unproven('it has another name');
    if ((mode & 0o022) !== 0) throw new Unproven('others may write into it');
    if (size !== nonce.length) throw new Unproven('it does not hold the nonce');
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(nonce.length), 0, nonce.length, 0);
    if (bytesRead !== nonce.length || !timingSafeEqual(buffer, Buffer.from(nonce)))
      throw new Unproven('it does not hold the nonce');
    return uid;
  } finally {
    await opened.close();
  }
}
