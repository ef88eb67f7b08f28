import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { until } from '../messages.ts';

/** A process of a deployment. */
export interface Started {
  /** Everything that it said so far. */
  said(): string;
  /** Resolves once it said these words; rejects when the process ends before. */
  says(words: string): Promise<void>;
  /** Sends SIGTERM; resolves with the exit code, or the signal that killed it. */
  stops(): Promise<number | string>;
  ended: Promise<number | string>;
}

/** Starts a command with this environment and nothing else; it is killed with the test. `uid`: who it runs as. */
export function start(
  [program = '', ...args]: readonly string[],
  { uid, ...where }: { env: Record<string, string>; cwd: string; uid?: number | undefined },
): Started {
  const child = spawn(program, args, { ...where, ...(uid === undefined ? {} : { uid, gid: uid }) });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  let how: number | string | undefined;
  const ended = once(child, 'close').then(([code, signal]) => {
    how = signal ?? code;
    return signal ?? code;
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return {
    said: () => text,
    async says(words) {
      const what = await until(() => text.includes(words) || (how !== undefined && 'ended'), words, 45_000);
      if (what === 'ended') throw new Error(`it ended with ${how}: ${text}`);
    },
    stops() {
      child.kill('SIGTERM');
      return ended;
    },
    ended,
  };
}
