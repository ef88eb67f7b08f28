import type { Ledger } from '../ledger/ledger.ts';
import { LedgerUnavailable, type Log } from '../outcome.ts';
import type { NewRunEntry } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';

/** Outcomes that the ledger could not take yet: what the panel did stays true even if the ledger cannot be written. */
export interface Outbox {
  /** Adds one append. `silent`: not shown before it is recorded, because another process may know more. */
  put(entries: readonly NewRunEntry[], silent?: 'silent'): void;
  /** The waiting entries of an invocation that may be shown. */
  of(invocationId: string): readonly NewRunEntry[];
  /** Whether entries of an invocation are waiting. */
  waits(invocationId: string): boolean;
  /** How many entries wait. */
  size(): number;
  /** Appends everything, in order, until the ledger cannot be written. Never rejects. */
  flush(): Promise<void>;
}

interface Waiting {
  entries: readonly NewRunEntry[];
  silent: boolean;
}

/** Calls `changed` with each invocation whose entries are added or removed. */
export function createOutbox(
  ledger: Pick<Ledger, 'append'>,
  changed: (invocationId: string) => void,
  log: Log,
): Outbox {
  const waiting: Waiting[] = [];
  let flushing: Promise<void> | undefined;

  const tell = ({ entries }: Waiting): void => {
    for (const id of new Set(entries.map(({ run }) => invocationOf(run)))) changed(id);
  };

  async function flush(): Promise<void> {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      try {
        await ledger.append(next.entries);
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
    put(entries, silent) {
      const added = { entries, silent: silent !== undefined };
      waiting.push(added);
      if (!added.silent) tell(added);
    },
    of: (id) =>
      waiting.flatMap(({ entries, silent }) => (silent ? [] : entries.filter(({ run }) => invocationOf(run) === id))),
    waits: (id) => waiting.some(({ entries }) => entries.some(({ run }) => invocationOf(run) === id)),
    size: () => waiting.reduce((sum, { entries }) => sum + entries.length, 0),
    flush() {
      flushing ??= flush().finally(() => {
        flushing = undefined;
      });
      return flushing;
    },
  };
}
