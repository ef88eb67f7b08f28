import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { jsonIn } from '../json.ts';
import { codeOf, unlessMissing } from '../system.ts';
import { every } from '../waits.ts';
import { isFile } from './kept-out.ts';
import { type KernelLock, kernelLockIn } from './kernel-lock.ts';
import { LedgerLocked, LedgerTaken, NotAFile } from './ledger.ts';
import { stopwatch } from './stopwatch.ts';

/** How often the holder of a lock shows itself, and how long others wait for that sign, in ms. */
interface LockPace {
  beat: number;
  patience: number;
}

export const usualPace: LockPace = { beat: 1_000, patience: 10_000 };

export interface LockOptions extends Partial<LockPace> {
  kernelLock?: typeof kernelLockIn;
  /** Called once, as soon as this process sees that it lost the folder. */
  onTaken?: ((error: LedgerTaken) => void) | undefined;
  /** Called with whom this process waits for, where only signs of life tell whether that one lives. */
  onWait?: ((words: string) => void) | undefined;
}

/**
 * What a lock says. No `pid`: it was released. `kernel`: the kernel's lock on the file says whether its holder lives. Version
 * 0.1.0 had no such lock, and shows itself by the file's time alone.
 */
const recordSchema = z.object({
  pid: z.number().exactOptional(),
  host: z.string().exactOptional(),
  kernel: z.boolean().exactOptional(),
});
type Holder = z.infer<typeof recordSchema>;

/** A lock on a folder, held until it is released or another process takes it. */
export interface Lock {
  /** Whether the previous holder may still be alive: it gave no sign of life, and nothing else is known of it. */
  isSeized: boolean;
  /** Resolves while this process holds the folder. Rejects with LedgerTaken once it does not, or a disk error. */
  check(): Promise<void>;
  /** How long ago the last successful check was, in ms. */
  age(): number;
  release(): Promise<void>;
}

const lockFile = (dir: string, number: number) => join(dir, `lock-${number}`);

/**
 * Locks a folder for this process. Throws LedgerLocked while another live process holds it, and NotAFile.
 *
 * What the holder does says whether it lives, never its pid: it has the kernel's lock on its file, frozen or not. Where the
 * kernel cannot know, a holder that shows no sign of life is replaced, and learns of it when it wakes.
 *
 * Locks are numbered files; the highest number counts. A new holder creates the next one, which only one process can do,
 * and writes who it is before it looks whether anybody else did: of two, at least one sees the other. The highest is
 * never deleted, only superseded, or marked as released.
 */
export async function lockFolder(dir: string, options: LockOptions = {}): Promise<Lock> {
  const { kernelLock = kernelLockIn, beat = usualPace.beat, patience = usualPace.patience, onTaken, onWait } = options;
  const kernel = await kernelLock(dir);
  for (;;) {
    const last = await highest(dir);
    const before = await freed({ dir, number: last, kernel, beat, patience, onWait });
    const number = last + 1;
    const handle = before && (await create(lockFile(dir, number), kernel));
    if (before === undefined || handle === undefined) continue;
    if ((await highest(dir)) === number && (await signOf(lockFile(dir, last))) === before.sign) {
      await removeBelow(dir, last);
      return keep({ dir, number, handle, kernel, beat, onTaken, isSeized: before.isSeized });
    }
    await withdraw(lockFile(dir, number), handle);
    await delay(Math.random() * beat);
  }
}

interface Look extends LockPace, Pick<LockOptions, 'onWait'> {
  dir: string;
  number: number;
  kernel: KernelLock | undefined;
}

/** The last lock, once its holder is gone; undefined if that has changed meanwhile. Throws LedgerLocked. */
async function freed({ dir, number, kernel, beat, patience, onWait }: Look) {
  const file = lockFile(dir, number);
  const sign = await signOf(file);
  if (sign === undefined) return number === 0 ? { sign, isSeized: false } : undefined;
  const holder = holderIn(sign);
  if (holder !== undefined && holder.pid === undefined) return { sign, isSeized: false };
  if (holder === undefined) {
    // Somebody makes it right now, or a crash left it empty, or version 0.1.0 released it.
    await delay(beat / 4);
    if ((await signOf(file)) !== sign) return undefined;
  }
  if (kernel !== undefined && (holder === undefined || holder.kernel === true)) {
    if (await staysTaken(kernel, file, beat)) throw new LedgerLocked(dir, inWords(holder));
    return { sign, isSeized: false };
  }
  if (holder === undefined) return { sign, isSeized: false };
  onWait?.(
    `${inWords(holder)} may still be using the folder ${dir}: waiting ${patience / 1_000} s for a sign of life. Without one, this process takes the folder.`,
  );
  for (let waited = 0; waited < patience; waited += beat) {
    await delay(beat);
    const now = await signOf(file);
    if (now === sign) continue;
    // The change may be its release.
    if (now === undefined || holderIn(now)?.pid === undefined) return undefined;
    throw new LedgerLocked(dir, inWords(holder));
  }
  return { sign, isSeized: true };
}

/** A killed process takes a moment to end, and has the kernel's lock until then. */
async function staysTaken({ isTaken }: KernelLock, file: string, patience: number): Promise<boolean> {
  for (let looks = 1; isTaken(file); looks += 1) {
    if (looks > 4) return true;
    await delay(patience / 4);
  }
  return false;
}

