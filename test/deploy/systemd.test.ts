import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRoot, root } from '../helpers/house.ts';
import { folder } from '../helpers/ledger/samples.ts';
import { describeWith } from '../helpers/tools.ts';

const unit = 'deploy/systemd/panelops.service';
const text = readRoot(unit);

/** What a setting is set to, each time that it is. */
const settings = (name: string): string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);

describe('the unit of systemd', () => {
  it('starts the bot again, but not after what only people can mend', () => {
    expect(settings('Restart')).toEqual(['on-failure']);
    expect(settings('RestartPreventExitStatus')).toEqual(['77 78']);
    expect(settings('StartLimitIntervalSec')).toEqual(['0']);
    expect(settings('RestartSec').concat(settings('RestartSteps'), settings('RestartMaxDelaySec'))).toEqual([
      '5',
      '6',
      '5min',
    ]);
  });

  it('reloads it, and gives it more than the 40 seconds that it may take to end', () => {
    expect(settings('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID']);
    expect(settings('KillMode')).toEqual(['mixed']);
    expect(settings('TimeoutStopSec')).toEqual(['45']);
  });

  it('lets it write to the folder of its state alone', () => {
    expect(settings('ProtectSystem')).toEqual(['strict']);
    expect(settings('StateDirectory')).toEqual(['panelops']);
    expect(settings('StateDirectoryMode')).toEqual(['0700']);
    expect(settings('ReadWritePaths')).toEqual([]);
    expect(settings('Environment')).toEqual(['NODE_ENV=production DATA_DIR=/var/lib/panelops']);
  });

  it('lets node compile: its compiler needs memory that it can write to and run', () => {
    expect(settings('MemoryDenyWriteExecute')).toEqual([]);
  });
});

describeWith('systemd-analyze', 'the unit of systemd', () => {
  const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });

  it('is exposed by at most 2.0 of 10, as systemd counts it', () => {
    const { stdout } = analyze('security', '--offline=yes', '--no-pager', join(root, unit));
    const [, exposure] = /Overall exposure level for panelops\.service: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThanOrEqual(2);
  });

  it('has no setting that systemd does not know, but for two that are younger than some', () => {
    const dir = folder();
    copyFileSync(join(root, unit), join(dir, 'panelops.service'));
    const { stderr, status } = analyze('verify', '--man=no', '--recursive-errors=no', join(dir, 'panelops.service'));
    const young = /RestartSteps|RestartMaxDelaySec/;
    const said = stderr.split('\n').filter((line) => line.includes('panelops.service:') && !young.test(line));
    // That node is not at /usr/bin on this machine says nothing of the unit.
    expect(said.filter((line) => !line.includes('/usr/bin/node'))).toEqual([]);
    expect(status ?? 1).toBeLessThanOrEqual(1);
  });
});
