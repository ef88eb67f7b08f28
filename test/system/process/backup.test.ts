import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { backUp, restore } from '../../../src/audit/backup.ts';
import { readLedger } from '../../../src/audit/place.ts';
import { toLine } from '../../../src/ledger/chain.ts';
import { heartbeat } from '../../../src/redis/alive.ts';
import { connectRedis } from '../../../src/redis/connect.ts';
import { large } from '../../helpers/audit/large.ts';
import { copy as firstRelease } from '../../helpers/ledger/first-release.ts';
import { quietLog } from '../../helpers/messages.ts';
import { describeWithRedisServer, startRedisServer } from '../../helpers/redis-server.ts';

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

describeWithRedisServer('a backup of a ledger in Redis', () => {
  async function redisServer() {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    const handle = connectRedis(server.url, quietLog);
    onTestFinished(() => handle.close());
    await handle.ready();
    return { server, place: { dataDir: at('data'), redisUrl: server.url }, redis: handle.redis };
  }

  it('of 20,000 entries is restored in one step, and backed up again to the byte', async () => {
    const entries = large(20_000);
    writeFileSync(at('copy.jsonl'), entries.map((entry) => `${toLine(entry)}\n`).join(''));
    const { place } = await redisServer();
    expect(await restore(place, at('copy.jsonl'), told)).toBe(0);
    expect((await readLedger(place)).head).toEqual({ seq: 20_000, hash: entries.at(-1)?.hash });
    expect(await backUp(place, at('again.jsonl'), told)).toBe(0);
    expect(readFileSync(at('again.jsonl'), 'utf8')).toBe(readFileSync(at('copy.jsonl'), 'utf8'));
    expect(await restore(place, at('copy.jsonl'), told)).toBe(1);
    expect(said.at(-1)).toMatch(/^There is a ledger in this Redis, in the stream panelops:ledger\./);
  });

  it('is not restored beside a process that still uses that Redis', async () => {
    await backUp({ dataDir: firstRelease() }, at('copy.jsonl'), told);
    const { place, redis } = await redisServer();
    const beating = heartbeat(redis, 'a-process');
    await expect.poll(() => redis.exists('panelops:alive:a-process')).toBe(1);
    expect(await restore(place, at('copy.jsonl'), told)).toBe(1);
    expect(said.at(-1)).toMatch(/^A bot uses this Redis\. Stop every process first/);
    await beating.stop();
    expect(await restore(place, at('copy.jsonl'), told)).toBe(0);
  });
});
