import type { Ledger } from '../ledger/ledger.ts';
import { LedgerUnavailable, type Log } from '../outcome.ts';
import type { NewRunEntry } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';

/** How runs ended that the ledger could not take yet: what the panel did stays true when the ledger cannot be written. */
export interface Outbox {
  /** One append. `silent`: another process may know more, so that nobody is shown it before it is recorded. */
  put(entries: readonly NewRunEntry[], silent?: 'silent'): void;
  /** What waits of an invocation, and may be shown. */
  of(invocationId: string): readonly NewRunEntry[];
  /** Whether something of an invocation waits. */
  waits(invocationId: string): boolean;
  /** Offers all of it again, in order, until the ledger cannot be written. Never rejects. */
  flush(): Promise<void>;
}

interface Waiting {
  entries: readonly NewRunEntry[];
  silent: boolean;
}

/** `changed` hears of the invocations of what was put in, and of what was taken out. */
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
        // The ledger knows already how it ended.
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
    flush() {
      flushing ??= flush().finally(() => {
        flushing = undefined;
      });
      return flushing;
    },
  };
}
