/** What in the ledger waits, and since when the oldest of it does, in ms. */
export interface Backlog {
  count: number;
  oldest?: number;
}

/** How it goes with a job that is followed; `unseen`: nobody has looked yet. */
export const followUpStates = ['seen', 'unseen', 'late', 'blind', 'unreadable'] as const;
export type FollowUpState = (typeof followUpStates)[number];

/** What keeps changes from being done. */
export const holds = ['trail-behind', 'trail-closed', 'trail-contradicted', 'ledger-damaged'] as const;

/** Why the audit channel is behind while changes go on, where the policy says so. */
export const lags = ['trail-behind', 'trail-closed'] as const;

/** How a running bot is, as it knows it now: asked when somebody looks, and counted nowhere else. None of it calls the panel. */
export interface Vitals {
  /** Whether Discord's gateway is connected; undefined: this process needs none. */
  gateway(): boolean | undefined;
  /** Whether Redis is connected. */
  redis(): boolean;
  /** Rejects when the ledger cannot be written. */
  probeLedger(): Promise<void>;
  /** When a worker last took the canary, in ms. */
  lastCanary(): Promise<number | undefined>;
  questions(): number;
  /** Runs whose outcome is unknown, until somebody says what happened. */
  unknown(): Backlog;
  followUps(): Promise<readonly { state: FollowUpState; since: number }[]>;
  /** Entries that are not in the audit channel; undefined: there is none, or it cannot be read. */
  trail(): Backlog | undefined;
  /** Why changes are refused now. */
  holds(): readonly (typeof holds)[number][];
  /** Why the audit channel is behind, in words too, where changes go on all the same. */
  lag(): { reason: (typeof lags)[number]; words: string } | undefined;
  /** What the panel's token may still send this minute, as far as the panel tells; and whether requests are held back. */
  panel(): { circuitOpen: boolean; limit?: number; remaining?: number };
  /** Entries that the ledger could not take yet. */
  outbox(): number;
}
