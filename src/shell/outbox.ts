import type { Ledger } from '../ledger/ledger.ts';
import { LedgerUnavailable, type Log } from '../outcome.ts';
import type { NewRunEntry } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';

/** Outcomes that the ledger could not take yet: what the panel did stays true even if the ledger cannot be written. */
export interface Outbox {
  put(entries: readonly NewRunEntry[]): void;
  /** The waiting entries of an invocation. */
  of(invocationId: string): readonly NewRunEntry[];
  size(): number;
  /** Appends everything, in order, until the ledger cannot be written. Never rejects. */
  flush(): Promise<void>;
}

/** Calls `changed` with each invocation whose entries are added or removed. */
export function createOutbox(
  ledger: Pick<Ledger, 'append'>,
  changed: (invocationId: string) => void,
  log: Log,
): Outbox {
  const waiting: (readonly NewRunEntry[])[] = [];
  let flushing: Promise<void> | undefined;

  const tell = (entries: readonly NewRunEntry[]): void => {
    for (const id of new Set(entries.map(({ run }) => invocationOf(run)))) changed(id);
  };

  async function flush(): Promise<void> {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      try {
        await ledger.append(next);
      } catch (error) {
        if (error instanceof LedgerUnavailable) return;
        // The ledger already has the outcome.
        log.warn({ problem: String(error) }, 'the ledger refuses an entry from the outbox');
      }
      waiting.shift();
      tell(next);
    }
  }

  return {
    put(entries) {
      waiting.push(entries);
      tell(entries);
    },
    of: (id) => waiting.flat().filter(({ run }) => invocationOf(run) === id),
    size: () => waiting.flat().length,
    flush() {
      flushing ??= flush().finally(() => {
        flushing = undefined;
      });
      return flushing;
    },
  };
}
