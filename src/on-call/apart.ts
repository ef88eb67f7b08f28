import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { within } from '../waits.ts';
import type { Expansion } from './expand.ts';
import { type Shift, Unreadable } from './shift.ts';
import type { ThreadMessage } from './thread.ts';

/** The shifts of a calendar. Rejects with Unreadable. */
export type Expand = (asked: Expansion, stop: AbortSignal) => Promise<readonly Shift[]>;

/** MiB of heap, and ms. */
const usual = { program: new URL('../on-call/thread.js', import.meta.url), memory: 128, time: 10_000 };

/** In a thread that is ended with what it does: a calendar may say of itself that it never ends. */
export const apart =
  (limits: Partial<typeof usual> = {}): Expand =>
  async (asked, stop) => {
    const { program, memory, time } = { ...usual, ...limits };
    const worker = new Worker(program, { workerData: asked, resourceLimits: { maxOldGenerationSizeMb: memory } });
    worker.on('error', () => undefined);
    try {
      const [said] = await within(time, stop, (signal) => once(worker, 'message', { signal }));
      // The thread says nothing else.
      const message = said as ThreadMessage;
      if ('failed' in message) throw new Unreadable(message.failed);
      return message.shifts;
    } catch (error) {
      if (error instanceof Unreadable) throw error;
      throw new Unreadable('It takes too long, or too much memory, to understand.');
    } finally {
      await worker.terminate();
    }
  };
