import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Challenge, challengeIn, openFolder, ownerOf } from '../../src/terminal/owner.ts';

let folder: string;
let asked: Challenge;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'panelops-owner-'));
  asked = challengeIn(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path = asked.file, text = asked.nonce, mode = 0o600): void => writeFileSync(path, text, { mode });

describe('whose file it is', () => {
  it('is its owner, where it holds the nonce', async () => {
    write();
    expect(await ownerOf(asked)).toBe(process.getuid?.());
  });

  it('is another one than who runs the bot', async () => {
    write();
    // Only root may give a file away.
    const other = process.getuid?.() === 0 ? 12_345 : process.getuid?.();
    chownSync(asked.file, other ?? 0, process.getgid?.() ?? 0);
    expect(await ownerOf(asked)).toBe(other);
  });

  const other = (): string => join(folder, 'other');
  it.each<[what: string, why: string, make: () => void]>([
    ['that is missing', 'it cannot be read (ENOENT)', () => undefined],
    [
      'behind a symbolic link',
      'it is a link',
      () => {
        write(other());
        symlinkSync(other(), asked.file);
      },
    ],
    [
      'with another name',
      'it has another name',
      () => {
        write(other());
        linkSync(other(), asked.file);
      },
    ],
    ['that is a pipe, which nobody opens', 'it is not a regular file', () => execFileSync('mkfifo', [asked.file])],
    ['that is a folder', 'it is not a regular file', () => mkdirSync(asked.file)],
    [
      'into which others may write',
      'others may write into it',
      () => {
        write();
        chmodSync(asked.file, 0o622);
      },
    ],
    ['with another nonce', 'it does not hold the nonce', () => write(asked.file, challengeIn(folder).nonce)],
    ['that is empty', 'it does not hold the nonce', () => write(asked.file, '')],
    ['that is large', 'it does not hold the nonce', () => write(asked.file, asked.nonce.repeat(100_000))],
  ])('is not said by one %s', async (_, why, make) => {
    make();
    await expect(ownerOf(asked)).rejects.toThrow(why);
  });

  it('is read from the file that was opened, whatever its name leads to by then', async () => {
    write();
    const owner = ownerOf(asked);
    rmSync(asked.file);
    symlinkSync('/etc/passwd', asked.file);
    // Whichever came first: nobody becomes the owner of /etc/passwd.
    const said = await owner.catch((error: unknown) => String(error));
    expect([
      process.getuid?.(),
      'Unproven: it is a link',
      'Unproven: it has another name',
      'Unproven: it cannot be read (ENOENT)',
    ]).toContain(said);
  });

  it('is asked for under another name each time', () => {
    expect(challengeIn(folder).file).not.toBe(asked.file);
    expect(challengeIn(folder).nonce).not.toBe(asked.nonce);
  });
});

it('A folder in which others can replace files is not taken', async () => {
  expect(await openFolder([folder])).toBeUndefined();
  chmodSync(folder, 0o777);
  expect(await openFolder([join(folder, 'none'), folder])).toBeUndefined();
});
