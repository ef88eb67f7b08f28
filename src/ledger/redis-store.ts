import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { LedgerUnavailable, type Log, RedisUnavailable } from '../outcome.ts';
import { openBook } from '../runs/book.ts';
import type { NewEntry } from '../runs/entry.ts';
import { toldOnce } from '../waits.ts';
import type { Head } from './chain.ts';
import { answer, grouping, type Request, type Staged, stage } from './group.ts';
import { createLease, type Holder, hostIn, type LeasePace, usualPace } from './lease.ts';
import { Deposed, type Ledger, LedgerDamaged, LedgerUnsafe } from './ledger.ts';
import { isReply, ledgerStream, NotSent } from './redis-stream.ts';
import { copyOf, type StandbyParts, standBy } from './standby.ts';
import type { Clocks } from './stopwatch.ts';

export interface RedisLedgerOptions {
  /** A connection used only by the ledger, on which commands fail fast while Redis is down. */
  redis: Redis;
  /** This process, as the lease names it while it leads. */
  holder: Holder;
  now?: () => Date;
  log: Log;
  prefix?: string;
  /** How long an append waits to learn its result when Redis times out, in ms. */
  patience?: number;
  /** How often to look whether Redis still keeps what it answers, in ms. */
  judgeEvery?: number;
  pace?: Partial<LeasePace> | undefined;
  /** By which a lease ages. */
  clocks?: Clocks;
  /** Called when another process leads: this one writes nothing more and must exit. */
  onDeposed?: ((error: Deposed) => void) | undefined;
}

export type RedisLedger = Awaited<ReturnType<typeof openRedisLedger>>;

/**
 * Opens the ledger in one stream of a Redis that keeps it on disk. One process at a time leads, and appends. Throws
 * LedgerUnsafe when that Redis could lose it, LedgerDamaged when the chain does not verify, and RedisUnavailable.
 */
export async function openRedisLedger(options: RedisLedgerOptions) {
  const { redis, holder, now = () => new Date(), log, prefix = 'panelops:', patience = 4_000, clocks } = options;
  const pace = { ...usualPace, ...options.pace };
  const stream = ledgerStream(redis, prefix, options.judgeEvery);
  const book = openBook();
  const lease = createLease({
    ...{ redis, key: stream.leaseKey, holder, pace, clocks },
    onDeposed: (error) => options.onDeposed?.(error),
  });
  const copy = copyOf(stream, book, () => {
    if (lease.isLeader()) throw lease.depose();
  });
  try {
    await copy.catchUp();
  } catch (error) {
    stream.close();
    throw error instanceof LedgerUnsafe || error instanceof LedgerDamaged ? error : new RedisUnavailable(error);
  }
  const parts = { stream, copy, book, lease, holder, pace, clocks, now, log };
  const write = redisWriter({ ...parts, redis, patience });
  /** One at a time: each starts from the head that the previous one left. */
  const exclusive = pLimit(1);
  const settle = (): Promise<void> =>
    exclusive(() => copy.catchUp()).catch((error: unknown) => {
      throw new LedgerUnavailable(error);
    });
  let renewing: NodeJS.Timeout | undefined;
  let seen = '';
  /** What was sent without an answer shows by itself, and so does a successor. */
  const renew = (): void =>
    void lease
      .renew()
      .then(settle)
      .catch(() => undefined);
  const { append, close } = grouping(
    (group) => exclusive(() => write(group)),
    async () => {
      clearInterval(renewing);
      await lease.release();
      stream.close();
    },
  );
  const ledger: Ledger = {
    append: (entries) =>
      lease.isLeader()
        ? append(entries)
        : Promise.reject(new LedgerUnavailable(new Error('this process does not lead'))),
    ...book.records,
    subscribe: book.subscribe,
    settle,
    isHeld: lease.isHeld,
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
  return {
    ...ledger,
    /**
     * Resolves once this process leads, and what `begin` gives is on disk. Until then it reads what the leader writes. Rejects
     * with LedgerDamaged, LedgerUnsafe, Outdated, and when `signal` aborts.
     */
    async lead(begin: () => readonly NewEntry[], signal?: AbortSignal): Promise<void> {
      const saw = (other: string): void => {
        seen = other;
      };
      await standBy({ ...parts, begin, saw, signal });
      renew();
      renewing = setInterval(renew, pace.renew).unref();
    },
    /** The machine of the process that led when this one last looked, if that is known. */
    leader: () => hostIn(seen),
    awake: lease.awake,
  };
}

interface WriterParts extends Pick<StandbyParts, 'stream' | 'copy' | 'book' | 'now' | 'log'> {
  redis: Redis;
  /** In ms. */
  patience: number;
}

/**
 * The leader's writes to the stream, each group exactly once. An attempt without an answer is looked up before the next: it is
 * either among the entries or, once another entry of this process has its place, will never be.
 */
function redisWriter({ redis, stream, copy, book, now, log, patience }: WriterParts) {
  /** Offers the group once, after the known head. Undefined: an earlier attempt stood in the way. */
  async function offer(group: readonly Request[], sent: Map<string, Staged>, until: number) {
    const landed = ({ hash }: Head): Staged | undefined => sent.get(hash);
    if (copy.isUnsure()) {
      // What was not sent yet fails at once.
      if (sent.size > 0) await connected(redis, until - performance.now());
      await copy.catchUp();
      if (landed(copy.head())) return landed(copy.head());
    }
    const staged = stage(group, book.records, copy.head(), now);
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

  const trouble = toldOnce(log, 'the ledger cannot be written', 'error');

  /** Settles every request of the group; never rejects. */
  return async (group: readonly Request[]): Promise<void> => {
    try {
      answer(await record(group));
      trouble.over();
    } catch (error) {
      const problem = problemOf(error);
      trouble.say(problem, {}, problem);
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
