import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** A `describe` that is left out where there is no promtool. */
export function describeWithPromtool(title: string, body: () => void): void {
  describe.skipIf(!hasPromtool)(`${title} (needs promtool)`, body);
}

/** Runs promtool; returns both outputs. */
export function promtool(args: readonly string[], input = ''): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}
