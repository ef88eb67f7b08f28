import { PassThrough } from 'node:stream';
import { stopOf } from '../../src/cli/fault.ts';
import { runProgram } from '../../src/cli/program.ts';

/** How a command ended, and what it wrote. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the command line in this process, as `src/main.ts` does: for commands that end by themselves. */
export async function runHere(
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
  /** Whether somebody is at a terminal. */
  isAttended = false,
): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof said) => ({
    write(text: string | Uint8Array) {
      said[stream] += Buffer.from(text).toString();
    },
  });
  const host = {
    env: { ...env },
    cwd: () => cwd,
    getuid: () => process.getuid?.() ?? 0,
    stdout: into('stdout'),
    stderr: into('stderr'),
    ...(isAttended ? { keyboard: () => ({ input: new PassThrough(), output: new PassThrough() }) } : {}),
  };
  const code = await runProgram(args, '1.2.3', host).catch((error: unknown) => {
    const stop = stopOf(error);
    said.stderr += `${stop.message}\n`;
    return stop.code;
  });
  return { code, ...said };
}
