import type { Records } from '../runs/book.ts';
import type { Entry, NewEntry } from '../runs/entry.ts';
import type { Head } from './chain.ts';

/** The append-only record, wherever it is kept. */
export interface Ledger extends Records {
  /**
   * Records all of the entries or none, in order, and resolves when they are on disk. Rejects with LedgerUnavailable when
   * they could not be written, and with Refused when the rules do not allow one of them now; then nothing was recorded. A Redis
   * that falls silent in the middle leaves it open: after LedgerUnavailable the entries may turn up, never twice.
   */
  append(entries: readonly NewEntry[]): Promise<Entry[]>;
  /** Whether entries could be written now, tried without recording any. Rejects with LedgerUnavailable where they could not. */
  probe(): Promise<void>;
  /** Takes in what other processes have appended. Rejects with LedgerUnavailable when it cannot be read. */
  refresh(): Promise<void>;
  /** Calls back for each entry that this process learns of from now on, in the order of the chain; `own`: it appended it itself. */
  subscribe(listener: (entry: Entry, own: boolean) => void): void;
  head(): Head;
  /** Waits for what is being written, then lets the place go. Later appends reject with LedgerUnavailable. */
  close(): Promise<void>;
}

/** Which rule an entry broke. `second`: there is one already; `stale`: its server was changed since it was decided. */
export type Rule = 'second' | 'out-of-order' | 'expired' | 'server-busy' | 'stale';

/** The rules do not allow this entry now. `by` is the entry that stands in the way. */
export class Refused extends Error {
  readonly rule: Rule;
  readonly by?: Entry;
  constructor(rule: Rule, entry: NewEntry, by?: Entry) {
    const what = 'run' in entry ? `${entry.kind} of run ${entry.run}` : entry.kind;
    super(`${what} was refused (${rule})${by === undefined ? '' : `: entry ${by.seq} stands in the way`}`);
    this.name = 'Refused';
    this.rule = rule;
    if (by !== undefined) this.by = by;
  }
}

/** Another live process has the folder. */
export class LedgerLocked extends Error {
  constructor(dir: string, holder: string) {
    super(`another process (${holder}) has the ledger in ${dir}: stop it first, or set another DATA_DIR`);
    this.name = 'LedgerLocked';
  }
}

/** There is a trail of a ledger, and not the ledger. */
export class LedgerMissing extends Error {
  constructor(where: string, channel: string, reach: number) {
    super(
      `${where} has no ledger, and the audit channel ${channel} has the trail of one, up to entry ${reach}. ` +
        'Point DATA_DIR or REDIS_URL at that ledger, or restore it from a copy. ' +
        'If it is lost, start once with --new-ledger: nothing may change then until somebody types /audit acknowledge.',
    );
    this.name = 'LedgerMissing';
  }
}

/** Another process has the folder by now, or could have it. `by` is that process, in words; left out where the lock was removed. */
export class LedgerTaken extends Error {
  constructor(dir: string, by?: string) {
    super(
      by === undefined
        ? `the lock of the ledger in ${dir} was removed, so another process may have it. This one records nothing more and stops. Start it again.`
        : `${by} has taken the ledger in ${dir}: this process did not show itself in time and counted as dead. It records nothing more and stops.`,
    );
    this.name = 'LedgerTaken';
  }
}

/** The chain does not verify: `seq` is the first entry that is not as it was written. */
export class LedgerDamaged extends Error {
  readonly seq: number;
  /** `place` is the file or the stream. */
  constructor(place: string, seq: number, problem: string) {
    super(`${place}: ${problem}. Restore it from a copy, or move it away and start a new ledger.`);
    this.name = 'LedgerDamaged';
    this.seq = seq;
  }
}
