import { onTestFinished } from 'vitest';
import { openFileLedger } from '../../../src/ledger/file-store.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { folder, notes } from './samples.ts';

/** The bot's starts on a folder, one after the other, and its clock: first what is `next`, then always `time`. */
export function startsFrom(time: string, dir = folder()) {
  const clock = { time, next: [] as string[] };
  const log = notes();
  let ledger: Ledger | undefined;
  const stop = async () => ledger?.close();
  onTestFinished(stop);
  return {
    ...{ dir, clock, log, stop },
    async start(): Promise<Ledger> {
      await stop();
      log.messages.length = 0;
      ledger = await openFileLedger({ dir, now: () => new Date(clock.next.shift() ?? clock.time), log });
      return ledger;
    },
  };
}
