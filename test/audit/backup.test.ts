import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { backUp, restore } from '../../src/audit/backup.ts';
import { NoLedger, readLedger } from '../../src/audit/place.ts';
import { toLine } from '../../src/ledger/chain.ts';
import { readCopy, restoreStream } from '../../src/ledger/copy.ts';
import { openFileLedger } from '../../src/ledger/file-store.ts';
import { LedgerLocked } from '../../src/ledger/ledger.ts';
import { connectRedis } from '../../src/redis/connect.ts';
import { bobs, firstRelease, openAt, verified } from '../helpers/ledger/old-ledgers.ts';
import { quietLog } from '../helpers/messages.ts';
import { large } from '../helpers/record/entries.ts';
import { describeWithRedisServer, startRedisServer } from '../helpers/redis-server.ts';

/** The head of the first release's ledger. */
const head = '0d337504587733cec268df8f1d9a7937549c65a45a33a82e349185f465daf4aa';

let dir: string;
let said: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'panelops-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  said = [];
});
const told = {
  out: (text: string) => void said.push(text),
  say: (text: string) => void said.push(text),
  now: () => new Date('2026-11-23T03:04:05.678Z'),
};
const at = (...names: string[]): string => join(dir, ...names);

describe('panelops audit backup', () => {
  it('writes all months into one file, for its owner alone, whose chain is whole', async () => {
    expect(await backUp({ dataDir: firstRelease.copy() }, at('copy.jsonl'), told)).toBe(0);
    expect(said).toEqual([`${at('copy.jsonl')}: 162 entries, head ${head}\n`]);
    expect(statSync(at('copy.jsonl')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['copy.jsonl']);
  });

  it('names the file after the time, in a folder', async () => {
    expect(await backUp({ dataDir: firstRelease.copy() }, dir, told)).toBe(0);
    expect(readdirSync(dir)).toEqual(['panelops-ledger-20261123T030405Z.jsonl']);
  });

  it('never writes over a file', async () => {
    writeFileSync(at('copy.jsonl'), 'mine');
    expect(await backUp({ dataDir: firstRelease.copy() }, at('copy.jsonl'), told)).toBe(1);
    expect(said).toEqual([`${at('copy.jsonl')} already exists: name another file.\n`]);
    expect([readFileSync(at('copy.jsonl'), 'utf8'), readdirSync(dir)]).toEqual(['mine', ['copy.jsonl']]);
  });

  it('says where it cannot write', async () => {
    expect(await backUp({ dataDir: firstRelease.copy() }, at('no', 'copy.jsonl'), told)).toBe(1);
    expect(said).toEqual([`${at('no', 'copy.jsonl')} cannot be written (ENOENT).\n`]);
  });

  it('writes nothing into the folder of the ledger, where it would be taken for one', async () => {
    const dataDir = firstRelease.copy();
    const before = readdirSync(dataDir);
    expect(await backUp({ dataDir }, dataDir, told)).toBe(1);
    expect(said).toEqual([
      `${join(dataDir, 'panelops-ledger-20261123T030405Z.jsonl')} is in DATA_DIR, the folder of the ledger itself: name a file elsewhere, best on another disk. Nothing was written.\n`,
    ]);
    expect(readdirSync(dataDir)).toEqual(before);
  });

  it('copies no ledger that is not whole, and says which entry', async () => {
    const broken = firstRelease.copy();
    const file = join(broken, 'ledger-2026-10.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"alice"', '"alicf"'));
    expect(await backUp({ dataDir: broken }, at('copy.jsonl'), told)).toBe(1);
    expect(said.join()).toMatch(/^ledger-2026-10\.jsonl: entry \d+ was changed\. Nothing was written/);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('says where there is no ledger', async () => {
    await expect(backUp({ dataDir: dir }, at('copy.jsonl'), told)).rejects.toThrow(NoLedger);
  });
});

describe('panelops audit restore', () => {
  beforeEach(async () => {
    await backUp({ dataDir: firstRelease.copy() }, at('copy.jsonl'), told);
    said = [];
  });

  it('makes a ledger of the copy that the bot opens and goes on with', async () => {
    expect(await restore({ dataDir: at('data') }, at('copy.jsonl'), told)).toBe(0);
    expect(said.join()).toContain(`restored: 162 entries, head ${head}\n`);
    expect(statSync(at('data', 'ledger.jsonl')).mode & 0o777).toBe(0o600);
    expect(verified(at('data'))).toEqual({ ok: true, count: 162, head });
    const ledger = await openAt('2026-11-01T03:45:00.000Z', at('data'));
    expect(ledger.head()).toEqual({ seq: 162, hash: head });
    await ledger.append([bobs('bwec00000001.1', { kind: 'intent', opens: ['throttle'] })]);
    await ledger.close();
    expect(verified(at('data'))).toMatchObject({ ok: true, count: 163 });
  });

  it('replaces no ledger, not even an empty or an old one', async () => {
    for (const name of ['ledger.jsonl', 'ledger-2026-10.jsonl']) {
      mkdirSync(at(name, 'data'), { recursive: true });
      writeFileSync(at(name, 'data', name), '');
      expect(await restore({ dataDir: at(name, 'data') }, at('copy.jsonl'), told)).toBe(1);
      expect(readFileSync(at(name, 'data', name), 'utf8')).toBe('');
    }
    expect(said[0]).toMatch(/^There is a ledger in .*\. Move its files .* elsewhere first.* Nothing was restored\.\n$/);
  });

  it('leaves a folder alone that a bot has', async () => {
    const ledger = await openFileLedger({ dir: at('data'), log: quietLog });
    await expect(restore({ dataDir: at('data') }, at('copy.jsonl'), told)).rejects.toThrow(LedgerLocked);
    await ledger.close();
  });

  it.each([
    ['was changed', (text: string) => text.replace('"alice"', '"alicf"'), /entry \d+ was changed\. Use another copy/],
    ['was cut off in a line', (text: string) => text.slice(0, -9), /ends in the middle of a line: it was cut off/],
    ['lacks its beginning', (text: string) => text.slice(text.indexOf('\n') + 1), /entry 1 is missing/],
    ['is empty', () => '', /is empty/],
  ])('takes no copy that %s', async (_what, change, words) => {
    writeFileSync(at('other.jsonl'), change(readFileSync(at('copy.jsonl'), 'utf8')));
    expect(await restore({ dataDir: at('data') }, at('other.jsonl'), told)).toBe(1);
    expect(said.join()).toMatch(words);
  });

  it('says that there is no such copy', async () => {
    expect(await restore({ dataDir: at('data') }, at('none.jsonl'), told)).toBe(1);
    expect(said.join()).toContain('(ENOENT). Nothing was restored.');
  });
});

describeWithRedisServer('a backup of a ledger in Redis', () => {
  async function redisServer() {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    const handle = connectRedis(server.url, quietLog);
    onTestFinished(() => handle.close());
    await handle.ready();
    return { server, place: { dataDir: at('data'), redisUrl: server.url }, redis: handle.redis };
  }

  it('of 10,000 entries is restored in one step, and backed up again to the byte', async () => {
    const entries = large(10_000);
    writeFileSync(at('copy.jsonl'), entries.map((entry) => `${toLine(entry)}\n`).join(''));
    const { place } = await redisServer();
    expect(await restore(place, at('copy.jsonl'), told)).toBe(0);
    expect((await readLedger(place)).head).toEqual({ seq: 10_000, hash: entries.at(-1)?.hash });
    expect(await backUp(place, at('again.jsonl'), told)).toBe(0);
    expect(readFileSync(at('again.jsonl'), 'utf8')).toBe(readFileSync(at('copy.jsonl'), 'utf8'));
    expect(await restore(place, at('copy.jsonl'), told)).toBe(1);
    expect(said.at(-1)).toMatch(/^There is a ledger in this Redis, in the stream panelops:ledger\./);
  });

  it('is not restored beside a process that leads, and waits for one that may be gone', async () => {
    await backUp({ dataDir: firstRelease.copy() }, at('copy.jsonl'), told);
    const { place, redis } = await redisServer();
    const copy = await readCopy(at('copy.jsonl'));
    const waits: string[] = [];
    const pace = { renew: 50, look: 10, patience: 200, safe: 100 };
    const restored = () => restoreStream(redis, copy, (words) => waits.push(words), { pace });
    await redis.set('panelops:lease', 'a 0.1.0 1');
    let renewals = 1;
    const renewing = setInterval(() => {
      renewals += 1;
      void redis.set('panelops:lease', `a 0.1.0 ${renewals}`);
    }, 50);
    await expect(restored()).rejects.toThrow('A bot uses this Redis. Stop every process first.');
    clearInterval(renewing);
    expect(waits).toEqual(['A bot that leads may still use this Redis: waiting 0.2 s for a sign of life.']);
    await restored();
    expect((await readLedger(place)).head.seq).toBe(162);
    expect(await redis.get('panelops:lease')).toMatch(/^released /);
  });
});
