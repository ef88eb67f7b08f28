import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import * as disk from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../system.ts';
import { syncFolder } from './journal.ts';
import { folderProblem, isFile, type Unusable, unusable } from './kept-out.ts';

/** The folder, or its file system, does not do what the ledger needs. */
export class FolderUnfit extends Error {
  constructor(found: Unusable) {
    super(folderProblem(found));
    this.name = 'FolderUnfit';
  }
}

/** Makes the folder if there is none, and tries it. Throws FolderUnfit and NotAFile, and the file system's errors. */
export async function makeFolder(dir: string): Promise<void> {
  const unmade = await makeFolders(dir).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const unfit = await tryFolder(dir);
  if (unfit !== undefined) throw new FolderUnfit(unfit);
  if (unmade !== undefined) throw unmade.error;
}

/** As `mkdir -p`. Node's own never ends where a file system makes no folders and says ENOENT, as /proc and autofs do. */
export async function makeFolders(dir: string): Promise<void> {
  try {
    await makeOne(dir);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(dir) === dir) throw error;
    await makeFolders(dirname(dir));
    await makeOne(dir);
  }
}

async function makeOne(dir: string): Promise<void> {
  await disk.mkdir(dir, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
}

/** The names of the bot's own files. */
const own = /^(?:ledger.*\.jsonl|cards\.jsonl|lock-\d+)$/;
/** Errors that pass, or are no matter of this folder. */
const passing: readonly string[] = ['EIO', 'ESTALE', 'ETIMEDOUT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY'];

/** Does here what the ledger does, with files that it removes. Undefined: it works. Throws NotAFile, disk errors. */
export async function tryFolder(
  dir: string,
  files: Pick<typeof disk, 'open' | 'rename'> = disk,
  access: typeof disk.access = disk.access,
): Promise<Unusable | undefined> {
  const problem = unusable(dir);
  const names = problem === undefined ? await disk.readdir(dir).catch(() => undefined) : undefined;
  if (names === undefined) return problem;
  for (const name of names.filter((each) => own.test(each))) {
    const path = join(dir, name);
    await isFile(path);
    const refused = await access(path, rightsTo(name)).then(() => undefined, codeOf);
    // The holder of the folder may just have removed its file.
    if (refused !== undefined && refused !== 'ENOENT') return { code: refused, path };
  }
  return tryFiles(dir, files);
}

/** Ledgers of closed months and the locks of others are only read. */
const rightsTo = (name: string): number =>
  name === 'ledger.jsonl' || name === 'cards.jsonl' ? constants.R_OK | constants.W_OK : constants.R_OK;

async function tryFiles(dir: string, { open, rename }: Pick<typeof disk, 'open' | 'rename'>) {
  const [first, second] = [join(dir, `try-${randomUUID()}.part`), join(dir, `try-${randomUUID()}.part`)];
  const create = async (path: string): Promise<void> => {
    const file = await open(path, 'wx', 0o600);
    try {
      what = 'write a file';
      await file.writeFile('x');
      what = 'put a file on disk (fsync)';
      await file.sync();
    } finally {
      await file.close();
    }
  };
  let what = 'create a file';
  try {
    await create(first);
    await create(second);
    what = 'replace a file by another (rename)';
    await rename(first, second);
    what = 'put the names of files on disk (fsync of the folder)';
    await syncFolder(first, open);
    what = 'create a file only where there is none (O_EXCL)';
    await (await open(second, 'wx', 0o600)).close();
    return { code: 'no EEXIST', path: dir, what };
  } catch (error) {
    const code = codeOf(error);
    if (passing.includes(code)) throw error;
    const isDone = what.endsWith('(O_EXCL)') && code === 'EEXIST';
    return isDone ? undefined : { code, path: dir, what };
  } finally {
    for (const path of [first, second]) await disk.rm(path, { force: true });
  }
}
