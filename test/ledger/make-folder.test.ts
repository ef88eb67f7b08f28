import { constants, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderProblem } from '../../src/ledger/kept-out.ts';
import { makeFolder, makeFolders, tryFolder } from '../../src/ledger/try-folder.ts';
import { folder } from '../helpers/ledger/samples.ts';

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
