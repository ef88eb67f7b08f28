import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LedgerUnavailable, type Log, RedisUnavailable } from '../outcome.ts';
import type { Book } from '../runs/book.ts';
import type { Head } from './chain.ts';
import { answer, type Request, type Staged, stage } from './group.ts';
import { Deposed, LedgerDamaged } from './ledger.ts';
import type { Copy } from './redis-copy.ts';
import { isReply, LedgerUnsafe } from './redis-safety.ts';
import { type LedgerStream, NotSent } from './redis-stream.ts';

interface WriterParts {
  redis: Redis;
  stream: LedgerStream;
  copy: Copy;
  book: Book;
  now: () => Date;
  log: Log;
  /** In ms. */
  patience: number;
}

/**
 * The leader's writes to the stream, each group exactly once. An attempt without an answer is looked up before the next: it is
 * either among the entries or, once another entry of this process has its place, will never be.
 */
export function redisWriter({ redis, stream, copy, book, now, log, patience }: WriterParts) {
  /** Offers the group once, after the known head. Undefined: an earlier attempt stood in the way. */
  async function offer(group: readonly Request[], sent: Map<string, Staged>, until: number) {
    const landed = ({ hash }: Head): Staged | undefined => sent.get(hash);
    if (copy.isUnsure()) {
      // What was not sent yet fails at once.
      if (sent.size > 0) await connected(redis, until - performance.now());
      await copy.catchUp();
      if (landed(copy.head())) return landed(copy.head());
    }
    const staged = stage(group, book.heads, copy.head(), now);
    if (staged.entries.length === 0) return staged;
    sent.set(staged.head.hash, staged);
    const reply = await stream.exchange(copy.head(), staged.lines, staged.head).catch((error: unknown) => {
      if (!isFinal(error)) copy.sent(staged);
      throw error;
    });
    if (reply.kind === 'ours') {
      copy.add(staged);
      return staged;
    }
    await copy.follow(reply);
    return landed(copy.head());
  }

  async function record(group: readonly Request[]): Promise<Staged> {
    const until = performance.now() + patience;
    /** Its attempts, by the hash of their last entry. */
    const sent = new Map<string, Staged>();
    for (;;) {
      try {
        const recorded = await offer(group, sent, until);
        if (recorded) return recorded;
      } catch (error) {
        if (isFinal(error) || performance.now() >= until) throw error;
        // A connection that has just broken fails at once, and its status changes only after a turn of the event
        // loop.
        await delay(20);
      }
    }
  }

  /** What the log has of this outage: a line for each append would bury everything else. */
  const told = new Set<string>();

  /** Settles every request of the group; never rejects. */
  return async (group: readonly Request[]): Promise<void> => {
    try {
      answer(await record(group));
      told.clear();
    } catch (error) {
      const problem = problemOf(error);
      if (!told.has(problem)) log.error({ problem }, 'the ledger cannot be written');
      told.add(problem);
      // Rejects the refused requests too: the entry they conflict with may be in this group.
      for (const request of group) request.reject(new LedgerUnavailable(error));
    }
  };
}

/** Errors that an immediate retry cannot fix. */
const isFinal = (error: unknown) =>
  error instanceof LedgerDamaged ||
  error instanceof LedgerUnsafe ||
  error instanceof Deposed ||
  error instanceof NotSent ||
  isReply(error);

const problemOf = (error: unknown) =>
  error instanceof RedisUnavailable && error.cause instanceof Error ? error.cause.message : String(error);

/** Resolves when the connection is ready, or after `ms`: then the next command shows the problem. */
function connected(redis: Redis, ms: number): Promise<void> {
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      redis.off('ready', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    redis.once('ready', done);
  });
}
