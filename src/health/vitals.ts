import type { Waits } from '../waits.ts';

/** How many entries wait, and since when the oldest does, in ms. */
export interface Backlog {
  count: number;
  oldest?: number;
}

/** States of a follow-up. `unseen`: no look has succeeded yet. */
export const followUpStates = ['seen', 'unseen', 'late', 'blind', 'unreadable'] as const;
export type FollowUpState = (typeof followUpStates)[number];

/** Reasons to refuse all changes. */
export const holds = ['trail-behind', 'trail-closed', 'trail-contradicted', 'ledger-damaged'] as const;

/** Why the audit channel is behind, if the policy lets changes go on. */
export const lags = ['trail-behind', 'trail-closed'] as const;

/** Why the panel's list of servers is not taken: it waits for somebody's word, or could not be read. */
export const listRefusals = ['odd', 'failed'] as const;

/** The panel's list of servers that the bot has; `at`: of when it is, in ms. */
export interface ListState {
  servers: number;
  at?: number | undefined;
  refused?: (typeof listRefusals)[number] | undefined;
}

/** Of a process that waits for the lead. */
export interface StandbyVitals {
  role: 'standby';
  redis(): boolean;
}

/** What health and pushed metrics look at. `vitals`: undefined while the bot starts. */
export interface Watching {
  version: string;
  vitals(): Vitals | StandbyVitals | undefined;
  /** What the bot waits for, a sentence each, and what its start is at. */
  waits: Pick<Waits, 'current' | 'step'>;
}

/** The current state of a running bot, read on request. None of it calls the panel. */
export interface Vitals {
  role: 'leader';
  leads(): boolean;
  gateway(): boolean;
  redis(): boolean;
  /** Rejects when the ledger cannot be written. */
  probeLedger(): Promise<void>;
  /** When a worker last took the canary, in ms. */
  lastCanary(): Promise<number | undefined>;
  questions(): number;
  /** Runs whose outcome is unknown, until somebody says what happened. */
  unknown(): Backlog;
  followUps(): readonly { state: FollowUpState; since: number }[];
  /** Entries that are not in the audit channel. Undefined if there is none, or it cannot be read. */
  trail(): Backlog | undefined;
  holds(): readonly (typeof holds)[number][];
  /** Why the audit channel is behind, if changes go on anyway. */
  lag(): { reason: (typeof lags)[number]; words: string } | undefined;
  /** The token's remaining requests in this minute, if the panel reports them. `circuitOpen`: requests are held back. */
  panel(): { circuitOpen: boolean; limit?: number; remaining?: number };
  /** Undefined: the policy takes no servers from the panel. */
  inventory(): ListState | undefined;
  /** Entries that the ledger could not take yet. */
  outbox(): number;
}
