import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { toLine } from '../../src/ledger/chain.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { readFiles } from '../../src/ledger/reading.ts';
import { openTimes } from '../../src/ledger/stored.ts';
import type { Entry } from '../../src/runs/entry.ts';
import { newestRuns } from '../../src/view/newest.ts';
import { walk } from '../../src/walk.ts';
import { folder, intent, notes, outcome } from '../helpers/ledger/samples.ts';
import { seal } from '../helpers/ledger/seal.ts';
import { large } from '../helpers/record/entries.ts';

/** Writes other bytes over those of a file, in place. */
function overwrite(file: string, from: string, to: string): void {
  const fd = openSync(file, 'r+');
  writeSync(fd, to, readFileSync(file).indexOf(from));
  closeSync(fd);
}

describe('Entries that stay in their files', () => {
  test('are what was appended, over all months', async () => {
    const dir = folder();
    let now = '2026-10-31T23:00:00.000Z';
    const ledger = await openFileLedger({ dir, now: () => new Date(now), log: notes() });
    onTestFinished(() => ledger.close());
    const october = await ledger.append([intent('a.1'), outcome('a.1')]);
    now = '2026-11-01T00:00:00.000Z';
    const november = await ledger.append([intent('b.1')]);
    const { entries } = await readFiles(dir);
    expect([...entries]).toEqual([...october, ...november]);
    expect(entries.slice(1, -1)).toEqual(october.slice(1));
    expect([entries.at(0)?.seq, entries.at(-1)?.seq, entries.at(3)]).toEqual([1, 3, undefined]);
  });

  test('are not read where a line is another than was verified', async () => {
    const dir = folder();
    const ledger = await openFileLedger({ dir, log: notes() });
    onTestFinished(() => ledger.close());
    await ledger.append([intent('a.1'), outcome('a.1')]);
    const { entries } = await readFiles(dir);
    overwrite(join(dir, 'ledger.jsonl'), 'a.1', 'x.1');
    expect(() => entries.at(0)).toThrow('entry 1 was changed since it was verified');
    expect(entries.at(1)?.seq).toBe(2);
  });

  test('are not read where somebody put another whole entry in the place of one', async () => {
    const dir = folder();
    const ledger = await openFileLedger({ dir, log: notes() });
    onTestFinished(() => ledger.close());
    const [first] = await ledger.append([intent('a.1')]);
    const { entries } = await readFiles(dir);
    const { seq = 0, time = '', prev = '' } = first ?? {};
    overwrite(join(dir, 'ledger.jsonl'), '{', toLine(seal(intent('b.1'), seq, time, prev)));
    expect(() => entries.at(0)).toThrow('entry 1 was changed since it was verified');
  });
});

describe('A ledger longer than what stays in memory', () => {
  let dir: string;
  let entries: Entry[];
  let ledger: Ledger;
  const open = (): Promise<Ledger> => openFileLedger({ dir, log: notes() });
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'panelops-ledger-'));
    // The first ones are no longer in memory.
    entries = large(13_000);
    writeFileSync(join(dir, 'ledger.jsonl'), entries.map((entry) => `${toLine(entry)}\n`).join(''));
    ledger = await open();
  });
  afterAll(async () => {
    await ledger.close();
    rmSync(dir, { recursive: true });
  });

  test('knows its oldest run as its newest', () => {
    expect(ledger.run('r2.1')).toMatchObject({ asked: { seq: 4 }, intent: { seq: 5 }, outcome: { seq: 6 } });
    expect(ledger.runs('r2').map(({ run }) => run)).toEqual(['r2.1']);
    expect(ledger.outcomes(101).at(1)).toEqual(entries[5]);
    expect(ledger.past.ofInvocation('r2')).toEqual(entries.slice(3, 6));
    expect(ledger.entries().slice(0, 3)).toEqual(entries.slice(0, 3));
    expect(ledger.run('nobody.1')).toBeUndefined();
  });

  test('still judges what is appended by it', async () => {
    await expect(ledger.append([outcome('r2.1')])).rejects.toMatchObject({ rule: 'second', by: entries[5] });
  });

  test('finds what was written in a span of time without a look at the rest', () => {
    const [first, last] = [entries[9_000]?.time ?? '', entries[9_100]?.time ?? ''];
    const [from, to] = ledger.entries().span?.(Date.parse(first), Date.parse(last)) ?? [0, 0];
    expect([from <= 9_000, to >= 9_100, to - from < 1_000]).toEqual([true, true, true]);
  });

  test('finds what lines say without a look at the others', async () => {
    const all = ledger.entries();
    const lines = entries.map(toLine);
    const having = async (text: string, from: number, to: number) => {
      const found: number[] = [];
      await walk(all.having?.([text, 'no such'], from, to) ?? [], (some) => found.push(...some));
      return found;
    };
    const indexes = (text: string) => lines.flatMap((line, at) => (line.includes(text) ? [at] : [])).reverse();
    expect(await having('"kind":"denied"', 0, all.length)).toEqual(indexes('"kind":"denied"'));
    expect(await having('rule 4"', 0, all.length)).toEqual(indexes('rule 4"'));
    expect(await having('"kind":"denied"', 12_000, 12_500)).toEqual(
      indexes('"kind":"denied"').filter((at) => at >= 12_000 && at < 12_500),
    );
  });

  test.each([
    { outcome: 'denied' },
    { person: '1400000000000000001', outcome: 'succeeded' },
    { command: 'firewall.flush' },
  ] as const)('lists the newest runs of %j', async (wanted) => {
    const viewer = { records: ledger, may: () => true, find: () => undefined };
    const found: number[] = [];
    for await (const run of newestRuns(viewer, wanted)) {
      if (run !== undefined) found.push(run.newest.seq);
      if (found.length === 8) break;
    }
    const { outcome = ['denied', 'succeeded'] } = wanted as { outcome?: string };
    const ends = entries.filter((entry) => 'outcome' in entry && outcome.includes(entry.outcome));
    expect(found).toEqual(
      ends
        .slice(-8)
        .map(({ seq }) => seq)
        .reverse(),
    );
  });

  test('takes nothing about a run whose entries were changed meanwhile', async () => {
    // Opened again: nothing was read yet.
    await ledger.close();
    ledger = await open();
    overwrite(join(dir, 'ledger.jsonl'), 'rule 2', 'rule 9');
    await expect(ledger.append([outcome('r2.1')])).rejects.toThrow('the ledger');
    expect(() => ledger.run('r2.1')).toThrow('entry 4 was changed since it was verified');
  });

  test('is not searched past a line that was changed meanwhile: it may have had what is looked for', async () => {
    const viewer = { records: ledger, may: () => true, find: () => undefined };
    const search = walk(newestRuns(viewer, { outcome: 'unknown' }), () => true);
    await expect(search).rejects.toThrow('entry 4 was changed since it was verified');
  });
});

describe('The times of a ledger', () => {
  const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T00:00:00.000Z`;

  test('are found although the clock went back', () => {
    const times = openTimes();
    for (let at = 0; at < 1_024; at += 1) times.add(at, Date.parse(day(at === 700 ? 2 : 20)));
    expect(times.span(Date.parse(day(1)), Date.parse(day(3)), 1_024)).toEqual([0, 768]);
  });

  test('are looked for everywhere where one cannot be read', () => {
    const times = openTimes();
    for (let at = 0; at < 512; at += 1) times.add(at, Date.parse(at === 300 ? 'soon' : day(20)));
    expect(times.span(Date.parse(day(25)), Date.parse(day(26)), 512)).toEqual([256, 512]);
  });
});
