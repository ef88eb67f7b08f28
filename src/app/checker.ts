import { Worker } from 'node:worker_threads';
import type { ThreadMessage, VerifyRequest } from '../audit/thread.ts';
import type { Checked } from '../command.ts';
import { ChannelClosed, CheckStopped, DiscordUnavailable, RedisUnavailable } from '../outcome.ts';
import type { AttachedFile } from '../trail/channel.ts';
import type { ChannelToCompare } from '../trail/check.ts';
import { joined } from '../waits.ts';

/** Resource limits of a check, and its program; missing values have defaults. */
export interface CheckerOptions {
  program?: URL;
  /** MiB of heap. */
  memory?: number;
  /** In ms. */
  time?: number;
}

/** Entries of runs take 16 bytes each; findings and the messages of the channel take the rest. After 15 minutes Discord accepts no answer. */
const usual = { program: new URL('../audit/thread.js', import.meta.url), memory: 2_048, time: 600_000 };

/** Checks the ledger and its trail in a worker thread, so that the bot keeps answering. */
export function createChecker(
  place: VerifyRequest['place'],
  channel: ChannelToCompare | undefined,
  options: CheckerOptions = {},
) {
  const { program, memory, time } = { ...usual, ...options };
  const workerData: VerifyRequest = { place, channel: channel?.id, sealKey: channel?.sealKey };
  let worker: Worker | undefined;
  const close = async (): Promise<void> => void (await worker?.terminate());
  return {
    /** Runs one check at a time, shared by all callers. Rejects with ChannelClosed, DiscordUnavailable, CheckStopped. */
    check: joined(async (): Promise<Checked> => {
      worker = new Worker(program, { workerData, resourceLimits: { maxOldGenerationSizeMb: memory } });
      try {
        return await answerOf(worker, channel, time);
      } finally {
        await close();
      }
    }),
    close,
  };
}

function answerOf(
  worker: Worker,
  channel: Pick<ChannelToCompare, 'page' | 'file'> | undefined,
  time: number,
): Promise<Checked> {
  const read = (of: AttachedFile) => channel?.file(of).catch(() => undefined) ?? Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const refuse = (error: unknown): void =>
      reject(error instanceof ChannelClosed ? error : new DiscordUnavailable(error));
    const timer = setTimeout(() => reject(new CheckStopped('time')), time);
    worker.on('message', (message: ThreadMessage) => {
      if ('wants' in message) channel?.page(message.wants.before).then((page) => worker.postMessage(page), refuse);
      else if ('wantsFile' in message) void read(message.wantsFile).then((bytes) => worker.postMessage(bytes));
      else if ('checked' in message) resolve(message.checked);
      else reject(errorOf(message.failed));
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

/** The thread's error, rebuilt on this side. */
const errorOf = ({ name, message }: { name: string; message: string }): Error =>
  name === 'RedisUnavailable' ? new RedisUnavailable() : new CheckStopped('fault', new Error(`${name}: ${message}`));
