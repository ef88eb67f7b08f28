import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

/** A `describe` that is left out where there is no systemd-analyze. */
export function describeWithSystemd(title: string, body: () => void): void {
  const isHere = spawnSync('systemd-analyze', ['--version']).status === 0;
  describe.skipIf(!isHere)(`${title} (needs systemd-analyze)`, body);
}
