import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, link, open, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { LedgerLocked, LedgerTaken } from './ledger.ts';

/** How often the holder of a lock shows itself, and how long others wait for that sign, in ms. */
export interface LockPace {
  beat: number;
  patience: number;
}

export const usualPace: LockPace = { beat: 1_000, patience: 5_000 };

const holderSchema = z.object({ pid: z.number(), start: z.string(), space: z.string() });
/** A process: pid, start time, and the scope in which the pid is unique (this boot, this pid namespace). */
type Holder = z.infer<typeof holderSchema>;

/** A lock on a folder, held until it is released or another process takes it. */
export interface Lock {
  /** Whether the previous holder may still be alive: a process on another container or host that timed out. */
  isSeized: boolean;
  /**
   * Resolves while this process holds the folder. Rejects with LedgerTaken once it does not, or with the file
   * system's error.
   */
  check(): Promise<void>;
  /** How long ago the last successful check was, in ms. */
  age(): number;
  release(): Promise<void>;
}

const lockFile = (dir: string, number: number) => join(dir, `lock-${number}`);

/**
 * Locks a folder for this process. Throws LedgerLocked while another live process holds it. Calls `onTaken` once, as
 * soon as this process sees that it lost the folder: a holder that shows no sign of life is replaced, and learns of
 * it when it wakes.
 *
 * Locks are numbered files; the highest number counts. A new holder takes the next number with link(), which only one
 * process can do. The highest is never deleted, only superseded, or emptied on release: a process that acts on an old
 * listing then finds a higher number than its own and withdraws. A killed holder needs no manual cleanup: its pid is
 * gone, or belongs to a process that started later.
 */
export async function lockFolder(
  dir: string,
  pace: LockPace = usualPace,
  onTaken: (error: LedgerTaken) => void = () => undefined,
): Promise<Lock> {
  const me: Holder = { pid: process.pid, start: (await startOf(process.pid)) ?? '', space: await spaceHere() };
  const draft = join(dir, `lock-${randomUUID()}.part`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(me));
    for (;;) {
      const last = await highest(dir);
      const before = await readHolder(lockFile(dir, last));
      const holder = before && (await live(before, lockFile(dir, last), me.space, pace));
      if (holder) throw new LedgerLocked(dir, holder);
      const mine = last + 1;
      if (!(await linked(draft, lockFile(dir, mine)))) continue;
      if ((await highest(dir)) === mine) {
        await removeBelow(dir, last);
        return keep({
          dir,
          number: mine,
          handle,
          beat: pace.beat,
          onTaken,
          isSeized: before !== undefined && before.space !== me.space,
        });
      }
      await rm(lockFile(dir, mine));
    }
  } catch (error) {
    await handle.close();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

interface Kept {
  dir: string;
  number: number;
  /** Open while the lock is held, so that no other file can get its inode. */
  handle: FileHandle;
  beat: number;
  onTaken: (error: LedgerTaken) => void;
  isSeized: boolean;
}

/** Shows that the holder lives to those who cannot see its pid: other containers and hosts that share the folder. */
function keep({ dir, number, handle, beat, onTaken, isSeized }: Kept): Lock {
  let seen = performance.now();
  let taken: LedgerTaken | undefined;
  let ours: Stats | undefined;

  async function check() {
    const at = performance.now();
    // An open file stays the same one.
    ours ??= await handle.stat();
    const loss = taken ?? (await lossOf(dir, number, ours));
    if (loss === undefined) {
      seen = at;
      return;
    }
    if (taken === undefined) {
      taken = loss;
      onTaken(loss);
    }
    throw taken;
  }

  async function show() {
    const now = new Date();
    await check();
    await handle.utimes(now, now);
  }

  // If the folder cannot be read for a moment, the next beat tries again.
  const timer = setInterval(() => void show().catch(() => undefined), beat).unref();
  return {
    isSeized,
    check,
    age: () => performance.now() - seen,
    async release() {
      clearInterval(timer);
      // Truncating needs no disk space. If it fails all the same, exiting releases the lock.
      await handle.truncate().catch(() => undefined);
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
  const holder = await readHolder(lockFile(dir, last));
  return new LedgerTaken(dir, holder === undefined ? 'another process' : inWords(holder, await spaceHere()));
}

const fileAt = (path: string) =>
  stat(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return undefined;
  });

async function numbers(dir: string): Promise<number[]> {
  const names = await readdir(dir);
  return names.filter((name) => /^lock-\d{1,15}$/.test(name)).map((name) => Number(name.slice('lock-'.length)));
}

const highest = async (dir: string) => Math.max(0, ...(await numbers(dir)));

async function removeBelow(dir: string, limit: number) {
  for (const number of await numbers(dir)) {
    if (number < limit) await rm(join(dir, `lock-${number}`), { force: true });
  }
}

async function linked(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

const inWords = ({ pid, space }: Holder, here: string): string =>
  space === here ? `process ${pid}` : `process ${pid} of another container or host`;

/** Describes the holder of a lock file if that process is alive. */
async function live(holder: Holder, file: string, here: string, pace: LockPace): Promise<string | undefined> {
  if (holder.space !== here) {
    // Read again: the change may have been the release.
    const lives = (await beats(file, pace)) && (await readHolder(file)) !== undefined;
    return lives ? inWords(holder, here) : undefined;
  }
  const start = await startOf(holder.pid);
  const same = start !== undefined && (start === '' || holder.start === '' || start === holder.start);
  return same ? inWords(holder, here) : undefined;
}

/** Undefined for a missing file, a released lock, or one that a crash left empty. */
async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function beats(file: string, { beat, patience }: LockPace): Promise<boolean> {
  const touched = async () => (await stat(file).catch(() => undefined))?.mtimeMs;
  const first = await touched();
  for (let waited = 0; waited < patience; waited += beat) {
    await delay(beat);
    const last = await touched();
    if (last !== first) return last !== undefined;
  }
  return false;
}

/**
 * The start time of a live process as the system gives it; '' if it cannot be read, undefined if there is no such
 * process.
 */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The process name may contain anything, so split after it: state is field 3 and start time field 22 of proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // A zombie: killed, and not reaped by its parent yet.
    const dead = fields[0] === 'Z' || fields[0] === 'X';
    return dead ? undefined : fields[19];
  } catch {
    return canBeSignalled(pid) ? '' : undefined;
  }
}

function canBeSignalled(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

async function spaceHere(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
