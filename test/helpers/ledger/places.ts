import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, onTestFinished } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { openRedisLedger, type RedisLedger, type RedisLedgerOptions } from '../../../src/ledger/redis-store.ts';
import { connectRedis } from '../../../src/redis/connect.ts';
import { forAll } from '../lives.ts';
import { describeWithRedisServer, type RedisServer, startRedisServer } from '../redis-server.ts';
import { folder, notes, openLedger } from './samples.ts';

const now = () => new Date('2026-11-19T22:00:00.000Z');

/** A place for one test's ledger, and its content. */
export interface Place {
  /** Closed with the test at the latest. */
  open(log?: ReturnType<typeof notes>): Promise<Ledger>;
  lines(): Promise<string[]>;
  /** Writes these lines as they are, replacing what was there. */
  write(lines: readonly string[]): Promise<void>;
}

function filePlace(): Place {
  const dir = folder();
  const file = join(dir, 'ledger.jsonl');
  return {
    open: (log = notes()) => openLedger({ dir, now, log }),
    lines: () => Promise.resolve(readFileSync(file, 'utf8').split('\n').slice(0, -1)),
    write: (lines) => Promise.resolve(writeFileSync(file, lines.map((line) => `${line}\n`).join(''))),
  };
}

/** One redis-server for a test file, or for a group. */
export const ownServer = (): RedisServer => forAll(() => startRedisServer());

/** A connection as the bot has them, closed with the test. */
export async function connection(url: string): Promise<Redis> {
  const handle = connectRedis(url, notes());
  onTestFinished(() => handle.close());
  await handle.ready();
  return handle.redis;
}

/** A ledger in Redis of a process that leads; after one that was killed, within a second. */
export async function openLeading(options: Omit<RedisLedgerOptions, 'holder'>): Promise<RedisLedger> {
  const holder = { id: randomUUID(), version: '0.1.0' };
  const pace = { renew: 100, look: 20, patience: 600, safe: 400 };
  const ledger = await openRedisLedger({ holder, pace, ...options });
  await ledger.lead(() => []);
  return ledger;
}

/** A stream of its own: one process after another leads there. */
export function redisPlace(url: string): Place & { prefix: string; redis: Redis } {
  const prefix = `${randomUUID()}:`;
  const redis = new Redis(url);
  redis.on('error', () => undefined);
  onTestFinished(() => redis.disconnect());
  return {
    prefix,
    redis,
    async open(log = notes()) {
      const ledger = await openLeading({ redis: await connection(url), now, log, prefix });
      onTestFinished(() => ledger.close());
      return ledger;
    },
    async lines() {
      return (await redis.xrange(`${prefix}ledger`, '-', '+')).map(([, fields]) => fields[1] ?? '');
    },
    async write(lines) {
      await redis.del(`${prefix}ledger`, `${prefix}ledger-head`);
      const all = redis.multi();
      for (const [at, line] of lines.entries()) all.xadd(`${prefix}ledger`, `${at + 1}-0`, 'entry', line);
      await all.exec();
      const { seq, hash } = JSON.parse(lines.at(-1) ?? '');
      await redis.set(`${prefix}ledger-head`, `${seq} ${hash}`);
    },
  };
}

/** The same tests for every place where a ledger can be kept. */
export function describeEachPlace(title: string, tests: (place: () => Place) => void): void {
  describe(`${title}, in a file`, () => tests(filePlace));
  describeWithRedisServer(`${title}, in Redis`, () => {
    const server = ownServer();
    tests(() => redisPlace(server.url));
  });
}

export const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(String, (error: Error) => error.name);
