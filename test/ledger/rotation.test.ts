import { readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verify } from '../../src/ledger/chain.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { readSegments, verifySegments } from '../../src/ledger/segments.ts';
import { startsFrom } from '../helpers/ledger/months.ts';
import { asked, denied, intent, notes, outcome } from '../helpers/ledger/samples.ts';

const bot = () => startsFrom('2026-10-31T23:59:59.999Z');

const filesIn = (dir: string) =>
  readdirSync(dir)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
const linesOf = (dir: string, file: string) => readFileSync(join(dir, file), 'utf8').split('\n').slice(0, -1);
const runsOf = (dir: string, file: string): string[] => linesOf(dir, file).map((line) => JSON.parse(line).run);
const runsIn = (dir: string) => Object.fromEntries(filesIn(dir).map((name) => [name, runsOf(dir, name)]));

/** Six entries: two in October, three in November, one in December. */
async function threeMonths() {
  const { dir, clock, start, stop } = bot();
  const ledger = await start();
  await ledger.append([denied('a.2')]);
  await ledger.append([intent('a.1')]);
  clock.time = '2026-11-01T00:00:00.000Z';
  await ledger.append([outcome('a.1')]);
  await ledger.append([asked('b.1'), asked('b.2')]);
  clock.time = '2026-12-24T12:00:00.000Z';
  await ledger.append([outcome('b.1')]);
  await stop();
  return { dir, clock, start };
}

