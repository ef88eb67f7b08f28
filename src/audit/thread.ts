import { availableParallelism } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { tasks } from '../ledger/apart.ts';
import type { AttachedFile, Message } from '../trail/channel.ts';
import { check } from '../trail/check.ts';
import { type LedgerPlace, readPlace } from './place.ts';

export interface VerifyRequest {
  place: LedgerPlace;
  /** The id of the audit channel; missing: check the ledger alone. */
  channel?: string;
  /** Without it, no seal is valid. */
  sealKey?: string;
}

/** Messages from the thread: a request for a page or a file, one at a time; at last the result or the error. */
export type ThreadMessage =
  | { wants: { before?: string } }
  | { wantsFile: AttachedFile }
  | { checked: Awaited<ReturnType<typeof check>> }
  | { failed: { name: string; message: string } };

function send(message: ThreadMessage): void {
  parentPort?.postMessage(message);
}

/** The parent thread reads the channel, because it has the connection. */
const page = (before?: string): Promise<readonly Message[]> =>
  new Promise((resolve) => {
    parentPort?.once('message', resolve);
    send({ wants: { before } });
  });

/** Undefined for a missing file and for a failed read: either way its lines are unknown. */
const file = (of: AttachedFile): Promise<Uint8Array | undefined> =>
  new Promise((resolve) => {
    parentPort?.once('message', resolve);
    send({ wantsFile: of });
  });

async function checked({ place, channel: id, sealKey }: VerifyRequest): Promise<ThreadMessage> {
  try {
    // One core stays for the bot.
    const read = () => readPlace(place, availableParallelism() - 1);
    return { checked: await check(read, id === undefined ? undefined : { id, page, file, sealKey }) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'unknown', message: 'fault' };
    return { failed: { name, message } };
  }
}

// The parent passes nothing else.
const told = workerData as keyof typeof tasks | VerifyRequest;
if (typeof told === 'string') parentPort?.on('message', (order) => parentPort?.postMessage(tasks[told](order)));
else send(await checked(told));
