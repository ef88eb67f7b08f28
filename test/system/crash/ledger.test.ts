import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verify } from '../../../src/ledger/chain.ts';
import { openFileLedger } from '../../../src/ledger/file-store.ts';
import { folder, notes } from '../../helpers/ledger/samples.ts';

const script = fileURLToPath(new URL('../../helpers/ledger/appender.mjs', import.meta.url));
const linesIn = (dir: string) => readFileSync(join(dir, 'ledger.jsonl'), 'utf8').split('\n').slice(0, -1);

/** Starts a process and gives what it says, line by line. */
function start(command: string, args: string[]) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, said: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

const appender = (...args: string[]) => start(process.execPath, [script, ...args]);

async function kill(child: ChildProcess) {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('A process that is killed while it appends', () => {
  test('leaves everything that it acknowledged, in a chain that verifies', async () => {
    const dir = folder();
    const { child, said } = appender(dir, 'loop');
    const gone = once(child, 'exit');
    const acknowledged: string[] = [];
    for (let step = await said.next(); !step.done; step = await said.next()) {
      if (step.value !== 'open') acknowledged.push(step.value);
      if (acknowledged.length === 150) child.kill('SIGKILL');
    }
    // What it said ends a moment before the process does, and until then the ledger is its own.
    await gone;
    expect(acknowledged.length).toBeGreaterThanOrEqual(150);
    const ledger = await openFileLedger({ dir, log: notes() });
    const recorded = ['worker1', 'worker2', 'worker3'].flatMap((stem) => ledger.runs(stem)).map(({ run }) => run);
    expect(acknowledged.filter((run) => !recorded.includes(run))).toEqual([]);
    await ledger.close();
    expect(verify(linesIn(dir)).ok).toBe(true);
  });
});

describe('A disk that is full', () => {
  test('refuses the append as a whole, and the next one that fits is recorded', async () => {
    const dir = folder();
    // A limit of 16 × 512 bytes for any file of the process: the second entry is cut off in the middle of its write.
    const limited = `ulimit -f 16; exec "$0" "$@"`;
    const sizes = ['5000', '5000', '10', '6000', '20', '6000'];
    const { said } = start('sh', ['-c', limited, process.execPath, script, dir, 'append', ...sizes]);
    const answers: string[] = [];
    for (let step = await said.next(); !step.done; step = await said.next()) answers.push(step.value);
    const refused = 'LedgerUnavailable EFBIG';
    expect(answers).toEqual(['open', 'recorded', refused, 'recorded', refused, 'recorded', refused]);
    const runs = linesIn(dir).map((line) => JSON.parse(line).run);
    expect(runs).toEqual(['sized.1', 'sized.3', 'sized.5']);
    expect(readFileSync(join(dir, 'ledger.jsonl'), 'utf8').endsWith('\n')).toBe(true);
    expect(verify(linesIn(dir))).toMatchObject({ ok: true, count: 3 });
  });
});

describe('The folder of a ledger', () => {
  const openHere = (dir: string, lock = { beat: 20, patience: 400 }) => openFileLedger({ dir, log: notes(), lock });

  test('belongs to one process, and to the next when that one is killed', async () => {
    const dir = folder();
    const owner = appender(dir, 'hold');
    expect((await owner.said.next()).value).toBe('open');
    expect((await appender(dir, 'hold').said.next()).value).toBe('LedgerLocked');
    await expect(openHere(dir)).rejects.toThrow(`process ${owner.child.pid}`);
    await kill(owner.child);
    expect((await appender(dir, 'hold').said.next()).value).toBe('open');
  });

  test('belongs to one ledger of a process', async () => {
    const dir = folder();
    const ledger = await openHere(dir);
    await expect(openHere(dir)).rejects.toMatchObject({ name: 'LedgerLocked' });
    await ledger.close();
    await (await openHere(dir)).close();
  });

  test('goes to exactly one of several processes that start at once, also after a killed owner', async () => {
    const dir = folder();
    for (let round = 0; round < 3; round += 1) {
      const several = Array.from({ length: 5 }, () => appender(dir, 'hold'));
      const answers = await Promise.all(several.map(async ({ said }) => (await said.next()).value));
      expect(answers.sort()).toEqual(['LedgerLocked', 'LedgerLocked', 'LedgerLocked', 'LedgerLocked', 'open']);
      await Promise.all(several.map(({ child }) => child.exitCode === null && kill(child)));
    }
  });

  test.skipIf(process.platform !== 'linux')('is free when its killed owner is still a zombie', async () => {
    const dir = folder();
    // The shell becomes a program that never waits for its children: the killed owner stays a zombie.
    const careless = '"$0" "$1" "$2" hold <&- & echo $!; exec cat <&0 >/dev/null';
    const { said } = start('sh', ['-c', careless, process.execPath, script, dir]);
    const [pid, word] = [Number((await said.next()).value), (await said.next()).value];
    expect(word).toBe('open');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
    await (await openHere(dir)).close();
  });

  test('is free when its owner is gone and another process has its id', async () => {
    const dir = folder();
    const holder = await holderOf(dir);
    writeFileSync(join(dir, 'lock-7'), JSON.stringify({ ...holder, start: '1' }));
    await (await openHere(dir)).close();
    writeFileSync(join(dir, 'lock-9'), JSON.stringify(holder));
    await expect(openHere(dir)).rejects.toMatchObject({ name: 'LedgerLocked' });
  });

  test('is free when a failing machine left the lock without its content', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'lock-1'), '');
    await (await openHere(dir)).close();
  });

  test('belongs to an owner in another container for as long as that one shows itself', async () => {
    const dir = folder();
    const lock = join(dir, 'lock-1');
    writeFileSync(lock, JSON.stringify({ pid: 1, start: '1', space: 'of another container' }));
    const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), 10);
    await expect(openHere(dir))
      .rejects.toThrow('process 1 of another container or host')
      .finally(() => {
        clearInterval(beat);
      });
    await (await openHere(dir)).close();
  });

  test('is free when its owner in another container lets it go while one looks', async () => {
    const dir = folder();
    const lock = join(dir, 'lock-1');
    writeFileSync(lock, JSON.stringify({ pid: 1, start: '1', space: 'of another container' }));
    const opening = openHere(dir, { beat: 50, patience: 10_000 });
    // The draft of the next lock shows that the opening has begun.
    await expect.poll(() => readdirSync(dir).some((name) => name.endsWith('.part'))).toBe(true);
    truncateSync(lock);
    await (await opening).close();
  });

  test('is shown by its owner to be in use', async () => {
    const dir = folder();
    const ledger = await openHere(dir);
    onTestFinished(() => ledger.close());
    const { mtimeMs } = statSync(join(dir, 'lock-1'));
    await expect.poll(() => statSync(join(dir, 'lock-1')).mtimeMs).toBeGreaterThan(mtimeMs);
  });

  async function holderOf(dir: string): Promise<object> {
    const ledger = await openHere(dir);
    const holder = JSON.parse(readFileSync(join(dir, 'lock-1'), 'utf8'));
    await ledger.close();
    return holder;
  }
});
