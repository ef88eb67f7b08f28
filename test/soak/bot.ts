import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { childrenOf, type Running } from '../helpers/process.ts';
import { run } from '../helpers/stage.ts';
import { until } from './waiting.ts';

/** How a process ended: its exit code, or the signal that killed it. */
export type End = number | string;

/** A life of the bot: one process, from its start to its end. */
export interface Life extends Pick<Running, 'pid' | 'stdout' | 'stderr' | 'ended'> {
  /** Whether it said that it serves. */
  isReady(): boolean;
  /** Whether it said that it stands by. */
  standsBy(): boolean;
  isOver(): boolean;
  kill(signal: NodeJS.Signals): void;
}

const startMs = 60_000;

/** Starts the compiled bot. Its children end with it: the embedded Redis watches its parent. */
export function startLife(env: Record<string, string>, cwd: string): Life {
  const { child, ...life } = run(env, { cwd });
  const kill = (signal: NodeJS.Signals): void => void child.kill(signal);
  const onExit = (): void => kill('SIGKILL');
  process.once('exit', onExit);
  void life.ended.then(() => process.off('exit', onExit));
  return {
    ...life,
    isReady: () => life.stdout().includes('ready {'),
    standsBy: () => life.stderr().includes('"standing by'),
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    kill,
  };
}

/** Resolves when it serves, stands by, or has ended. */
export const settled = (life: Life): Promise<true | undefined> =>
  until(() => (life.isReady() || life.standsBy() || life.isOver() ? true : undefined), startMs);

/** `npm run audit -- verify`: its exit code, and what it says. */
export async function verifyLedger(env: Record<string, string>, cwd: string): Promise<{ code: End; said: string }> {
  const { ended, stdout, stderr } = run(env, { cwd, args: ['audit', 'verify'] });
  return { code: await ended, said: stdout() + stderr() };
}

/** The process of the embedded Redis of a bot; undefined where there is none, or no /proc. */
export const embeddedRedisOf = (pid: number): number | undefined =>
  existsSync('/proc') ? childrenOf(pid).find(isEmbeddedRedis) : undefined;

function isEmbeddedRedis(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('embedded-server.js');
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
