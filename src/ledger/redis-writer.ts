import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LedgerUnavailable, type Log, RedisUnavailable } from '../outcome.ts';
import type { Book } from '../runs/book.ts';
import { answer, type Request, type Staged, stage } from './group.ts';
import { LedgerDamaged } from './ledger.ts';
import type { Copy } from './redis-copy.ts';
import { isReply, LedgerUnsafe } from './redis-safety.ts';
import { type LedgerStream, NotSent, type StreamReply } from './redis-stream.ts';

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

/** What is known of one group while it is being written. */
interface Trace {
  /** Attempts that got no answer, by the hash of their last entry. */
  lost: Map<string, Staged>;
  /** The attempt that turned out to be written. */
  landed?: Staged | undefined;
  /** When to give up, by `performance.now()`. */
  until: number;
}

/**
 * Writes groups to the stream, each exactly once. An attempt without an answer is looked up before the next: it is
 * either among the entries or, once another entry has its place, will never be.
 */
export function redisWriter({ redis, stream, copy, book, now, log, patience }: WriterParts) {
  async function send(staged: Staged, { lost }: Trace): Promise<StreamReply> {
    try {
      return await stream.exchange(copy.head(), staged.lines, staged.head);
    } catch (error) {
      if (!isFinal(error)) {
        lost.set(staged.head.hash, staged);
        copy.sent(staged);
      }
      throw error;
    }
  }

  /** Whether nothing new came in that might allow what the rules refused. */
  async function isStillSo(seen: (hash: string) => void): Promise<boolean> {
    const { seq } = copy.head();
    await copy.catchUp(seen);
    return copy.head().seq === seq;
  }

  /** Offers the group once, after the known head. Undefined if others appended first. */
  async function offer(group: readonly Request[], trace: Trace): Promise<Staged | undefined> {
    const seen = (hash: string) => {
      trace.landed ??= trace.lost.get(hash);
    };
    if (trace.lost.size > 0) {
      await connected(redis, trace.until - performance.now());
      await copy.catchUp(seen);
      if (trace.landed) return trace.landed;
    }
    const staged = stage(group, book.heads, copy.head(), now);
    if (staged.entries.length === 0) return (await isStillSo(seen)) ? staged : trace.landed;
    const reply = await send(staged, trace);
    if (reply.kind === 'moved') {
      await copy.follow(reply, seen);
      return trace.landed;
    }
    copy.add(staged);
    return staged;
  }

  async function record(group: readonly Request[], trace: Trace): Promise<Staged> {
    for (;;) {
      try {
        const recorded = await offer(group, trace);
        if (recorded) return recorded;
      } catch (error) {
        if (trace.landed) return trace.landed;
        if (isFinal(error) || performance.now() >= trace.until) throw error;
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
    const trace: Trace = { lost: new Map(), until: performance.now() + patience };
    try {
      answer(await record(group, trace));
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
  error instanceof LedgerDamaged || error instanceof LedgerUnsafe || error instanceof NotSent || isReply(error);

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
