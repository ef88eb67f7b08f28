import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Lines } from '../../src/ledger/chain.ts';
import { readFiles } from '../../src/ledger/reading.ts';
import { closedNames, readSegments, verifySegments } from '../../src/ledger/segments.ts';
import { startsFrom } from '../helpers/ledger/months.ts';
import { asked, folder, intent, outcome } from '../helpers/ledger/samples.ts';

async function writer() {
  const { dir, clock, start } = startsFrom(monthAt(0));
  let month = 0;
  const nextMonth = (): void => {
    month += 1;
    clock.time = monthAt(month);
  };
  return { dir, ledger: await start(), nextMonth };
}
const monthAt = (month: number): string => new Date(Date.UTC(2026, month, 1)).toISOString();

const seqsIn = (lines: Lines): number[] => [...lines].map((line) => JSON.parse(line.toString()).seq);

/** Everything in a folder that a reader could have changed. The lock is touched by its holder. */
const stateOf = (dir: string) =>
  readdirSync(dir).map((name) => {
    const { ino, mode, size, mtimeMs } = statSync(join(dir, name));
    return [name, ino, mode, size, name.startsWith('lock') ? 0 : mtimeMs, readFileSync(join(dir, name), 'utf8')];
  });

test('A ledger is read beside the bot that has it, oldest file first, and nothing is written', async () => {
  const { dir, ledger, nextMonth } = await writer();
  await ledger.append([asked('b.1'), intent('a.1')]);
  nextMonth();
  await ledger.append([outcome('a.1')]);
  chmodSync(join(dir, 'ledger.jsonl'), 0o640);
  appendFileSync(join(dir, 'ledger.jsonl'), '{"actor":{"id":"11');
  const before = stateOf(dir);
  const segments = await readSegments(dir);
  expect(segments.map(({ file, lines }) => [file, seqsIn(lines)])).toEqual([
    [join(dir, 'ledger-2026-01.jsonl'), [1, 2]],
    [join(dir, 'ledger.jsonl'), [3]],
  ]);
  expect(verifySegments(segments)).toEqual({ ok: true, head: ledger.head() });
  expect(stateOf(dir)).toEqual(before);
});

test('A line that stays without its end is named, with the entry after which it stands', async () => {
  const { dir, ledger } = await writer();
  await ledger.append([asked('b.1'), intent('a.1'), outcome('a.1')]);
  expect(await readFiles(dir)).toMatchObject({ head: { seq: 3 } });
  expect((await readFiles(dir)).problem).toBeUndefined();
  const file = join(dir, 'ledger.jsonl');
  truncateSync(file, statSync(file).size - 1);
  expect(await readFiles(dir)).toMatchObject({
    head: { seq: 2 },
    problem: {
      seq: 3,
      words: 'ledger.jsonl: entry 2 is followed by an unfinished line; the bot sets it aside when it starts',
    },
  });
});

test('A line that gets its end a moment later is no finding', async () => {
  const { dir, ledger } = await writer();
  await ledger.append([asked('b.1'), intent('a.1')]);
  const file = join(dir, 'ledger.jsonl');
  truncateSync(file, statSync(file).size - 1);
  const reading = readFiles(dir);
  await readSegments(dir);
  appendFileSync(file, '\n');
  const { head, problem } = await reading;
  expect({ seq: head.seq, problem }).toEqual({ seq: 2, problem: undefined });
});

test('A folder without a ledger has nothing to read, one that is not there cannot be read', async () => {
  const dir = folder();
  expect(await readSegments(dir)).toEqual([]);
  rmSync(dir, { recursive: true });
  await expect(readSegments(dir)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('A reader sees a chain that verifies at every moment, with all that was acknowledged before it looked', async () => {
  const { dir, ledger, nextMonth } = await writer();
  let writing = true;
  const written = (async () => {
    for (let entry = 1; entry <= 40; entry += 1) {
      if (entry % 4 === 0) nextMonth();
      await ledger.append([asked(`a.${entry}`)]);
    }
    writing = false;
  })();
  let reads = 0;
  for (; writing; reads += 1) {
    const acknowledged = ledger.head().seq;
    const segments = await readSegments(dir);
    const result = verifySegments(segments);
    expect(result).toMatchObject({ ok: true });
    const seen = segments.reduce((sum, { lines }) => sum + seqsIn(lines).length, 0);
    expect(seen).toBeGreaterThanOrEqual(acknowledged);
  }
  await written;
  expect(reads).toBeGreaterThan(5);
  expect(await readSegments(dir)).toHaveLength(11);
});

test('A reader looks again when a file was closed between its look into the folder and its look into the file', async () => {
  const { dir, ledger, nextMonth } = await writer();
  const at = (name: string) => join(dir, name);
  await ledger.append([asked('b.1'), intent('a.1')]);
  nextMonth();
  await ledger.append([outcome('a.1')]);
  // As it was before: one file.
  renameSync(at('ledger-2026-01.jsonl'), at('old'));
  renameSync(at('ledger.jsonl'), at('new'));
  writeFileSync(at('ledger.jsonl'), '');
  const segments = await readSegments(dir, async (folder) => {
    const names = await closedNames(folder);
    if (existsSync(at('old'))) {
      renameSync(at('old'), at('ledger-2026-01.jsonl'));
      renameSync(at('new'), at('ledger.jsonl'));
    }
    return names;
  });
  expect(verifySegments(segments)).toEqual({ ok: true, head: ledger.head() });
});
