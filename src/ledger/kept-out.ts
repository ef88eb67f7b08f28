import { accessSync, constants, lstatSync, type Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, quoted, statsOf } from '../system.ts';
import { NotAFile } from './ledger.ts';

/** A folder that cannot be used, with the code of the file system, and `what` the bot cannot do there. */
export interface Unusable {
  code: string;
  path: string;
  what?: string;
}

/** Describes it. */
export function folderProblem(found: Unusable): string {
  const { code, path, what } = found;
  const problem = what === undefined ? `(${code})` : `(${code}): the bot cannot ${what} in ${path}`;
  return `DATA_DIR cannot be used ${problem}. ${remedyOf(found)}`;
}

export function remedyOf(found: Unusable): string {
  const { code, path, what } = found;
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'Its disk is full: free some space, but keep every ledger*.jsonl.';
  if (code === 'EROFS')
    return `${path} is mounted read-only: mount it so that the bot may write, or set another DATA_DIR.`;
  if (code === 'ENOENT')
    return `Nothing can be made in ${path}: it is a link that leads nowhere, or its disk is not mounted.`;
  const usual = `${path} must be a folder that the bot may write to.`;
  const lacking = 'Its file system does not do what a ledger needs: set DATA_DIR to a folder on a local disk.';
  return keptOut(found) ?? (what === undefined ? usual : lacking);
}

/** Whether this user may work in a folder; of one that is not there yet, whether it can be made. Undefined: yes. */
export function unusable(dir: string): Unusable | undefined {
  const there = existing(dir);
  try {
    // A link that leads nowhere: nothing can be made there.
    for (let path = dir; path !== there; path = dirname(path))
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return { code: 'ENOENT', path };
    // The slash at the end is refused where it is a file.
    accessSync(`${there}/`, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return { code: codeOf(error), path: dir };
  }
}

/** Who keeps this user from a path that refused it, and what mends that. Undefined: it is not the rights. */
export function keptOut({ code, path }: Unusable, uid = process.getuid?.()): string | undefined {
  if (uid === undefined || (code !== 'EACCES' && code !== 'EPERM')) return undefined;
  const there = existing(path);
  const stats = statsOf(there);
  if (stats === undefined) return undefined;
  const needed = stats.isDirectory() ? 0o700 : 0o600;
  // Where the owner has every right, something else refuses: the file system, or a security module.
  if (stats.uid === uid && (stats.mode & needed) === needed) return undefined;
  if (stats.uid === uid) return `Its owner has no right to ${there}: chmod u+rwX ${quoted(there)}`;
  const owned = `${there} belongs to another user (${stats.uid}). Run this as the user of the bot.`;
  const folder = stats.isDirectory() ? there : dirname(there);
  const mend = there === path ? `chown -R ${uid} ${quoted(folder)}` : `install -d -m 700 -o ${uid} ${quoted(path)}`;
  return `${owned} If that is this one (${uid}), then as root: ${mend}`;
}

/** The longest beginning of a path that can be looked at. */
const existing = (path: string): string =>
  statsOf(path) !== undefined || dirname(path) === path ? path : existing(dirname(path));

/** Whether there is a file of this name. Throws NotAFile, and the file system's errors. */
export async function isFile(path: string): Promise<boolean> {
  const found = await statsOrLink(path);
  if (found !== undefined && !found.isFile()) throw new NotAFile(path, kindOf(found));
  return found !== undefined;
}

async function statsOrLink(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (!['ENOENT', 'ELOOP'].includes(codeOf(error))) throw error;
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
