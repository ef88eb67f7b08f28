import { parentPort, workerData } from 'node:worker_threads';
import { defined } from '../defined.ts';
import type { Message } from '../trail/channel.ts';
import { check } from '../trail/check.ts';
import { type LedgerPlace, readPlace } from './place.ts';

/** What is to be checked. */
export interface Order {
  place: LedgerPlace;
  /** The id of the audit channel; left out: the ledger alone. */
  channel?: string;
  /** Left out: no seal counts. */
  sealKey?: string;
}

/**
 * What the thread says: which page of the channel it wants to have, which is then sent to it, one at a time; at last what the check
 * came to, or what it met, in a library's words.
 */
export type Said =
  | { wants: { before?: string } }
  | { checked: Awaited<ReturnType<typeof check>> }
  | { failed: { name: string; message: string } };

function say(said: Said): void {
  parentPort?.postMessage(said);
}

/** Whoever started the thread reads the channel: it has the connection. */
const page = (before?: string): Promise<readonly Message[]> =>
  new Promise((resolve) => {
    parentPort?.once('message', resolve);
    say({ wants: defined({ before }) });
  });

async function checked({ place, channel: id, sealKey }: Order): Promise<Said> {
  try {
    return {
      checked: await check(
        () => readPlace(place),
        id === undefined ? undefined : { id, page, ...defined({ sealKey }) },
      ),
    };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'unknown', message: 'fault' };
    return { failed: { name, message } };
  }
}

// Whoever starts a thread with this program hands in an order.
say(await checked(workerData as Order));
