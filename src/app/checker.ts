import { Worker } from 'node:worker_threads';
import type { Order, Said } from '../audit/thread.ts';
import type { Checked } from '../command.ts';
import { defined } from '../defined.ts';
import { CheckStopped, RedisUnavailable } from '../outcome.ts';
import type { Compared } from '../trail/check.ts';

/** What a check may use, and its program; what is left out is as usual. */
export interface CheckerOptions {
  program?: URL;
  /** MiB of heap. */
  memory?: number;
  /** In ms. */
  time?: number;
}

/** Checks the ledger and its trail in a thread of their own: everybody else is served meanwhile. */
export interface Checker {
  /** One check at a time, which all share who ask meanwhile. Rejects with what the channel rejects with, RedisUnavailable and CheckStopped. */
  check(): Promise<Checked>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** A million entries take 1 GiB, and twice that where something is found. After 15 minutes Discord takes no answer. */
const usual = { program: new URL('../audit/thread.js', import.meta.url), memory: 2_048, time: 600_000 };

export function createChecker(
  place: Order['place'],
  channel: Compared | undefined,
  options: CheckerOptions = {},
): Checker {
  const { program, memory, time } = { ...usual, ...options };
  const workerData: Order = { place, ...defined({ channel: channel?.id, sealKey: channel?.sealKey }) };
  let running: { worker: Worker; checked: Promise<Checked> } | undefined;

  function start() {
    const worker = new Worker(program, { workerData, resourceLimits: { maxOldGenerationSizeMb: memory } });
    const checked = answerOf(worker, channel, time).finally(() => {
      running = undefined;
      return worker.terminate();
    });
    return { worker, checked };
  }

  return {
    check() {
      running ??= start();
      return running.checked;
    },
    async close() {
      await running?.worker.terminate();
    },
  };
}

function answerOf(worker: Worker, channel: Pick<Compared, 'page'> | undefined, time: number): Promise<Checked> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new CheckStopped('time')), time);
    worker.on('message', (said: Said) => {
      if ('wants' in said) channel?.page(said.wants.before).then((page) => worker.postMessage(page), reject);
      else if ('checked' in said) resolve(said.checked);
      else reject(errorOf(said.failed));
    });
    worker.once('error', (error) => reject(stopOf(error)));
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new CheckStopped('fault'));
    });
  });
}

const stopOf = (error: Error): CheckStopped =>
  new CheckStopped('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'fault', error);

/** The thread's error on this side. */
const errorOf = ({ name, message }: { name: string; message: string }): Error =>
  name === 'RedisUnavailable' ? new RedisUnavailable() : new CheckStopped('fault', new Error(`${name}: ${message}`));
