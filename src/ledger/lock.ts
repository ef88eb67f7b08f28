import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, readlink, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { LedgerLocked } from './ledger.ts';

/** How often the holder of a lock shows itself, and for how long one looks for that sign, in ms. */
export interface LockPace {
  beat: number;
  patience: number;
}

const usual: LockPace = { beat: 1_000, patience: 5_000 };

const holderSchema = z.object({ pid: z.number(), start: z.string(), space: z.string() });
/** A process: its id, when it started, and the space in which that id means something: this boot, this pid namespace. */
type Holder = z.infer<typeof holderSchema>;

/**
 * Locks a folder for this process; returns how to let it go. Throws LedgerLocked while another live process has it.
 *
 * Locks are numbered files, and the highest number counts. One more than a dead holder's number is taken by link(), which
 * only one process can do. The highest is never deleted, only superseded, or emptied on release: a process that acts on an
 * old look into the folder finds a higher number than its own afterwards and withdraws. A killed holder leaves nothing
 * that must be cleaned up by hand: its pid is gone, or belongs to a process that started later.
 */
export async function lockFolder(dir: string, pace: LockPace = usual): Promise<() => Promise<void>> {
  const fileOf = (number: number) => join(dir, `lock-${number}`);
  const me: Holder = { pid: process.pid, start: (await startOf(process.pid)) ?? '', space: await spaceHere() };
  const draft = join(dir, `lock-${randomUUID()}.part`);
  await writeFile(draft, JSON.stringify(me), { mode: 0o600, flag: 'wx' });
  try {
    for (;;) {
      const last = await highest(dir);
      const holder = await liveHolder(fileOf(last), me.space, pace);
      if (holder) throw new LedgerLocked(dir, holder);
      const mine = last + 1;
      if (!(await linked(draft, fileOf(mine)))) continue;
      if ((await highest(dir)) === mine) {
        await removeBelow(dir, last);
        return keep(fileOf(mine), pace.beat);
      }
      await rm(fileOf(mine));
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Shows that the holder lives, for those who cannot see its pid: other containers and hosts that share the folder. */
function keep(file: string, beat: number): () => Promise<void> {
  const timer = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, beat).unref();
  return async () => {
    clearInterval(timer);
    // Emptying needs no room on the disk. Should it fail all the same, the end of this process does it.
    await truncate(file).catch(() => undefined);
  };
}

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

/** Who holds a lock file, in words, when that process lives. */
async function liveHolder(file: string, space: string, pace: LockPace): Promise<string | undefined> {
  const holder = await readHolder(file);
  if (!holder) return undefined;
  if (holder.space !== space) {
    // Read again: the change that was seen may have been the release.
    const lives = (await beats(file, pace)) && (await readHolder(file)) !== undefined;
    return lives ? `process ${holder.pid} of another container or host` : undefined;
  }
  const start = await startOf(holder.pid);
  const same = start !== undefined && (start === '' || holder.start === '' || start === holder.start);
  return same ? `process ${holder.pid}` : undefined;
}

/** Undefined for no file, a released lock, and one that a failing machine left without its content. */
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

/** When a live process started, in the system's own terms; '' where that cannot be read, undefined when there is none. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may hold anything: the state is field 3 and the start is field 22 of proc(5).
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // Killed, and its parent has not looked yet.
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
