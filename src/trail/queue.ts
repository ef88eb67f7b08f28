import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Log } from '../outcome.ts';

/** Wakes whichever process is free to post. Nothing is lost with it: it holds one job, which says nothing. */
export interface TrailQueue {
  /** Does nothing when somebody is awake already. Never rejects. */
  wake(): Promise<void>;
  close(): Promise<void>;
}

/** `producer` fails fast, `worker` waits for ever: maxRetriesPerRequest null. `work` never rejects. */
export function createQueue(
  redis: { producer: Redis; worker: Redis },
  channel: string,
  work: () => Promise<void>,
  log: Log,
): TrailQueue {
  // Bots of other guilds may be on the same Redis.
  const name = `trail-${channel}`;
  const queue = new Queue(name, { connection: redis.producer, skipVersionCheck: true });
  const worker = new Worker(name, work, {
    connection: redis.worker,
    skipVersionCheck: true,
    concurrency: 1,
    // The job of a killed process is another's within seconds, however often.
    lockDuration: 4_000,
    stalledInterval: 2_000,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  });
  // Redis being away is in the log already.
  const onError = ({ message }: Error): void => log.debug({ problem: message }, 'the queue of the trail met an error');
  queue.on('error', onError);
  worker.on('error', onError);
  return {
    async wake() {
      const once = { jobId: name, removeOnComplete: true, removeOnFail: true };
      await queue.add(name, {}, once).catch(() => undefined);
    },
    async close() {
      await worker.close(true);
      await queue.close();
    },
  };
}
