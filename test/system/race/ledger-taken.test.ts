import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verify } from '../../../src/ledger/chain.ts';
import { appender, rest, start } from '../../helpers/ledger/appender.ts';
import { folder, openLedger, outcome } from '../../helpers/ledger/samples.ts';

/** As on a shared volume, where only signs of life tell. */
const pace = { beat: 20, patience: 400, kernelLock: () => Promise.resolve(undefined) };

/** The runs of its entries, in their order; fails where the chain is not whole. */
function runsIn(dir: string): string[] {
  const lines = readFileSync(join(dir, 'ledger.jsonl'), 'utf8').split('\n').slice(0, -1);
  expect(verify(lines)).toMatchObject({ ok: true });
  return lines.map((line) => JSON.parse(line).run);
}

const another = (dir: string) => openLedger({ dir, lock: pace });

describe('A process that was frozen for so long that another took its ledger', () => {
  test('says why and ends when it wakes, and nothing of it comes after that', async () => {
    // It appends without a pause: each time it is frozen somewhere else in that.
    for (let round = 0; round < 5; round += 1) {
      const dir = folder();
      const { child, said: lines } = start([...appender, dir, 'loop']);
      const ended = once(child, 'close');
      const said: string[] = [];
      while (said.length <= 20 + 7 * round) said.push(String((await lines.next()).value));
      child.kill('SIGSTOP');

      const next = await another(dir);
      const before = next.head().seq;
      await next.append([outcome('next.1')]);
      child.kill('SIGCONT');
      said.push(...(await rest(lines)));
      expect((await ended)[0]).toBe(1);
      await next.append([outcome('next.2')]);

      expect(said.at(-1)).toContain(`process ${process.pid} has taken the ledger in ${dir}`);
      const acknowledged = said.filter((line) => line.startsWith('worker'));
      const runs = runsIn(dir);
      expect(runs.slice(before)).toEqual(['next.1', 'next.2']);
      expect(acknowledged.filter((run) => !runs.includes(run))).toEqual([]);
    }
  });

  /** In this process: it shows itself no more, and does not look. */
  async function frozen(dir: string) {
    const ledger = await openLedger({ dir, lock: { ...pace, beat: 1_000_000 } });
    await ledger.append([outcome('first.1')]);
    return ledger;
  }

  test('trusts itself with no request until it has seen that the ledger is still its own', async () => {
    const first = await frozen(folder());
    expect(first.isHeld()).toBe(true);
    await expect.poll(() => first.isHeld()).toBe(false);
    await first.append([outcome('first.2')]);
    expect(first.isHeld()).toBe(true);
  });

  test('writes into no ledger when it wakes in the middle of a write', async () => {
    const dir = folder();
    await frozen(dir);
    const file = openSync(join(dir, 'ledger.jsonl'), 'a');
    onTestFinished(() => closeSync(file));
    const next = await another(dir);
    writeSync(file, 'half an ent');
    await next.append([outcome('next.1')]);
    expect(runsIn(dir)).toEqual(['first.1', 'next.1']);
  });

  test('hears of it without anything to append', async () => {
    const dir = folder();
    const taken: string[] = [];
    const onTaken = ({ message }: Error) => void taken.push(message);
    await openLedger({ dir, lock: pace, onTaken });
    const other = { pid: 4711, host: 'bot-7' };
    writeFileSync(join(dir, 'lock-2'), JSON.stringify(other));
    await expect.poll(() => taken).toHaveLength(1);
    expect(taken[0]).toContain('process 4711 on bot-7 has taken the ledger');
  });
});
