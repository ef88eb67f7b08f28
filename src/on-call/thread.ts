import { parentPort, workerData } from 'node:worker_threads';
import { type Expansion, expand } from './expand.ts';
import { type Shift, Unreadable } from './shift.ts';

/** What the thread says of a calendar. */
export type ThreadMessage = { shifts: Shift[] } | { failed: string };

function read(asked: Expansion): ThreadMessage {
  try {
    return { shifts: expand(asked) };
  } catch (error) {
    return { failed: error instanceof Unreadable ? error.message : 'It is not a calendar that can be understood.' };
  }
}

// The parent always passes what to expand.
parentPort?.postMessage(read(workerData as Expansion));