describe('The file ledger over several months', () => {
  test('has a file for each, chain over the borders, and only its owner can read them', async () => {
    const { dir } = await threeMonths();
    expect(runsIn(dir)).toEqual({
      'ledger-2026-10.jsonl': ['a.2', 'a.1'],
      'ledger-2026-11.jsonl': ['a.1', 'b.1', 'b.2'],
      'ledger.jsonl': ['b.1'],
    });
    const all = ['ledger-2026-10.jsonl', 'ledger-2026-11.jsonl', 'ledger.jsonl'].flatMap((name) => linesOf(dir, name));
    expect(verify(all)).toMatchObject({ ok: true, count: 6 });
    expect(filesIn(dir).map((name) => statSync(join(dir, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
  });

  test('knows all of them when it is opened again, and goes on in the last', async () => {
    const { dir, start } = await threeMonths();
    const ledger = await start();
    expect(ledger.head().seq).toBe(6);
    const [run, other] = ledger.runs('a');
    expect([other?.outcome?.seq, run?.intent?.seq, run?.outcome?.seq]).toEqual([1, 2, 3]);
    expect(ledger.open().map(({ run: open }) => open)).toEqual(['b.2']);
    await ledger.append([outcome('b.2')]);
    expect(runsOf(dir, 'ledger.jsonl')).toEqual(['b.1', 'b.2']);
    await expect(ledger.append([outcome('a.1')])).rejects.toMatchObject({ name: 'Refused' });
  });

  test('closes the file of a month at the first entry of another, not when it is opened in that', async () => {
    const { dir, clock, start } = await threeMonths();
    clock.time = '2027-02-01T00:00:00.000Z';
    const ledger = await start();
    expect(filesIn(dir)).toEqual(['ledger-2026-10.jsonl', 'ledger-2026-11.jsonl', 'ledger.jsonl']);
    await expect(ledger.append([outcome('a.1')])).rejects.toMatchObject({ name: 'Refused' });
    expect(filesIn(dir)).toEqual(['ledger-2026-10.jsonl', 'ledger-2026-11.jsonl', 'ledger.jsonl']);
    await ledger.append([outcome('b.2')]);
    expect(runsOf(dir, 'ledger-2026-12.jsonl')).toEqual(['b.1']);
    expect(runsOf(dir, 'ledger.jsonl')).toEqual(['b.2']);
  });

  test('keeps an append over the border together, in the new file', async () => {
    const { dir, clock, start } = bot();
    const ledger = await start();
    await ledger.append([asked('a.1')]);
    const border = ['2026-10-31T23:59:59.999Z', '2026-11-01T00:00:00.000Z'];
    // Once for the file of October, and once more for that of November.
    clock.next = [...border, ...border];
    await ledger.append([asked('b.1'), asked('b.2')]);
    expect(runsIn(dir)).toEqual({ 'ledger-2026-10.jsonl': ['a.1'], 'ledger.jsonl': ['b.1', 'b.2'] });
    expect(linesOf(dir, 'ledger.jsonl').map((line) => JSON.parse(line).time)).toEqual([
      '2026-10-31T23:59:59.999Z',
      '2026-11-01T00:00:00.000Z',
    ]);
    expect((await start()).head().seq).toBe(3);
  });

  test('never takes the name of a file that is there, though the clock went back', async () => {
    const { dir, clock, start } = bot();
    const ledger = await start();
    const months = ['10', '11', '10', '11', '10', '11', '12'];
    for (const [at, month] of months.entries()) {
      clock.time = `2026-${month}-15T00:00:00.000Z`;
      await ledger.append([asked(`a.${at + 1}`)]);
    }
    expect(runsIn(dir)).toEqual({
      'ledger-2026-10.jsonl': ['a.1'],
      'ledger-2026-10-2.jsonl': ['a.2', 'a.3'],
      'ledger-2026-10-3.jsonl': ['a.4', 'a.5'],
      'ledger-2026-11.jsonl': ['a.6'],
      'ledger.jsonl': ['a.7'],
    });
    expect((await start()).head().seq).toBe(7);
  });

  test('loses nothing and stays in order, whatever the clock does and however often it is started', async () => {
    const steps = fc.array(
      fc.record({ month: fc.nat(5), entries: fc.integer({ min: 1, max: 3 }), start: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const { dir, clock, start, stop } = bot();
        let ledger = await start();
        const told: string[] = [];
        for (const [at, { month, entries, start: again }] of list.entries()) {
          clock.time = `2026-0${month + 1}-28T00:00:00.000Z`;
          if (again) ledger = await start();
          const runs = Array.from({ length: entries }, (_, n) => `s${at}.${n + 1}`);
          await ledger.append(runs.map(asked));
          told.push(...runs);
        }
        await stop();
        const segments = await readSegments(dir);
        expect(segments.flatMap(({ lines }) => [...lines].map((line) => JSON.parse(line.toString()).run))).toEqual(
          told,
        );
        expect(verifySegments(segments)).toMatchObject({ ok: true, head: { seq: told.length } });
      }),
      { numRuns: 30 },
    );
  });
});

describe('A file of an earlier month that is not as it was left', () => {
  const damage = async (dir: string): Promise<string> =>
    openFileLedger({ dir, log: notes() }).then(
      (ledger) => ledger.close().then(() => 'none'),
      (error: Error) => `${error.name} ${error.message.replace(`${dir}/`, '')}`,
    );

  test.each<[string, (at: (name: string) => string) => void, string]>([
    [
      'gone',
      (at) => rmSync(at('ledger-2026-11.jsonl')),
      'ledger.jsonl: entry 3 is missing: entry 6 is there, and ledger-2026-10.jsonl ends with entry 2.',
    ],
    [
      'gone, and the first',
      (at) => rmSync(at('ledger-2026-10.jsonl')),
      'ledger-2026-11.jsonl: entries 1 to 2 are missing: a whole file before this one, or its first lines.',
    ],
    [
      'called something else',
      (at) => renameSync(at('ledger-2026-10.jsonl'), at('ledger-2026-10.old')),
      'ledger-2026-11.jsonl: entries 1 to 2 are missing: a whole file before this one, or its first lines.',
    ],
    [
      'called after another month',
      (at) => renameSync(at('ledger-2026-10.jsonl'), at('ledger-2026-12.jsonl')),
      'ledger-2026-12.jsonl: entry 2, the last in it, is of 2026-10: the file had another name.',
    ],
    [
      'in the place of the one that is written',
      (at) => {
        renameSync(at('ledger.jsonl'), at('ledger-2026-12.jsonl'));
        renameSync(at('ledger-2026-11.jsonl'), at('ledger.jsonl'));
      },
      'ledger-2026-12.jsonl: entry 3 is missing: entry 6 is there, and ledger-2026-10.jsonl ends with entry 2.',
    ],
    [
      'there twice: as the one that is written, too',
      (at) => writeFileSync(at('ledger.jsonl'), readFileSync(at('ledger-2026-10.jsonl'))),
      'ledger.jsonl: entry 6 is missing: entry 1 is there, and ledger-2026-11.jsonl ends with entry 5.',
    ],
    [
      'there twice',
      (at) => writeFileSync(at('ledger-2026-10-2.jsonl'), readFileSync(at('ledger-2026-10.jsonl'))),
      'ledger-2026-10.jsonl: entry 3 is missing: entry 1 is there, and ledger-2026-10-2.jsonl ends with entry 2.',
    ],
    [
      'empty',
      (at) => truncateSync(at('ledger-2026-11.jsonl')),
      'ledger-2026-11.jsonl: entry 3 is missing: the file is empty.',
    ],
    [
      'without its last line feed',
      (at) => truncateSync(at('ledger-2026-11.jsonl'), statSync(at('ledger-2026-11.jsonl')).size - 1),
      'ledger-2026-11.jsonl: entry 5 was changed: its line has no end.',
    ],
    [
      'torn at its end',
      (at) => truncateSync(at('ledger-2026-10.jsonl'), statSync(at('ledger-2026-10.jsonl')).size - 20),
      'ledger-2026-10.jsonl: entry 2 was changed: its line has no end.',
    ],
    [
      'without its last entry',
      (at) => changeLines(at('ledger-2026-10.jsonl'), ([first]) => [first]),
      'ledger-2026-11.jsonl: entry 2 is missing: entry 3 is there, and ledger-2026-10.jsonl ends with entry 1.',
    ],
    [
      'without an entry in the middle',
      (at) => changeLines(at('ledger-2026-11.jsonl'), ([first, , last]) => [first, last]),
      'ledger-2026-11.jsonl: entry 4 is missing: entry 5 is there.',
    ],
    [
      'in another order',
      (at) => changeLines(at('ledger-2026-11.jsonl'), ([first, second, last]) => [first, last, second]),
      'ledger-2026-11.jsonl: entry 4 is reordered: it stands behind entry 5.',
    ],
  ])('is named, with the entry, when it is %s', async (_what, harm, problem) => {
    const { dir } = await threeMonths();
    harm((name) => join(dir, name));
    const before = runsBytes(dir);
    expect(await damage(dir)).toBe(
      `LedgerDamaged ${problem} Keep it as it is. docs/operations.md, "A ledger that breaks under the bot", says how to restore it.`,
    );
    expect(runsBytes(dir)).toEqual(before);
  });

  test('is named, with the entry, whichever single byte was changed', async () => {
    const { dir } = await threeMonths();
    const sound = runsBytes(dir);
    const places = fc.constantFrom<[string, number]>(
      ['ledger-2026-10.jsonl', 1],
      ['ledger-2026-11.jsonl', 3],
      ['ledger.jsonl', 6],
    );
    const change = fc.tuple(places, fc.nat(), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(change, async ([[name, first], pick, difference]) => {
        const bytes = Buffer.from(sound[name] ?? '', 'latin1');
        // The last line feed of the live file may be missing: then a crash came.
        const at = pick % (bytes.length - 1);
        const seq = first + bytes.subarray(0, at).filter((byte) => byte === 10).length;
        bytes[at] = ((bytes[at] ?? 0) + difference) % 256;
        writeFileSync(join(dir, name), bytes);
        const found = await damage(dir);
        writeFileSync(join(dir, name), sound[name] ?? '', 'latin1');
        expect(found).toMatch(new RegExp(`^LedgerDamaged ${name}: entry ${seq} was changed`));
      }),
    );
    expect(await damage(dir)).toBe('none');
  });

  const runsBytes = (dir: string) =>
    Object.fromEntries(filesIn(dir).map((name) => [name, readFileSync(join(dir, name), 'latin1')]));

  function changeLines(file: string, change: (lines: string[]) => (string | undefined)[]) {
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    writeFileSync(
      file,
      change(lines)
        .map((line) => `${line}\n`)
        .join(''),
    );
  }
});
