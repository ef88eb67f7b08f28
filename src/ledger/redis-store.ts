import type { Redis } from 'ioredis';
import { LedgerUnavailable, type Log, RedisUnavailable } from '../outcome.ts';
import { openBook } from '../runs/book.ts';
import { grouping } from './group.ts';
import { type Ledger, LedgerDamaged } from './ledger.ts';
import { copyOf } from './redis-copy.ts';
import { LedgerUnsafe } from './redis-safety.ts';
import { ledgerStream } from './redis-stream.ts';
import { redisWriter } from './redis-writer.ts';

export interface RedisLedgerOptions {
  /** A connection used only by the ledger, on which commands fail fast while Redis is down. */
  redis: Redis;
  now?: () => Date;
  log: Log;
  prefix?: string;
  /** How long an append waits to learn its result when Redis times out, in ms. */
  patience?: number;
  /** How often to look whether Redis still keeps what it answers, in ms. */
  judgeEvery?: number;
}

/**
 * Opens the ledger shared by several processes: one stream in a Redis that keeps it on disk. Throws LedgerUnsafe when
 * that Redis could lose it, LedgerDamaged when the chain does not verify, and RedisUnavailable.
 */
export async function openRedisLedger(options: RedisLedgerOptions): Promise<Ledger> {
  const { redis, now = () => new Date(), log, prefix = 'panelops:', patience = 4_000 } = options;
  const stream = ledgerStream(redis, prefix, options.judgeEvery);
  const book = openBook();
  const copy = copyOf(stream, book);
  try {
    await copy.catchUp();
  } catch (error) {
    stream.close();
    throw error instanceof LedgerUnsafe || error instanceof LedgerDamaged ? error : new RedisUnavailable(error);
  }
  if (copy.head().seq === 0) log.warn({ stream: stream.name }, 'ledger in Redis is empty; starting a new chain');
  const write = redisWriter({ redis, stream, copy, book, now, log, patience });
  let turn: Promise<void> = Promise.resolve();
  /** One at a time: each starts from the head that the previous one left. */
  function exclusive(work: () => Promise<void>): Promise<void> {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  }
  const { append, close } = grouping(
    (group) => exclusive(() => write(group)),
    () => Promise.resolve(stream.close()),
  );
  return {
    append,
    ...book.records,
    subscribe: book.subscribe,
    refresh: () =>
      exclusive(() => copy.catchUp()).catch((error: unknown) => {
        throw new LedgerUnavailable(error);
      }),
    async probe() {
      try {
        await exclusive(() => copy.catchUp());
        // Refused by a Redis that is full, or takes no writes.
        await redis.set(`${prefix}probe`, '', 'PX', 1_000);
      } catch (error) {
        throw new LedgerUnavailable(error);
      }
    },
    head: copy.head,
    close,
  };
}
