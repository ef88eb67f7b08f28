import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toLine, verify } from '../../src/ledger/chain.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { folder, intent, notes, openLedger, outcome } from '../helpers/ledger/samples.ts';
import { seal } from '../helpers/ledger/seal.ts';

const ledgerIn = (dir: string, log = notes()) =>
  openLedger({ dir, now: () => new Date('2026-11-19T22:00:00.000Z'), log });

const fileIn = (dir: string) => join(dir, 'ledger.jsonl');
const linesIn = (dir: string) => readFileSync(fileIn(dir), 'utf8').split('\n').slice(0, -1);
const failure = (promise: Promise<unknown>) => promise.then(String, (error: Error) => error.name);

describe('The file ledger', () => {
  test('keeps folder and file to their owner', async () => {
    const dir = join(folder(), 'data');
    const ledger = await ledgerIn(dir);
    await ledger.append([intent('a.1')]);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(fileIn(dir)).mode & 0o777).toBe(0o600);
  });

  test('makes no file before there is something to record', async () => {
    const dir = folder();
    const ledger = await ledgerIn(dir);
    await ledger.close();
    expect(readdirSync(dir).filter((name) => name.startsWith('ledger'))).toEqual([]);
  });

  test('takes a file that others may read back to its owner', async () => {
    const dir = folder();
    writeFileSync(fileIn(dir), '');
    chmodSync(fileIn(dir), 0o644);
    await ledgerIn(dir);
    expect(statSync(fileIn(dir)).mode & 0o777).toBe(0o600);
  });
});

test('What is being written to the file ledger is known once it has settled', async () => {
  const ledger = await ledgerIn(folder());
  const appended = ledger.append([intent('a.1')]);
  await ledger.settle();
  expect(ledger.head().seq).toBe(1);
  await appended;
});

describe('A ledger that is not as it was left', () => {
  test('sets the unfinished entry of a crash aside, with a warning', async () => {
    const dir = folder();
    const before = await ledgerIn(dir);
    await before.append([intent('a.1')]);
    await before.close();
    appendFileSync(fileIn(dir), '{"actor":{"id":"11');

    const log = notes();
    const after = await ledgerIn(dir, log);
    expect(log.messages).toEqual(['an unfinished entry at the end of the ledger was set aside']);
    expect(readFileSync(join(dir, 'ledger.torn-2026-11-19T22-00-00.000Z'), 'utf8')).toBe('{"actor":{"id":"11');
    await after.append([outcome('a.1')]);
    expect(verify(linesIn(dir))).toMatchObject({ ok: true, count: 2 });
  });

  test('is not opened when a byte was changed into one that reads the same', async () => {
    const dir = folder();
    // U+FFFD stands for whatever is not UTF-8, so a reader that mends sees no difference.
    const bytes = Buffer.from(`${toLine(seal(outcome('a.1', '\uFFFD'), 1, '2026-11-19', '0'.repeat(64)))}\n`);
    bytes[bytes.indexOf(0xef)] = 0xf1;
    writeFileSync(fileIn(dir), bytes);
    await expect(openFileLedger({ dir, log: notes() })).rejects.toMatchObject({ name: 'LedgerDamaged', seq: 1 });
  });

  test.each([
    ['deleted', (dir: string) => rmSync(fileIn(dir))],
    ['moved away', (dir: string) => renameSync(fileIn(dir), join(dir, 'elsewhere'))],
    ['cut', (dir: string) => writeFileSync(fileIn(dir), '')],
    ['written to by somebody else', (dir: string) => appendFileSync(fileIn(dir), 'hello\n')],
    ['replaced by a copy', replaceByCopy],
    ['gone with its folder', (dir: string) => renameSync(dir, `${dir}.gone`)],
  ])('takes nothing more when the file is %s', async (_what, harm) => {
    const dir = join(folder(), 'data');
    const log = notes();
    const ledger = await ledgerIn(dir, log);
    await ledger.append([intent('a.1')]);
    const head = ledger.head();
    harm(dir);
    expect(await failure(ledger.append([outcome('a.1')]))).toBe('LedgerUnavailable');
    expect(ledger.head()).toEqual(head);
    expect(ledger.open().map(({ run }) => run)).toEqual(['a.1']);
    expect(log.messages).toEqual(['the ledger cannot be written']);
  });

  test('takes entries again when the file that was moved away is back', async () => {
    const dir = folder();
    const ledger = await ledgerIn(dir);
    await ledger.append([intent('a.1')]);
    renameSync(fileIn(dir), join(dir, 'elsewhere'));
    expect(await failure(ledger.append([outcome('a.1')]))).toBe('LedgerUnavailable');
    renameSync(join(dir, 'elsewhere'), fileIn(dir));
    await ledger.append([outcome('a.1')]);
    expect(verify(linesIn(dir))).toMatchObject({ ok: true, count: 2 });
  });

  describe('once another process has its folder', () => {
    const lock = { beat: 1_000_000, patience: 100, kernelLock: () => Promise.resolve(undefined) };
    const take = (dir: string) => writeFileSync(join(dir, 'lock-2'), JSON.stringify({ pid: 4711, host: 'bot-7' }));

    test('takes nothing more, also before it has noticed', async () => {
      const { dir, ...ledger } = await openLedger({ lock });
      await ledger.append([intent('a.1')]);
      const before = linesIn(dir);
      take(dir);
      await expect.poll(() => ledger.isHeld(), { interval: 10 }).toBe(false);
      expect(await failure(ledger.append([outcome('a.1')]))).toBe('LedgerUnavailable');
      expect(linesIn(dir)).toEqual(before);
    });

    test('knows nothing of what it was writing meanwhile', async () => {
      const dir = folder();
      let meanwhile = (): void => undefined;
      const now = () => {
        meanwhile();
        return new Date();
      };
      const ledger = await openLedger({ dir, lock, now });
      await ledger.append([intent('a.1')]);
      meanwhile = () => take(dir);
      expect(await failure(ledger.append([outcome('a.1')]))).toBe('LedgerUnavailable');
      expect(ledger.head().seq).toBe(1);
    });
  });

  test('does not gather lock files over many starts', async () => {
    const dir = folder();
    mkdirSync(dir, { recursive: true });
    for (let start = 0; start < 5; start += 1) await (await ledgerIn(dir)).close();
    expect(readdirSync(dir).sort()).toEqual(['lock-4', 'lock-5']);
  });
});

function replaceByCopy(dir: string) {
  copyFileSync(fileIn(dir), join(dir, 'copy'));
  renameSync(join(dir, 'copy'), fileIn(dir));
}