/** Undefined: somebody else has that number, or looks at it. */
async function create(file: string, kernel: KernelLock | undefined): Promise<FileHandle | undefined> {
  const handle = await open(file, 'wx+', 0o600).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
    return undefined;
  });
  if (handle === undefined) return undefined;
  try {
    if (kernel?.take(handle.fd) === false) {
      await withdraw(file, handle);
      return undefined;
    }
    await handle.write(textOf(kernel, 0), 0);
    // So that other machines see it.
    await handle.sync();
    return handle;
  } catch (error) {
    await withdraw(file, handle);
    throw error;
  }
}

async function withdraw(file: string, handle: FileHandle): Promise<void> {
  await rm(file, { force: true });
  await handle.close();
}

/** As long as any other, so that it can be written over it. */
const padded = (record: object): string => `${JSON.stringify(record)}\n`.padEnd(512);

/** Version 0.1.0 waits for signs of life of a holder in another `space`. */
const textOf = (kernel: KernelLock | undefined, beats: number): string =>
  padded({ pid: process.pid, start: '', space: 'lock', host: hostname(), kernel: kernel !== undefined, beats });

interface Kept extends Pick<LockOptions, 'onTaken'> {
  dir: string;
  number: number;
  /** Open while the lock is held: the kernel's lock is on it, and no other file can get its inode. */
  handle: FileHandle;
  kernel: KernelLock | undefined;
  beat: number;
  isSeized: boolean;
}

/** Shows that the holder lives to those who cannot see the kernel's lock: other machines that share the folder. */
function keep({ dir, number, handle, kernel, beat, onTaken, isSeized }: Kept): Lock {
  let age = stopwatch();
  let taken: LedgerTaken | undefined;
  let ours: Stats | undefined;
  let beats = 0;

  async function check() {
    const since = stopwatch();
    // An open file stays the same one.
    ours ??= await handle.stat();
    const loss = taken ?? (await lossOf(dir, number, ours));
    if (loss === undefined) {
      age = since;
      return;
    }
    if (taken === undefined) {
      taken = loss;
      onTaken?.(loss);
    }
    throw taken;
  }

  async function show() {
    await check();
    beats += 1;
    // A full disk may refuse this; the time shows, too.
    await handle.write(textOf(kernel, beats), 0).catch(() => undefined);
    const now = new Date();
    await handle.utimes(now, now);
  }

  // If the folder cannot be read for a moment, the next beat tries again.
  const endShowing = every(beat, () => show().catch(() => undefined));
  return {
    isSeized,
    check,
    age: () => age(),
    async release() {
      await endShowing();
      // Truncating needs no disk space. If it fails all the same, exiting releases the lock.
      const over = handle.write(padded({ released: true }), 0).catch(() => handle.truncate());
      await over.catch(() => undefined);
      await handle.close().catch(() => undefined);
    },
  };
}

/** The error that says who took the folder; undefined while the lock is still ours. */
async function lossOf(dir: string, number: number, ours: Stats): Promise<LedgerTaken | undefined> {
  // The next holder has the next number; the one after that removes our file.
  const [next, current] = await Promise.all([fileAt(lockFile(dir, number + 1)), fileAt(lockFile(dir, number))]);
  if (next === undefined && current?.ino === ours.ino && current.dev === ours.dev) return undefined;
  const last = await highest(dir);
  if (last <= number) return new LedgerTaken(dir);
  const sign = await signOf(lockFile(dir, last));
  return new LedgerTaken(dir, inWords(sign === undefined ? undefined : holderIn(sign)));
}

const fileAt = (path: string) => stat(path).catch(unlessMissing);

/** More than there will ever be starts. */
const most = 1e12;

/** Throws NotAFile for a name that no start gives: the next lock would not be found, or not be the highest. */
async function numbers(dir: string): Promise<number[]> {
  const names = (await readdir(dir)).filter((name) => /^lock-\d+$/.test(name));
  return names.map((name) => {
    const number = Number(name.slice('lock-'.length));
    if (name !== `lock-${number}` || number >= most) throw new NotAFile(join(dir, name), 'not a lock that a bot wrote');
    return number;
  });
}

const highest = async (dir: string) => Math.max(0, ...(await numbers(dir)));

async function removeBelow(dir: string, limit: number) {
  for (const number of await numbers(dir)) {
    if (number < limit) await rm(lockFile(dir, number), { force: true });
  }
}

const inWords = ({ pid, host = hostname() }: Holder = {}): string => {
  if (pid === undefined) return 'another process';
  return host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
};

/** What changes with each sign of life: when it was written, and its text. Undefined: there is no such file. */
async function signOf(file: string): Promise<string | undefined> {
  if (!(await isFile(file))) return undefined;
  const [stats, text] = await Promise.all([fileAt(file), readFile(file, 'utf8').catch(unlessMissing)]);
  return stats === undefined || text === undefined ? undefined : `${stats.mtimeMs} ${text}`;
}

/** Undefined: it cannot be read. */
const holderIn = (sign: string): Holder | undefined =>
  recordSchema.safeParse(jsonIn(sign.slice(sign.indexOf(' ')))).data;
