import { type BigIntStats, closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unlessMissing } from '../system.ts';
import type { Lines } from './chain.ts';
import { isFile } from './kept-out.ts';

/** The complete lines of a file as it is now, how many bytes they have, and what follows them. */
interface FoundLines {
  lines: Lines;
  size: number;
  torn: Buffer;
  stats: Identity;
}

const lineFeed = 10;
const chunk = 1 << 20;

/** Looks at a file of lines, and leaves them in it. Rejects with NotAFile, and the file system's errors. */
export async function findLines(file: string): Promise<FoundLines> {
  await isFile(file);
  const handle = await open(file, 'r');
  try {
    const stats = await handle.stat({ bigint: true });
    const length = Number(stats.size);
    const torn = await tailOf(handle, length);
    const size = length - torn.length;
    return { size, torn, stats, lines: linesOf(file, stats, size) };
  } finally {
    await handle.close();
  }
}

/** What follows the last line feed. */
async function tailOf(handle: FileHandle, length: number): Promise<Buffer> {
  for (let step = 4_096; ; step *= 16) {
    const from = Math.max(0, length - step);
    const bytes = Buffer.alloc(length - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    const tail = bytes.subarray(0, bytesRead);
    const end = tail.lastIndexOf(lineFeed);
    if (end !== -1 || from === 0) return Buffer.from(tail.subarray(end + 1));
  }
}

export type Identity = Pick<BigIntStats, 'ino' | 'dev'>;

export const isSame = (a: Identity, b: Identity): boolean => a.ino === b.ino && a.dev === b.dev;

/** Opens the file that was looked at. The bot may have closed it meanwhile, and so given it another name. */
export function openSame(file: string, stats: Identity): number {
  const folder = dirname(file);
  const names = (): string[] => readdirSync(folder).map((name) => join(folder, name));
  for (const candidate of [file, ...names()]) {
    const fd = openIf(candidate, stats);
    if (fd !== undefined) return fd;
  }
  throw new Error(`${file} was replaced while it was read`);
}

/** Undefined: the file of this name is another, or gone. */
function openIf(file: string, stats: Identity): number | undefined {
  try {
    if (!isSame(statSync(file, { bigint: true }), stats)) return undefined;
    const fd = openSync(file, 'r');
    if (isSame(fstatSync(fd, { bigint: true }), stats)) return fd;
    closeSync(fd);
  } catch (error) {
    return unlessMissing(error);
  }
  return undefined;
}

/** The lines of a file that was looked at, in its first `size` bytes, which end with a line feed. */
export const linesOf = (file: string, stats: Identity, size: number): Lines => ({
  [Symbol.iterator]: () => linesIn(file, stats, size),
});

/** A chunk at a time. */
function* linesIn(file: string, stats: Identity, size: number): Generator<Buffer, void> {
  if (size === 0) return;
  const fd = openSame(file, stats);
  try {
    let bytes = Buffer.allocUnsafe(Math.min(chunk, size));
    /** How much of `bytes` is read, and how much of it was given out. */
    let [filled, given, at] = [0, 0, 0];
    while (at < size) {
      // A line that is longer than all that was read: there has to be room for it.
      if (given === 0 && filled === bytes.length) bytes = Buffer.concat([bytes], 2 * bytes.length);
      bytes.copyWithin(0, given, filled);
      filled -= given;
      given = 0;
      const read = readSync(fd, bytes, filled, Math.min(bytes.length - filled, size - at), at);
      if (read === 0) return;
      at += read;
      filled += read;
      for (let end = bytes.indexOf(lineFeed); end !== -1 && end < filled; end = bytes.indexOf(lineFeed, given)) {
        yield bytes.subarray(given, end + 1);
        given = end + 1;
      }
    }
  } finally {
    closeSync(fd);
  }
}
