import type { Actor } from '../outcome.ts';
import type { Entry, Head, NewEntry } from './entry.ts';

/** What the ledger knows of one run. `outcome` may also be a `denied`. */
export interface RunState {
  run: string;
  asked?: Entry;
  intent?: Entry;
  outcome?: Entry;
  followUp?: FollowUpState;
}

/** What the ledger knows of the watching of a job. What was last seen of the job is not in it. */
export interface FollowUpState {
  started: Entry;
  /** Id of the message that the card is now. */
  card: string;
  /** Who is pinged at the end. */
  notify: Actor;
  /** The number of the last reminder; 0 before the first. */
  reminded: number;
  ended?: Entry;
  announced?: Entry;
}

/** The append-only record, wherever it is kept. */
export interface Ledger {
  /**
   * Records all of the entries or none, in order, and resolves when they are on disk. Rejects with LedgerUnavailable when
   * they could not be written, and with SecondOutcome when a run can take no such step; then nothing was recorded. A Redis
   * that falls silent in the middle leaves it open: after LedgerUnavailable the entries may turn up, never twice.
   */
  append(entries: readonly NewEntry[]): Promise<Entry[]>;
  /** All runs of an invocation, in the order of their numbers. */
  runs(stem: string): RunState[];
  /** Runs without an outcome, oldest first. */
  open(): RunState[];
  /** Runs whose follow-up started and is not announced, oldest first. */
  following(): RunState[];
  /** All of them, oldest first: the same list, which grows. */
  entries(): readonly Entry[];
  /** Takes in what other processes have appended. Rejects with LedgerUnavailable when it cannot be read. */
  refresh(): Promise<void>;
  head(): Head;
  /** Waits for what is being written, then lets the place go. Later appends reject with LedgerUnavailable. */
  close(): Promise<void>;
}

/** A run has had this step, is over, or lacks what must come before: the entry was refused. */
export class SecondOutcome extends Error {
  readonly run: string;
  constructor(run: string, kind: string) {
    super(`run ${run} can take no ${kind}: it has one, it is over, or it lacks what comes before`);
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
  /** `place` is the file or the stream. */
  constructor(place: string, seq: number, problem: string) {
    super(`${place}: ${problem}. Restore it from a copy, or move it away and start a new ledger.`);
    this.name = 'LedgerDamaged';
    this.seq = seq;
  }
}
