import { setTimeout as delay } from 'node:timers/promises';
import { DelayedError, type Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type Log, RedisUnavailable } from '../outcome.ts';
import { pauses } from '../pauses.ts';
import { type FollowUp, jobOf } from '../runs/follow-up.ts';
import { canaryName } from './canary.ts';
import { type Seen, seen } from './seen.ts';
import { toldOnce } from './trouble.ts';
import type { Next } from './watch.ts';

const name = 'follow-ups';
const jobData = z.object({ run: z.string(), seen });

/** Follow-ups as BullMQ jobs: one each, delayed between looks. The ledger can rebuild all of them. */
export interface FollowUpQueue {
  /** Adds a follow-up. Does nothing if it is already queued. */
  add(followUp: FollowUp, seen: Seen): Promise<void>;
  /** What was last seen of the job. Undefined if it is not queued. */
  seen(id: string): Promise<Seen | undefined>;
  /** Schedules the canary every `every` ms. Does nothing if it is already scheduled. */
  keepCanary(every: number): Promise<void>;
  close(): Promise<void>;
}

/** How long to wait for Redis, in ms: before the first connection BullMQ would wait forever. */
const redisTimeout = 3_000;

/** `redis` fails fast: maxRetriesPerRequest 1, no offline queue. All methods reject while it is down. */
export function createQueue(redis: Redis, log: Log): FollowUpQueue {
  const queue = new Queue(name, { connection: redis, skipVersionCheck: true });
  const trouble = toldOnce(log, 'follow-up queue error');
  queue.on('error', (error) => trouble.warn(error.message));
  redis.on('ready', trouble.over);
  const withTimeout = <T>(asked: Promise<T>): Promise<T> => {
    // It may fail after the timeout.
    asked.catch(() => undefined);
    const timeout = delay(redisTimeout, undefined, { ref: false }).then(() => Promise.reject(new RedisUnavailable()));
    return Promise.race([asked, timeout]);
  };
  // Removed when done: only the ledger says what has ended.
  const removal = { removeOnComplete: true, removeOnFail: true };
  return {
    async add({ run, followUp: { started } }, before) {
      await withTimeout(queue.add(name, { run, seen: before }, { jobId: jobOf(started), ...removal }));
    },
    async seen(id) {
      // People wait for this, so fail at once.
      if (redis.status !== 'ready') throw new RedisUnavailable();
      const read = jobData.safeParse((await withTimeout(queue.getJob(id)))?.data);
      return read.success ? read.data.seen : undefined;
    },
    async keepCanary(every) {
      await withTimeout(queue.upsertJobScheduler(canaryName, { every }, { name: canaryName, opts: removal }));
    },
    async close() {
      trouble.end();
      redis.off('ready', trouble.over);
      await queue.close();
    },
  };
}

/** In ms: the pauses after errors of Redis. The canary must not become stale for long once Redis works again. */
const patience = { first: 1_000, most: 15_000 };

/** By itself, BullMQ asks a Redis that answers with errors, as one in cluster mode does, as often as it can. */
class PatientWorker extends Worker {
  private growing = pauses(patience);

  protected override async moveToActive(...asked: Parameters<Worker['moveToActive']>) {
    try {
      const job = await super.moveToActive(...asked);
      this.growing = pauses(patience);
      return job;
    } catch (error) {
      await this.delay();
      throw error;
    }
  }

  /** Without `ms`, it is BullMQ's pause after an error, of a tenth of a second. */
  override async delay(ms?: number, stop?: Parameters<Worker['delay']>[1]): Promise<void> {
    if (ms !== undefined) return super.delay(ms, stop);
    await delay(this.growing.next().value, undefined, { ref: false });
  }
}

/** Processes the jobs of every process that shares the Redis. `redis` waits forever: maxRetriesPerRequest null. */
export function createWorker(
  redis: Redis,
  turn: (run: string, before: Seen) => Promise<Next>,
  onCanary: () => void,
  log: Log,
): { close(): Promise<void> } {
  const turns = new Set<Promise<Next>>();
  // A worker without its Redis fails many times a second.
  const trouble = toldOnce(log, 'follow-up worker error');
  let isClosing = false;
  async function take(job: Job<unknown>, token: string | undefined): Promise<void> {
    trouble.over();
    if (job.name === canaryName) return onCanary();
    const { run, seen: before } = jobData.parse(job.data);
    // BullMQ may still deliver a job that it fetched before.
    const taken = isClosing ? Promise.resolve({ at: Date.now(), seen: before }) : turn(run, before);
    turns.add(taken);
    const next = await taken.finally(() => turns.delete(taken));
    if (next === 'over') return;
    await job.updateData({ run, seen: next.seen });
    await job.moveToDelayed(next.at, token);
    throw new DelayedError();
  }
  const worker = new PatientWorker(name, take, {
    // Keep the version check. For an unknown version BullMQ rounds delays to whole seconds.
    connection: redis,
    // Not the number of simultaneous looks: a job that waits for the ledger or a slow answer must not block others.
    concurrency: 500,
    // Jobs of a killed worker resume elsewhere within seconds, any number of times: they only read.
    lockDuration: 4_000,
    stalledInterval: 2_000,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  });
  worker.on('error', (error) => trouble.warn(error.message));
  return {
    async close() {
      isClosing = true;
      trouble.end();
      await worker.close(true);
      // The caller closes panel and ledger next, which running turns still need.
      await Promise.race([Promise.all(turns), delay(1_000)]);
    },
  };
}
