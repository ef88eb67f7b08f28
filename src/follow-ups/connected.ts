import type { Redis } from 'ioredis';
import type { Log } from '../outcome.ts';
import { type Canary, createCanary } from './canary.ts';
import type { createWorker, FollowUpQueue } from './queue.ts';

/** For BullMQ: one that fails fast and, if this process polls, one that waits. */
export interface Connections {
  producer: Redis;
  worker?: Redis;
}

interface Connected {
  queue: FollowUpQueue;
  canary: Canary;
  worker?: ReturnType<typeof createWorker>;
}

/** What there is once there is a Redis, and not before: then BullMQ is loaded, too. */
export function connected(
  { redis, log }: { redis: Promise<Connections>; log: Log },
  turn: Parameters<typeof createWorker>[1],
  now: () => number,
  opened: () => void,
) {
  let there: Connected | undefined;
  let isClosed = false;
  async function open({ producer, worker }: Connections): Promise<void> {
    const { createQueue, createWorker } = await import('./queue.ts');
    if (isClosed) return;
    const canary = createCanary(producer, now);
    there = { queue: createQueue(producer, log), canary };
    if (worker !== undefined) there.worker = createWorker(worker, turn, canary.onTaken, log);
    opened();
  }
  redis.then(open).catch((error: unknown) => {
    if (!isClosed) log.error({ problem: String(error) }, 'nothing is followed until the next start');
  });
  return {
    now: () => there,
    async close() {
      isClosed = true;
      await there?.worker?.close();
      await there?.queue.close();
    },
  };
}
