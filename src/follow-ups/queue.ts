import { setTimeout as delay } from 'node:timers/promises';
import { type Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type Log, RedisUnavailable } from '../outcome.ts';
import { type FollowUp, jobOf } from '../runs/follow-up.ts';
import { pauses, toldOnce } from '../waits.ts';
import { canaryName } from './canary.ts';

const name = 'follow-ups';
const jobData = z.object({ run: z.string() });

export type FollowUpQueue = ReturnType<typeof createQueue>;

/** How long to wait for Redis, in ms: before the first connection BullMQ would wait forever. */
const redisTimeout = 3_000;

/**
 * Follow-ups as BullMQ jobs: one each, which the worker has from its first look to its last. `redis` fails fast:
 * maxRetriesPerRequest 1, no offline queue. All methods reject while it is down.
 */
export function createQueue(redis: Redis, log: Log) {
  const queue = new Queue(name, { connection: redis, skipVersionCheck: true });
  const trouble = toldOnce(log, 'follow-up queue error');
  queue.on('error', (error) => trouble.say(error.message));
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
    /** Removes what an earlier process left: the ledger has all of it. */
    empty: (): Promise<void> => withTimeout(queue.obliterate({ force: true })),
    /** Does nothing if it is already queued. */
    async add({ run, followUp: { started } }: FollowUp): Promise<void> {
      await withTimeout(queue.add(name, { run }, { jobId: jobOf(started), ...removal }));
    },
    /** Schedules the canary every `every` ms. Does nothing if it is already scheduled. */
    async keepCanary(every: number): Promise<void> {
      await withTimeout(queue.upsertJobScheduler(canaryName, { every }, { name: canaryName, opts: removal }));
    },
    async close(): Promise<void> {
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

/** What BullMQ says of a job that Redis lost. It is followed as before, and queued again from the ledger. */
const lost = /^(?:could not renew lock|Missing (?:key|lock)) for job /;

/** `redis` waits forever: maxRetriesPerRequest null. `follow` resolves when the follow-up of this run is over. */
export function createWorker(
  redis: Redis,
  follow: (run: string) => Promise<void>,
  onCanary: () => void,
  log: Log,
): { close(): Promise<void> } {
  // A worker without its Redis fails many times a second.
  const trouble = toldOnce(log, 'follow-up worker error');
  async function take(job: Job<unknown>): Promise<void> {
    trouble.over();
    await (job.name === canaryName ? onCanary() : follow(jobData.parse(job.data).run));
  }
  const worker = new PatientWorker(name, take, {
    // Keep the version check. For an unknown version BullMQ rounds delays to whole seconds.
    connection: redis,
    // Not the number of simultaneous looks: each job stays from its first look to its last.
    concurrency: 100_000,
    // Any number of times: a job that is taken again goes on with what follows it already.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  });
  worker.on('error', ({ message }) => {
    if (!lost.test(message)) trouble.say(message);
  });
  return {
    close() {
      trouble.end();
      return worker.close(true);
    },
  };
}
