import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './waiting.ts';

/** How a process ended: its exit code, or the signal that killed it. */
export type End = number | NodeJS.Signals;

/** A life of the bot: one process, from its start to its end. */
export interface Life {
  pid: number;
  /** Whether it said that it serves. */
  isReady(): boolean;
  /** Whether it said that it stands by. */
  standsBy(): boolean;
  isOver(): boolean;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<End>;
  stdout(): string;
  stderr(): string;
}

/** Goes up: compiled, this file is one folder deeper. */
const rootFrom = (dir: string): string => (existsSync(join(dir, 'package.json')) ? dir : rootFrom(dirname(dir)));

/** The folder of the project. */
export const root = rootFrom(dirname(fileURLToPath(import.meta.url)));

const program = (name: string): string => join(root, 'dist/src', name);

const startMs = 60_000;

/** Starts the compiled bot. Its children end with it: the embedded Redis watches its parent. */
export function startLife(env: Record<string, string>, cwd: string): Life {
  const child = spawn(process.execPath, [program('main.js'), '--quiet'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const onExit = (): void => void child.kill('SIGKILL');
  process.once('exit', onExit);
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  const ended = endOf(child).finally(() => process.off('exit', onExit));
  return {
    // A process that could not be started ends with "error", and everything that waits for it fails.
    pid: child.pid ?? 0,
    isReady: () => said.stdout.includes('ready {'),
    standsBy: () => said.stderr.includes('"standing by'),
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    kill: (signal) => void child.kill(signal),
    ended,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
  };
}

/** "close" comes when everything that was written has been read as well. */
async function endOf(child: ChildProcess): Promise<End> {
  const [code, signal]: [number | null, NodeJS.Signals | null] = await closeOf(child);
  return signal ?? code ?? 0;
}

// Node gives code and signal with "close"; its types say an array of anything.
const closeOf = async (child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> => {
  const [code, signal] = await once(child, 'close');
  return [code, signal];
};

/** Resolves when it serves, stands by, or has ended. */
export const settled = (life: Life): Promise<true | undefined> =>
  until(() => (life.isReady() || life.standsBy() || life.isOver() ? true : undefined), startMs);

/** `npm run audit -- verify`: its exit code, and what it says. */
export async function verifyLedger(env: Record<string, string>, cwd: string): Promise<{ code: End; said: string }> {
  const child = spawn(process.execPath, [program('main.js'), 'audit', 'verify'], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return { code: await endOf(child), said };
}

/** The embedded Redis of a bot, its only child, from proc(5); undefined where there is none, or no /proc. */
export function embeddedRedisOf(pid: number): number | undefined {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .find((each) => isChild(each, pid));
  } catch {
    return undefined;
  }
}

function isChild(pid: number, parent: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may hold anything: state and parent.
    const [state, of] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state !== 'Z' && Number(of) === parent;
  } catch {
    return false;
  }
}

/** Whether this machine can make a disk full for one process: util-linux has prlimit. */
export const canFillDisk = spawnSync('prlimit', ['--version']).status === 0;

/**
 * Of this process, no file can grow beyond so many bytes, which to it is a full disk (EFBIG). `unlimited` makes room again.
 * Only the soft limit moves, so that nobody has to be root.
 */
export const limitFiles = (pid: number, bytes: number | 'unlimited'): boolean =>
  spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`]).status === 0;
