import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
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
