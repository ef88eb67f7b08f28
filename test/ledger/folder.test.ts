import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { link, open, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openJournal, syncFolder, writeWhole } from '../../src/ledger/journal.ts';
import { folderProblem, keptOut, unusable } from '../../src/ledger/kept-out.ts';
import { readFiles } from '../../src/ledger/reading.ts';
import { makeFolder, makeFolders, tryFolder } from '../../src/ledger/try-folder.ts';
import { folder } from '../helpers/ledger/samples.ts';

const refusing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

/** Opens files that cannot do one thing. */
const openWithout =
  (method: 'sync' | 'writeFile', code: string, of: (path: string) => boolean): typeof open =>
  async (path, ...how) => {
    const file = await open(path, ...how);
    return of(String(path)) ? Object.assign(file, { [method]: refusing(code) }) : file;
  };

describe('A folder is tried for all that a ledger does there:', () => {
  const isFile = (path: string) => path.endsWith('.part');
  const twice: typeof open = (path, how, ...rest) => open(path, how === 'wx' ? 'w' : how, ...rest);

  it.each([
    ['create a file', { open: refusing('EPERM'), rename }, 'EPERM'],
    ['write a file', { open: openWithout('writeFile', 'ENOSPC', isFile), rename }, 'ENOSPC'],
    ['put a file on disk (fsync)', { open: openWithout('sync', 'EINVAL', isFile), rename }, 'EINVAL'],
    ['replace a file by another (rename)', { open, rename: refusing('ENOTSUP') }, 'ENOTSUP'],
    ['create a file only where there is none (O_EXCL)', { open: twice, rename }, 'no EEXIST'],
  ])('it cannot %s', async (what, files, code) => {
    const dir = folder();
    expect(await tryFolder(dir, files)).toEqual({ code, path: dir, what });
    expect(readdirSync(dir)).toEqual([]);
  });

  it('it can, and nothing is left there', async () => {
    const dir = folder();
    expect(await tryFolder(dir)).toBeUndefined();
    expect(await tryFolder(join(dir, 'new', 'data'))).toBeUndefined();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('an error that passes is not what the folder lacks', async () => {
    await expect(tryFolder(folder(), { open: refusing('EIO'), rename })).rejects.toMatchObject({ code: 'EIO' });
  });

  it.each([
    [{ code: 'EPERM', what: 'create a file' }, 'set DATA_DIR to a folder on a local disk.'],
    [{ code: 'ENOSPC', what: 'write a file' }, 'Its disk is full: free some space, but keep every ledger*.jsonl.'],
    [{ code: 'EROFS', what: 'create a file' }, 'is mounted read-only'],
  ])('and told what to do: %o', (found, remedy) => {
    const dir = folder();
    const { code, what } = found;
    expect(folderProblem({ ...found, path: dir })).toContain(
      `DATA_DIR cannot be used (${code}): the bot cannot ${what} in ${dir}. `,
    );
    expect(folderProblem({ ...found, path: dir })).toContain(remedy);
  });
});

describe('On a file system that lacks something a ledger can do without,', () => {
  it.each(['EPERM', 'ENOTSUP', 'ENOSYS'])('a month is closed without hard links: %s', async (code) => {
    const dir = folder();
    const at = (name: string) => join(dir, name);
    writeFileSync(at('live'), 'one\n');
    writeFileSync(at('closed-1'), 'older');
    const journal = await openJournal(at('live'), 4, false, refusing(code));
    onTestFinished(() => journal.close());
    expect(await journal.retire((n) => at(`closed-${n}`))).toBe(at('closed-2'));
    await journal.append('two\n');
    const texts = Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(at(name), 'utf8')]));
    expect(texts).toEqual({ 'closed-1': 'older', 'closed-2': 'one\n', live: 'two\n' });
  });

  it('a copy is written without hard links, over nothing that is there', async () => {
    const dir = folder();
    const file = join(dir, 'copy');
    const write = (text: string) => writeWhole(file, [text], () => Promise.resolve(), refusing('EPERM'));
    await write('one');
    await expect(write('two')).rejects.toMatchObject({ code: 'EEXIST' });
    expect([readdirSync(dir), readFileSync(file, 'utf8')]).toEqual([['copy'], 'one']);
    await expect(writeWhole(file, ['three'], () => Promise.resolve(), link)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it('a folder need not be synced, and a fault of the disk is one', async () => {
    const dir = folder();
    const isFolder = (path: string) => path === dir;
    await syncFolder(join(dir, 'file'), openWithout('sync', 'EPERM', isFolder));
    await syncFolder(join(dir, 'file'), refusing('EISDIR'));
    await expect(syncFolder(join(dir, 'file'), openWithout('sync', 'EIO', isFolder))).rejects.toThrow('EIO');
  });
});

describe('What is no file, and has the name of one of the bot, is named', () => {
  const kinds: readonly (readonly [string, (path: string) => unknown])[] = [
    ['a named pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
    ['a symbolic link that leads nowhere', (path) => symlinkSync('/nowhere/at/all', path)],
    ['a symbolic link that leads nowhere', (path) => symlinkSync(path, path)],
    ['a device', (path) => symlinkSync('/dev/null', path)],
    [
      'a socket',
      (path) => {
        const server = createServer().listen(path);
        onTestFinished(() => void server.close());
        return new Promise((resolve) => server.once('listening', resolve));
      },
    ],
  ];
  const names = ['ledger.jsonl', 'ledger-2026-10.jsonl', 'cards.jsonl', 'lock-3'];

  it.each(kinds)('by the start: %s', async (kind, make) => {
    for (const name of names) {
      const dir = folder();
      const path = join(dir, name);
      await make(path);
      await expect(makeFolder(dir)).rejects.toThrow(
        `${path} is ${kind}, where the bot keeps a file. Move it away, or set another DATA_DIR.`,
      );
      expect(readdirSync(dir)).toEqual([name]);
    }
  });

  it.each(kinds)('by whoever only reads the ledger: %s', async (kind, make) => {
    const dir = folder();
    await make(join(dir, 'ledger.jsonl'));
    await expect(readFiles(dir)).rejects.toThrow(`is ${kind}, where the bot keeps a file.`);
  });
});

describe('The folder that is to be made', () => {
  it('is made with those above it, by two starts at once', async () => {
    const dir = join(folder(), 'of', 'the', 'bot');
    await Promise.all([makeFolder(dir), makeFolder(dir)]);
    expect(existsSync(dir)).toBe(true);
  });

  it.each(['data', 'mounted/data'])('is below a link whose disk is not mounted: %s', async (below) => {
    const link = join(folder(), 'link');
    symlinkSync('/there/is/no/such/folder', link);
    const dir = join(link, below);
    const words = `DATA_DIR cannot be used (ENOENT). Nothing can be made in ${link}: it is a link that leads nowhere, or its disk is not mounted.`;
    const found = await tryFolder(dir);
    expect(found && folderProblem(found)).toBe(words);
    await expect(makeFolder(dir)).rejects.toThrow(words);
  });

  it.runIf(existsSync('/proc/self'))('is where none can be made: that has an end', async () => {
    await expect(makeFolders('/proc/panelops/data')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('has a file above it, which is named', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    expect(folderProblem({ code: 'ENOTDIR', path: join(file, 'data') })).toBe(
      `DATA_DIR cannot be used (ENOTDIR). ${file}/data must be a folder that the bot may write to.`,
    );
  });
});

describe('A file of the bot that belongs to somebody else, as after one start by root,', () => {
  const refused =
    (only: number) =>
    (_path: unknown, asked = 0): Promise<void> =>
      (asked & only) === only ? Promise.reject(Object.assign(new Error(), { code: 'EACCES' })) : Promise.resolve();

  it.each(['ledger.jsonl', 'ledger-2026-10.jsonl', 'cards.jsonl', 'lock-3'])('is named: %s', async (name) => {
    const dir = folder();
    const path = join(dir, name);
    writeFileSync(path, '');
    expect(await tryFolder(dir, undefined, refused(constants.R_OK))).toEqual({ code: 'EACCES', path });
  });

  it.each([
    ['ledger.jsonl', 'EACCES'],
    ['cards.jsonl', 'EACCES'],
    ['ledger-2026-10.jsonl', undefined],
    ['lock-3', undefined],
  ])('may be one that is only read: %s, %s', async (name, code) => {
    const dir = folder();
    writeFileSync(join(dir, name), '');
    expect((await tryFolder(dir, undefined, refused(constants.W_OK)))?.code).toBe(code);
  });
});

let dir: string;
let owner: number;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'panelops-kept-out-'));
  owner = statSync(dir).uid;
});
afterEach(() => {
  chmodSync(dir, 0o700);
  rmSync(dir, { recursive: true });
});

// Windows has no such users.
describe.runIf(process.getuid !== undefined)(
  'Whoever is kept out of the folder learns by whom, and what to type:',
  () => {
    const run = (): string =>
      `belongs to another user (${owner}). Run this as the user of the bot. If that is this one`;
    const other = 4_711;

    it('the folder is of another user', () => {
      expect(keptOut({ code: 'EACCES', path: dir }, other)).toBe(
        `${dir} ${run()} (4711), then as root: chown -R 4711 ${dir}`,
      );
    });

    it('a file in it is, as after a restore by root', () => {
      const path = join(dir, 'ledger.jsonl');
      writeFileSync(path, '');
      expect(keptOut({ code: 'EACCES', path }, other)).toBe(
        `${path} ${run()} (4711), then as root: chown -R 4711 ${dir}`,
      );
    });

    it('it is still to be made, and nobody else is given what is above it', () => {
      const path = join(dir, "the bot's", 'data');
      expect(keptOut({ code: 'EACCES', path }, other)).toBe(
        `${dir} ${run()} (4711), then as root: install -d -m 700 -o 4711 '${dir}/the bot'\\''s/data'`,
      );
    });

    it('it is their own, without rights', () => {
      chmodSync(dir, 0o500);
      expect(keptOut({ code: 'EACCES', path: dir }, owner)).toBe(
        `Its owner has no right to ${dir}: chmod u+rwX ${dir}`,
      );
    });

    it('it is their own, with every right: then it is something else', () => {
      expect(keptOut({ code: 'EPERM', path: dir }, owner)).toBeUndefined();
    });

    it('and a full disk is nobody', () => {
      expect(keptOut({ code: 'ENOSPC', path: dir }, other)).toBeUndefined();
    });

    it('a folder that may be entered and written is of use, and so is one that can be made there', () => {
      expect(unusable(dir)).toBeUndefined();
      expect(unusable(join(dir, 'new', 'data'))).toBeUndefined();
    });

    it('a file is of no use, nor is what would have to be in it', () => {
      const path = join(dir, 'file');
      writeFileSync(path, '');
      expect(unusable(path)).toEqual({ code: 'ENOTDIR', path });
      expect(unusable(join(path, 'data'))).toEqual({ code: 'ENOTDIR', path: join(path, 'data') });
    });

    it('a link that leads nowhere is of no use', () => {
      const path = join(dir, 'link');
      symlinkSync(join(dir, 'none'), path);
      expect(unusable(path)).toEqual({ code: 'ENOENT', path });
    });

    // Root may do everything.
    it.runIf(process.getuid?.() !== 0)('one that may not be entered is of no use', () => {
      const path = join(dir, 'data');
      mkdirSync(path);
      chmodSync(dir, 0o600);
      expect(unusable(path)).toEqual({ code: 'EACCES', path });
    });
  },
);
