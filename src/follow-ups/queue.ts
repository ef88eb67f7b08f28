import { setTimeout as delay } from 'node:timers/promises';
import { DelayedError, type Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type Log, RedisUnavailable } from '../outcome.ts';
import { type FollowUp, jobOf } from '../runs/follow-up.ts';
import { type Seen, seen } from './seen.ts';
import type { Next } from './watch.ts';

const name = 'follow-ups';
const jobData = z.object({ run: z.string(), seen });

/** Follow-ups as BullMQ jobs: one each, delayed between looks. Everything in them can be rebuilt from the ledger. */
export interface FollowUpQueue {
  /** Puts a follow-up there; one that is there already stays as it is. */
  add(followUp: FollowUp, seen: Seen): Promise<void>;
  /** What was last seen of it; undefined when it is not there. */
  seen(id: string): Promise<Seen | undefined>;
  close(): Promise<void>;
}

/** How long Redis is waited for, in ms: before its first answer BullMQ would wait for ever. */
const patience = 3_000;

/** `redis` fails fast: maxRetriesPerRequest 1, no offline queue, commandTimeout. All reject while it is away. */
export function createQueue(redis: Redis, log: Log): FollowUpQueue {
  const queue = new Queue(name, { connection: redis, skipVersionCheck: true });
  queue.on('error', (error) => log.warn({ problem: error.message }, 'the queue of follow-ups met an error'));
  const soon = <T>(asked: Promise<T>): Promise<T> => {
    // It may fail after nobody waits for it any more.
    asked.catch(() => undefined);
    const silent = delay(patience, undefined, { ref: false }).then(() => Promise.reject(new RedisUnavailable()));
    return Promise.race([asked, silent]);
  };
  return {
    async add({ run, followUp: { started } }, before) {
      // Removed when done, so that the ledger alone says what is over.
      const manner = { jobId: jobOf(started), removeOnComplete: true, removeOnFail: true };
      await soon(queue.add(name, { run, seen: before }, manner));
    },
    async seen(id) {
      // People wait for it, and it may be unknown.
      if (redis.status !== 'ready') throw new RedisUnavailable();
      const read = jobData.safeParse((await soon(queue.getJob(id)))?.data);
      return read.success ? read.data.seen : undefined;
    },
    close: () => queue.close(),
  };
}

/** Takes the jobs, wherever the same Redis is reached. `redis` waits for ever: maxRetriesPerRequest null. */
export function createWorker(
  redis: Redis,
  turn: (run: string, before: Seen) => Promise<Next>,
  log: Log,
): { close(): Promise<void> } {
  const turns = new Set<Promise<Next>>();
  let isClosing = false;
  async function take(job: Job<unknown>, token: string | undefined): Promise<void> {
    const { run, seen: before } = jobData.parse(job.data);
    // BullMQ may still hand over a job that it had asked for.
    const taken = isClosing ? Promise.resolve({ at: Date.now(), seen: before }) : turn(run, before);
    turns.add(taken);
    const next = await taken.finally(() => turns.delete(taken));
    if (next === 'over') return;
    await job.updateData({ run, seen: next.seen });
    await job.moveToDelayed(next.at, token);
    throw new DelayedError();
  }
  const worker = new Worker(name, take, {
    // Its version is asked for: to one that may be old, BullMQ sends whole seconds, and everything would be late by up to one.
    connection: redis,
    // Not how many look at a time: whoever waits for the ledger or for a slow answer must not hold up the others.
    concurrency: 500,
    // A killed worker's jobs go on elsewhere within seconds, however often: they only read.
    lockDuration: 4_000,
    stalledInterval: 2_000,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  });
  worker.on('error', (error) => log.warn({ problem: error.message }, 'the worker of follow-ups met an error'));
  return {
    async close() {
      isClosing = true;
      await worker.close(true);
      // Panel and ledger are closed next, under whatever turn still needs them.
      await Promise.race([Promise.all(turns), delay(1_000)]);
    },
  };
}
