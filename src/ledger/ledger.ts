import type { Entry, Head, NewEntry } from './entry.ts';

/** What the ledger knows of one run. `outcome` may also be a `denied`. */
export interface RunState {
  run: string;
  asked?: Entry;
  intent?: Entry;
  outcome?: Entry;
}

/** The append-only record, wherever it is kept. */
export interface Ledger {
  /**
   * Records all of the entries or none, in order, and resolves when they are on disk. Rejects with LedgerUnavailable when
   * they could not be written, and with SecondOutcome when a run has had that step; then nothing was recorded.
   */
  append(entries: readonly NewEntry[]): Promise<Entry[]>;
  /** All runs of an invocation, in the order of their numbers. */
  runs(stem: string): RunState[];
  /** Runs without an outcome, oldest first. */
  open(): RunState[];
  head(): Head;
  /** Waits for what is being written, then lets the folder go. Later appends reject with LedgerUnavailable. */
  close(): Promise<void>;
}

/** A run has had this step, or is over: the entry was refused. */
export class SecondOutcome extends Error {
  readonly run: string;
  constructor(run: string, kind: string) {
    super(`run ${run} can take no ${kind}: it has one, or it is over`);
    this.name = 'SecondOutcome';
    this.run = run;
  }
}

/** Another live process has the folder. */
export class LedgerLocked extends Error {
  constructor(dir: string, holder: string) {
    super(`another process (${holder}) has the ledger in ${dir}: stop it first, or set another DATA_DIR`);
    this.name = 'LedgerLocked';
  }
}

/** The chain does not verify: `seq` is the first entry that is not as it was written. */
export class LedgerDamaged extends Error {
  readonly seq: number;
  constructor(file: string, seq: number, problem: string) {
    super(`${file}: ${problem}. Restore the file from a copy, or move it away and start a new ledger.`);
    this.name = 'LedgerDamaged';
    this.seq = seq;
  }
}
