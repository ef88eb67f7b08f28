import { cpSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type LockOptions, lockFolder } from '../../src/ledger/lock.ts';
import { failure } from '../helpers/ledger/places.ts';
import { folder } from '../helpers/ledger/samples.ts';

/** As on a shared volume, where only signs of life tell. */
const elsewhere: LockOptions = { beat: 20, patience: 400, kernelLock: () => Promise.resolve(undefined) };
/** As on a disk of this machine. */
const here: LockOptions = { beat: 20, patience: 1_000_000 };
/** As if frozen. */
const silent = { beat: 1_000_000 };

async function lock(dir: string, options: LockOptions) {
  const held = await lockFolder(dir, options);
  onTestFinished(() => held.release());
  return held;
}

function folderWith(name: string, text: string): string {
  const dir = folder();
  writeFileSync(join(dir, name), text);
  return dir;
}

/** As version 0.1.0 writes it; the pid is that of a process that lives. */
const older = JSON.stringify({ pid: process.pid, start: '1', space: 'of another container' });

describe('Where the kernel knows who lives', () => {
  test('a holder that shows nothing holds its folder all the same', async () => {
    const dir = folder();
    await lock(dir, { ...here, ...silent });
    await expect(lockFolder(dir, here)).rejects.toThrow(
      `process ${process.pid} is already using the folder ${dir}: stop it first, or set another DATA_DIR for another bot`,
    );
  });

  test('a copy of the folder is free, whatever its lock says', async () => {
    const dir = folder();
    await lock(dir, here);
    const copy = join(dir, 'copy');
    mkdirSync(copy);
    cpSync(join(dir, 'lock-1'), join(copy, 'lock-1'));
    expect(await lock(copy, here)).toMatchObject({ isSeized: false });
  });

  test.each(['lock-999999999999999', 'lock-1000000000000', 'lock-007', 'lock-00'])(
    'a %s that no start wrote is refused by its name',
    async (name) => {
      const dir = folderWith(name, '');
      await expect(lockFolder(dir, here)).rejects.toThrow(
        `${dir}/${name} is not a lock that a bot wrote, where the bot keeps a file. Move it away, or set another DATA_DIR.`,
      );
    },
  );

  test('an older version that runs is waited for, and then keeps the folder', async () => {
    const dir = folderWith('lock-3', older);
    const waits: string[] = [];
    const file = join(dir, 'lock-3');
    const onWait = (words: string) => void waits.push(words);
    const touch = setInterval(() => utimesSync(file, new Date(), new Date()), 10);
    await expect(lockFolder(dir, { ...here, onWait }))
      .rejects.toThrow(`process ${process.pid} is already using`)
      .finally(() => clearInterval(touch));
    expect(waits).toEqual([
      `process ${process.pid} may still be using the folder ${dir}: waiting 1000 s for a sign of life. Without one, this process takes the folder.`,
    ]);
  });

  test('an older version that waits for signs of life gets them', async () => {
    const dir = folder();
    await lock(dir, here);
    const file = join(dir, 'lock-1');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, start: '', space: 'lock' });
    const { mtimeMs } = statSync(file);
    await expect.poll(() => statSync(file).mtimeMs).toBeGreaterThan(mtimeMs);
  });
});

describe('Where only signs of life tell', () => {
  test('a holder that shows itself holds its folder', async () => {
    const dir = folder();
    await lock(dir, elsewhere);
    expect(await failure(lockFolder(dir, elsewhere))).toBe('LedgerLocked');
  });

  test.each([
    ['of this version', JSON.stringify({ pid: process.pid, host: 'bot-7', kernel: false, beats: 3 })],
    ['of version 0.1.0', older],
  ])('a holder %s that shows nothing is replaced, whoever has its pid now', async (_what, text) => {
    expect(await lock(folderWith('lock-1', text), elsewhere)).toMatchObject({ isSeized: true });
  });

  test('a holder that was replaced learns it at its next check, and by whom', async () => {
    const dir = folder();
    const taken: string[] = [];
    const onTaken = ({ message }: Error) => void taken.push(message);
    const first = await lock(dir, { ...elsewhere, ...silent, onTaken });
    const next = await lock(dir, elsewhere);
    expect(await failure(first.check())).toBe('LedgerTaken');
    expect(await failure(first.check())).toBe('LedgerTaken');
    expect(taken).toEqual([expect.stringContaining(`process ${process.pid} has taken the ledger in ${dir}`)]);
    await next.check();
  });

  test('a holder that wakes at the last moment keeps its folder', async () => {
    const dir = folderWith('lock-1', older);
    const file = join(dir, 'lock-1');
    let wakes = true;
    // The last thing that is done before the other one looks again.
    const take = () => {
      if (wakes) utimesSync(file, new Date(0), new Date(0));
      wakes = false;
      return true;
    };
    const kernelLock = () => Promise.resolve({ take, isTaken: () => false });
    const waits: string[] = [];
    await lock(dir, { ...elsewhere, kernelLock, onWait: (words) => void waits.push(words) });
    expect(waits).toHaveLength(2);
  });

  test('a holder that lets go while one waits is not waited for any longer', async () => {
    const dir = folder();
    const first = await lock(dir, { ...elsewhere, ...silent });
    const onWait = () => void first.release();
    expect(await lock(dir, { ...elsewhere, beat: 20, patience: 1_000_000, onWait })).toMatchObject({ isSeized: false });
  });
});

describe.each([
  ['Where the kernel knows who lives', here],
  ['Where only signs of life tell', elsewhere],
])('%s,', (_where, options) => {
  const onWait = () => expect.unreachable();

  test('one of several that come at once gets the folder', async () => {
    const dir = folder();
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => lock(dir, options)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      ...Array.from({ length: 4 }, () => 'rejected'),
    ]);
  });

  test('one of several that come at once after a silent holder gets the folder', async () => {
    const dir = folderWith('lock-4', older);
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => lock(dir, { ...options, beat: 20, patience: 100 })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test.each([
    ['was released', `${JSON.stringify({ released: true })}\n`],
    ['was released by version 0.1.0, or left empty by a crash', ''],
    ['a failing disk left without its text', '\0'.repeat(512)],
  ])('a lock that %s keeps nobody waiting', async (_what, text) => {
    expect(await lock(folderWith('lock-7', text), { ...options, onWait })).toMatchObject({ isSeized: false });
  });

  test('a folder that was let go keeps nobody waiting', async () => {
    const dir = folder();
    await (await lockFolder(dir, options)).release();
    await lock(dir, { ...options, onWait });
  });

  test('somebody who removes the lock ends its holder', async () => {
    const dir = folder();
    const first = await lock(dir, options);
    rmSync(join(dir, 'lock-1'));
    await expect(first.check()).rejects.toThrow('another process may have it');
  });
});

test('What is no file, and has the name of a lock, is named', async () => {
  const dir = folder();
  const path = join(dir, 'lock-2');
  mkdirSync(path);
  await expect(lockFolder(dir)).rejects.toThrow(
    `${path} is a folder, where the bot keeps a file. Move it away, or set another DATA_DIR.`,
  );
});
