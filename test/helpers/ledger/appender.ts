import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** A process with a ledger of its own; behind it come the folder and its task. */
export const appender = [process.execPath, fileURLToPath(new URL('appender.mjs', import.meta.url))];

/** Starts a process, which is killed with the test; `said` is what it says, line by line. */
export function start([command = '', ...args]: readonly string[]) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, said: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

/** All that it says from now on. */
export async function rest(said: AsyncIterator<string>): Promise<string[]> {
  const words: string[] = [];
  for (let step = await said.next(); !step.done; step = await said.next()) words.push(step.value);
  return words;
}
