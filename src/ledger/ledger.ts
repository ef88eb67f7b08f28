import type { Actor } from '../outcome.ts';
import type { Head } from './chain.ts';
import type { Entry, EventEntry, NewEntry, RunEntry, Undo } from './entry.ts';

/** What the ledger knows of one run. `outcome` may also be a `denied`. */
export interface RunState {
  run: string;
  asked?: RunEntry;
  intent?: RunEntry;
  outcome?: RunEntry;
  followUp?: FollowUpState;
  /** Somebody said how it ended, after it was unknown. */
  resolved?: RunEntry;
  /** The actor was reminded of it. */
  reminded?: RunEntry;
  /** How to take it back: of what the panel said yes to, or a person that it happened. */
  undo?: Undo;
  /** When the actor wants to be reminded of it, ISO time; of the same. */
  remind?: string;
}

/**
 * Something that was done on a server and not taken back: `what` as the intent called it, and the outcome that left it so. What
 * is only stored is not done yet: until it is applied, `unapplied …` alone is loose.
 */
export interface Loose {
  what: string;
  server: NonNullable<RunEntry['server']>;
  since: RunEntry;
  /** When whoever did it wants to be reminded, ISO time. */
  remind?: string;
}

type IncidentEntry = Extract<EventEntry, { kind: 'incident' }>;

/** `id` is that of its thread. */
export interface Incident {
  id: string;
  title: string;
  opened: IncidentEntry;
  notes: readonly IncidentEntry[];
  ended?: IncidentEntry;
}

/** What the ledger knows of the watching of a job. What was last seen of the job is not in it. */
export interface FollowUpState {
  started: RunEntry;
  /** Id of the message that the card is now. */
  card: string;
  /** Who is pinged at the end. */
  notify: Actor;
  /** The number of the last reminder; 0 before the first. */
  reminded: number;
  ended?: RunEntry;
  announced?: RunEntry;
}

/** What the ledger holds. */
export interface Records {
  /** All runs of an invocation, in the order of their numbers. */
  runs(stem: string): RunState[];
  /** Runs without an outcome, oldest first. */
  open(): RunState[];
  /** Runs whose follow-up started and is not announced, oldest first. */
  following(): RunState[];
  /** Runs whose end nobody knows, oldest first. */
  unknown(): RunState[];
  /** Runs of which somebody wants to be reminded, and was not yet. */
  reminders(): RunState[];
  /** What was done and not taken back, oldest first. */
  loose(): Loose[];
  /** The last outcome of a command on a server that was a yes. */
  last(command: string, server: number): RunEntry | undefined;
  /** What put a thing on a server in order, oldest first: the same list, which changes. */
  closed(what: string, server: number): readonly { outcome: RunEntry }[];
  incidents(): Incident[];
  /** All of them, oldest first: the same list, which grows. */
  entries(): readonly Entry[];
  /** How runs on a server ended, oldest first, without denials: the same list, which grows. */
  outcomes(server: number): readonly RunEntry[];
}

/** The append-only record, wherever it is kept. */
export interface Ledger extends Records {
  /**
   * Records all of the entries or none, in order, and resolves when they are on disk. Rejects with LedgerUnavailable when
   * they could not be written, and with SecondOutcome when a run or an incident can take no such step; then nothing was recorded. A Redis
   * that falls silent in the middle leaves it open: after LedgerUnavailable the entries may turn up, never twice.
   */
  append(entries: readonly NewEntry[]): Promise<Entry[]>;
  /** Takes in what other processes have appended. Rejects with LedgerUnavailable when it cannot be read. */
  refresh(): Promise<void>;
  head(): Head;
  /** Waits for what is being written, then lets the place go. Later appends reject with LedgerUnavailable. */
  close(): Promise<void>;
}

/** A run, or an incident, has had this step, is over, or lacks what must come before: the entry was refused. */
export class SecondOutcome extends Error {
  /** Of the run or the incident. */
  readonly id: string;
  constructor(id: string, kind: string) {
    super(`${id} can take no ${kind}: it has one, it is over, or it lacks what comes before`);
    this.name = 'SecondOutcome';
    this.id = id;
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
