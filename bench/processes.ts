import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built program, and the bench's own beside this file. */
export const panelops = fileURLToPath(new URL('../../src/main.js', import.meta.url));
export const programOf = (name: string): string => fileURLToPath(new URL(`programs/${name}.js`, import.meta.url));
export const bareClient = programOf('bare');

/** Has each bot write down at its end where its time went. */
export const profiles: readonly string[] = process.argv.includes('--profile')
  ? ['--cpu-prof', `--cpu-prof-dir=${fileURLToPath(new URL('../../profiles', import.meta.url))}`]
  : [];

/** Lets go of everything that was started, newest first. */
export type Closing = (() => unknown)[];
export async function closeAll(closing: Closing): Promise<void> {
  for (const each of closing.splice(0).reverse()) await each();
}

/** A folder that goes with the rest. */
export function folder(closing: Closing): string {
  const dir = mkdtempSync(join(tmpdir(), 'panelops-bench-'));
  closing.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/** One of the bench's own programs, once it says that it is ready. */
export async function helper(name: string, closing: Closing): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(programOf(name), [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  closing.push(() => ended(child, 'SIGKILL'));
  const [{ ready }] = (await once(child, 'message')) as [{ ready: { url: string } }];
  return { child, url: ready.url };
}

/** A bot that serves. */
export interface Running {
  pid: number;
  /** From its start until it was ready. */
  ms: number;
  /** What it wrote to the log. */
  log(): string;
  end(): Promise<void>;
}

/** Starts a bot, and waits for its ready line. */
export async function startBot(
  file: string,
  env: Record<string, string>,
  cwd: string,
  closing: Closing,
): Promise<Running> {
  const from = performance.now();
  const args = file === panelops ? [...profiles, file, '--quiet'] : [file];
  const child = spawn(process.execPath, args, {
    ...{ cwd, env: { PATH: process.env['PATH'] ?? '', TZ: 'UTC', ...env } },
  });
  const end = (): Promise<void> => ended(child, 'SIGTERM');
  closing.push(end);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log = `${log}${chunk}`.slice(-20_000);
  });
  const ms = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (/^ready /m.test(String(chunk))) resolve(performance.now() - from);
    });
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${log}`)));
  });
  return { pid: child.pid ?? 0, ms, log: () => log, end };
}

const hundredths = 10;

/** Of a process and its children. */
export const family = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(family)];

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.[1] === String(pid))
    .map(Number);

/** The fields of /proc/PID/stat behind the name, which may hold anything. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Milliseconds of a processor that a process has used. */
export function cpuOf(pid: number): number {
  const fields = statOf(pid) ?? [];
  return hundredths * (Number(fields[11]) + Number(fields[12]));
}

/** MiB of processes together. What they have of files, they have in memory once: it is that of the largest. */
export function memoryTogether(pids: readonly number[]): number {
  const files = pids.map((pid) => memoryOf(pid, 'RssFile'));
  return pids.reduce((sum, pid, at) => sum + memoryOf(pid) - (files[at] ?? 0), Math.max(...files));
}

/** MiB of memory that are resident: now, or at most so far. */
export function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM' | 'RssFile' = 'VmRSS'): number {
  const [, kib] = new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}
