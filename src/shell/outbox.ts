import type { Ledger } from '../ledger/ledger.ts';
import { LedgerUnavailable, type Log } from '../outcome.ts';
import type { NewRunEntry } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';

/** Outcomes that the ledger could not take yet: what the panel did stays true even if the ledger cannot be written. */
export interface Outbox {
  /** Appends what has happened already, in one append; if the ledger cannot be written, it waits. Never rejects. */
  record(entries: readonly NewRunEntry[]): Promise<void>;
  /** The waiting entries of an invocation. */
  unrecorded(invocationId: string): readonly NewRunEntry[];
  /** How many entries wait. */
  waiting(): number;
  /** Appends everything, in order, until the ledger cannot be written. Never rejects. */
  flush(): Promise<void>;
}

/** Calls `changed` with each invocation whose entries begin or end to wait. */
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
    async record(entries) {
      try {
        await ledger.append(entries);
      } catch (error) {
        const [first] = entries;
        const facts = { run: first?.run, ...ofEnd(first), problem: String(error) };
        log.error(facts, `cannot record ${first?.kind === 'denied' ? 'a denial' : 'an outcome'} in the ledger`);
        if (!(error instanceof LedgerUnavailable)) return;
        waiting.push(entries);
        tell(entries);
      }
    },
    unrecorded: (id) => waiting.flat().filter(({ run }) => invocationOf(run) === id),
    waiting: () => waiting.flat().length,
    flush() {
      flushing ??= flush().finally(() => {
        flushing = undefined;
      });
      return flushing;
    },
  };
}

const ofEnd = (entry: NewRunEntry | undefined) =>
  entry?.kind === 'outcome' || entry?.kind === 'denied' ? { command: entry.command, outcome: entry.outcome } : {};
