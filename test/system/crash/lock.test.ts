import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFileLedger } from '../../../src/ledger/file-store.ts';
import { appender, start } from '../../helpers/ledger/appender.ts';
import { folder, notes } from '../../helpers/ledger/samples.ts';

/** A process that holds the folder if it can, and what it says of that. */
async function holder(dir: string, within: readonly string[] = []) {
  const { child, said } = start([...within, ...appender, dir, 'hold']);
  return { child, said: (await said.next()).value };
}

async function kill(child: ChildProcess) {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** It would wait for the whole test for signs of life, where the kernel does not know. */
const openHere = (dir: string) => openFileLedger({ dir, log: notes(), lock: { patience: 1_000_000 } });

const linux = process.platform === 'linux';
const namespaces = linux && spawnSync('unshare', ['-rmpf', 'true']).status === 0;

describe.runIf(linux)('The folder of a ledger', () => {
  test('belongs to one process, also while that is frozen, and to the next at once when it is killed', async () => {
    const dir = folder();
    const first = await holder(dir);
    expect(first.said).toBe('open');
    expect((await holder(dir)).said).toBe('LedgerLocked');
    first.child.kill('SIGSTOP');
    await expect(openHere(dir)).rejects.toThrow(`process ${first.child.pid} is already using`);
    await kill(first.child);
    expect((await holder(dir)).said).toBe('open');
  });

  test('goes to exactly one of several processes that start at once, also after a killed owner', async () => {
    const dir = folder();
    for (let round = 0; round < 2; round += 1) {
      const several = await Promise.all(Array.from({ length: 4 }, () => holder(dir)));
      expect(several.map(({ said }) => said).sort()).toEqual(['LedgerLocked', 'LedgerLocked', 'LedgerLocked', 'open']);
      await Promise.all(several.map(({ child }) => child.exitCode === null && kill(child)));
    }
  });

  test('is free when its killed owner is still a zombie', async () => {
    const dir = folder();
    // The shell becomes a program that never waits for its children: the killed owner stays a zombie.
    const careless = '"$0" "$1" "$2" hold <&- & echo $!; exec cat <&0 >/dev/null';
    const { said } = start(['sh', '-c', careless, ...appender, dir]);
    const [pid, word] = [Number((await said.next()).value), (await said.next()).value];
    expect(word).toBe('open');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
    await (await openHere(dir)).close();
  });

  test('is free at once when a process that lives has the pid of its killed owner', async () => {
    const dir = folder();
    const first = await holder(dir);
    await kill(first.child);
    const file = join(dir, 'lock-1');
    writeFileSync(file, readFileSync(file, 'utf8').replace(`${first.child.pid}`, `${process.pid}`));
    await (await openHere(dir)).close();
  });

  const noProc = ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$0" "$@"'];
  test.runIf(namespaces).each([
    ['in another pid namespace', ['unshare', '-rpf', '--kill-child']],
    ['without /proc', noProc],
  ])('belongs to a process %s, and is free at once when that is killed', async (_where, within) => {
    const dir = folder();
    const first = await holder(dir, within);
    expect(first.said).toBe('open');
    await expect(openHere(dir)).rejects.toMatchObject({ name: 'LedgerLocked' });
    expect((await holder(dir, within)).said).toBe('LedgerLocked');
    await kill(first.child);
    // Whoever is killed with its parent ends a moment later.
    await expect.poll(async () => (await holder(dir, within)).said).toBe('open');
  });
});
