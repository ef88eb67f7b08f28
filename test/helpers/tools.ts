import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

/** Programs of others that judge files of ours, where the machine has them. */
type Tool = 'amtool' | 'prometheus-alertmanager' | 'promtool' | 'systemd-analyze';

/** A `describe` that is left out where there is no such program. */
export function describeWith(tool: Tool, title: string, body: () => void): void {
  describe.skipIf(spawnSync(tool, ['--version']).status !== 0)(`${title} (needs ${tool})`, body);
}

/** Runs it; returns both outputs. */
export function judged(tool: Tool, args: readonly string[], input = ''): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(tool, args, { input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}
