import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LedgerUnavailable, type Log, RedisUnavailable } from '../outcome.ts';
import type { Book } from '../runs/book.ts';
import { answer, type Request, type Staged, stage } from './group.ts';
import { LedgerDamaged } from './ledger.ts';
import type { Copy } from './redis-copy.ts';
import { isReply, LedgerUnsafe } from './redis-safety.ts';
import { type LedgerStream, NotSent, type Said } from './redis-stream.ts';

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

/** What is known of one group that is being recorded. */
interface Trace {
  /** Attempts whose answers did not come, by the hash of their last entry. */
  lost: Map<string, Staged>;
  /** The one of them that turned out to be recorded. */
  landed?: Staged | undefined;
  /** Until when it may be tried, by `performance.now()`. */
  until: number;
}

/**
 * Records groups in the stream, each once. An attempt whose answer did not come is looked for before the next: either it is
 * among the entries, or it never will be once another is in its place.
 */
export function redisWriter({ redis, stream, copy, book, now, log, patience }: WriterParts) {
  async function send(staged: Staged, { lost }: Trace): Promise<Said> {
    try {
      return await stream.exchange(copy.head(), staged.entries);
    } catch (error) {
      if (!isFinal(error)) {
        lost.set(staged.head.hash, staged);
        copy.sent(staged);
      }
      throw error;
    }
  }

  /** Whether nothing came in that could allow what the rules refused by what was known. */
  async function isStillSo(seen: (hash: string) => void): Promise<boolean> {
    const { seq } = copy.head();
    await copy.catchUp(seen);
    return copy.head().seq === seq;
  }

  /** Offers the group once, after the head that is known. Undefined: others were faster. */
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
    const said = await send(staged, trace);
    if (said.kind === 'moved') {
      await copy.follow(said, seen);
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
        // A connection that has just broken refuses at once, and is seen as broken only after a turn of the event loop.
        await delay(20);
      }
    }
  }

  /** Answers every request of the group; never rejects. */
  return async (group: readonly Request[]): Promise<void> => {
    const trace: Trace = { lost: new Map(), until: performance.now() + patience };
    try {
      answer(await record(group, trace));
    } catch (error) {
      log.error({ problem: problemOf(error) }, 'the ledger cannot be written');
      // The refused too: what they clashed with may have been in this very group.
      for (const request of group) request.reject(new LedgerUnavailable(error));
    }
  };
}

/** Trouble that trying again at once does not mend. */
const isFinal = (error: unknown) =>
  error instanceof LedgerDamaged || error instanceof LedgerUnsafe || error instanceof NotSent || isReply(error);

const problemOf = (error: unknown) =>
  error instanceof RedisUnavailable && error.cause instanceof Error ? error.cause.message : String(error);

/** Resolves when commands can be sent, or after `ms`: then the next one tells. */
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
