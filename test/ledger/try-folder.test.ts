import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { link, open, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openJournal, syncFolder, writeWhole } from '../../src/ledger/journal.ts';
import { folderProblem } from '../../src/ledger/kept-out.ts';
import { readFiles } from '../../src/ledger/reading.ts';
import { makeFolder, tryFolder } from '../../src/ledger/try-folder.ts';
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

  test.each([
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

  test('it can, and nothing is left there', async () => {
    const dir = folder();
    expect(await tryFolder(dir)).toBeUndefined();
    expect(await tryFolder(join(dir, 'new', 'data'))).toBeUndefined();
    expect(readdirSync(dir)).toEqual([]);
  });

  test('an error that passes is not what the folder lacks', async () => {
    await expect(tryFolder(folder(), { open: refusing('EIO'), rename })).rejects.toMatchObject({ code: 'EIO' });
  });

  test.each([
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
  test.each(['EPERM', 'ENOTSUP', 'ENOSYS'])('a month is closed without hard links: %s', async (code) => {
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

  test('a copy is written without hard links, over nothing that is there', async () => {
    const dir = folder();
    const file = join(dir, 'copy');
    const write = (text: string) => writeWhole(file, [text], () => Promise.resolve(), refusing('EPERM'));
    await write('one');
    await expect(write('two')).rejects.toMatchObject({ code: 'EEXIST' });
    expect([readdirSync(dir), readFileSync(file, 'utf8')]).toEqual([['copy'], 'one']);
    await expect(writeWhole(file, ['three'], () => Promise.resolve(), link)).rejects.toMatchObject({ code: 'EEXIST' });
  });

  test('a folder need not be synced, and a fault of the disk is one', async () => {
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

  test.each(kinds)('by the start: %s', async (kind, make) => {
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

  test.each(kinds)('by whoever only reads the ledger: %s', async (kind, make) => {
    const dir = folder();
    await make(join(dir, 'ledger.jsonl'));
    await expect(readFiles(dir)).rejects.toThrow(`is ${kind}, where the bot keeps a file.`);
  });
});
