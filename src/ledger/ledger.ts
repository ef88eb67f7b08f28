import type { Records } from '../runs/book.ts';
import type { Entry, NewEntry } from '../runs/entry.ts';
import type { Head } from './chain.ts';

/** The append-only record, independent of where it is stored. */
export interface Ledger extends Records {
  /**
   * Appends all entries, in order, or none; resolves when they are on disk. Rejects with Refused when the rules do
   * not allow one of them; then nothing was written. Rejects with LedgerUnavailable when they could not be written.
   * If Redis times out in the middle, they may still appear later, but never twice.
   */
  append(entries: readonly NewEntry[]): Promise<Entry[]>;
  /** Whether entries could be written now, tried without recording any. Rejects with LedgerUnavailable where they could not. */
  probe(): Promise<void>;
  /** Resolves once it is known what of earlier appends was written. Rejects with LedgerUnavailable while that cannot be read. */
  settle(): Promise<void>;
  /** Calls `listener` for each new entry, in chain order. */
  subscribe(listener: (entry: Entry) => void): void;
  /** Whether it is certain that no other process acts. */
  isHeld(): boolean;
  head(): Head;
  /** Waits for the writes in progress, then releases the ledger. Later appends reject with LedgerUnavailable. */
  close(): Promise<void>;
}

/** Why an entry is refused. `second`: there is one. `stale`: its server changed since. `stopped`: freeze, hold. */
export type Rule = 'second' | 'out-of-order' | 'expired' | 'server-busy' | 'stale' | 'stopped';

/** The rules do not allow this entry now. `by` is the entry that conflicts with it. */
export class Refused extends Error {
  readonly rule: Rule;
  readonly by?: Entry;
  constructor(rule: Rule, entry: NewEntry, by?: Entry) {
    const what = 'run' in entry ? `${entry.kind} of run ${entry.run}` : entry.kind;
    super(`${what} was refused (${rule})${by === undefined ? '' : `: it conflicts with entry ${by.seq}`}`);
    this.name = 'Refused';
    this.rule = rule;
    if (by !== undefined) this.by = by;
  }
}

/** Another live process holds the folder. */
export class LedgerLocked extends Error {
  constructor(dir: string, holder: string) {
    super(`${holder} is already using the folder ${dir}: stop it first, or set another DATA_DIR for another bot`);
    this.name = 'LedgerLocked';
  }
}

/** Another process leads, and has written into the ledger since. */
export class Deposed extends Error {
  constructor() {
    super('Another process of the bot leads now. This one records nothing more and stops.');
    this.name = 'Deposed';
  }
}

/** A newer version has led, which may have recorded what this one does not know. */
export class Outdated extends Error {
  constructor(own: string, leads: string) {
    super(
      `This is version ${own} of panelops, and version ${leads} leads, which may record what this one does not know. Start this process with ${leads}.`,
    );
    this.name = 'Outdated';
  }
}

/** What is no file has the name of one of the bot's. To open a named pipe would wait for ever. */
export class NotAFile extends Error {
  readonly problem: string;
  readonly remedy = 'Move it away, or set another DATA_DIR.';
  constructor(path: string, kind: string) {
    const problem = `${path} is ${kind}, where the bot keeps a file`;
    super(`${problem}. Move it away, or set another DATA_DIR.`);
    this.name = 'NotAFile';
    this.problem = problem;
  }
}

/** The channel has a trail, but the ledger behind it is missing. */
export class LedgerMissing extends Error {
  constructor(where: string, channel: string, reach: number) {
    super(
      `${where} has no ledger, but the audit channel ${channel} has the trail of one, up to entry ${reach}. ` +
        'Point DATA_DIR or REDIS_URL at that ledger, or restore it from a copy. ' +
        'If it is lost, start once with --new-ledger: all changes are then refused until somebody types /audit acknowledge.',
    );
    this.name = 'LedgerMissing';
  }
}

/** Another process has taken the folder, or may have. `by` describes it; undefined if the lock file was removed. */
export class LedgerTaken extends Error {
  constructor(dir: string, by?: string) {
    super(
      by === undefined
        ? `the lock of the ledger in ${dir} was removed, so another process may have it. This one records nothing more and stops. Start it again.`
        : `${by} has taken the ledger in ${dir}: this process missed its heartbeats and counted as dead. It records nothing more and stops.`,
    );
    this.name = 'LedgerTaken';
  }
}

/** The chain does not verify. `seq` is the first invalid entry. */
export class LedgerDamaged extends Error {
  readonly seq: number;
  /** `place` is the file or the stream. */
  constructor(place: string, seq: number, problem: string) {
    super(
      `${place}: ${problem}. Keep it as it is. docs/operations.md, "A ledger that breaks under the bot", says how to restore it.`,
    );
    this.name = 'LedgerDamaged';
    this.seq = seq;
  }
}

/** With its current settings, this Redis could lose acknowledged writes. The message names the settings to change. */
export class LedgerUnsafe extends Error {
  readonly problem: string;
  readonly remedy: string;
  constructor(problem: string, remedy: string) {
    super(`the ledger cannot be kept in this Redis: ${problem}. ${remedy}`);
    this.name = 'LedgerUnsafe';
    this.problem = problem;
    this.remedy = remedy;
  }
}
