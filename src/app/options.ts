import type { AnnouncerPace } from '../cards/announcer.ts';
import type { Pace } from '../cards/reconciler.ts';
import type { Role } from '../config.ts';
import type { FollowUpParts } from '../follow-ups/index.ts';
import type { Log } from '../outcome.ts';
import type { PanelOptions } from '../panel/client.ts';
import type { Policy } from '../policy/schema.ts';
import type { Limits } from '../run/limits.ts';
import type { TrailIntervals } from '../trail/index.ts';
import type { CheckerOptions } from './checker.ts';
import type { DutyIntervals } from './duties.ts';

/** All that one bot needs to know. `note` stands on every card. */
export interface AppOptions {
  discord: { token: string; guild: string; apiUrl?: string; register: boolean };
  panel: Pick<PanelOptions, 'url' | 'token' | 'ca' | 'timeouts' | 'now' | 'wait'>;
  /** Whether the panel is tried at the start, so that the log says at once when it cannot be used. */
  tryPanel?: boolean;
  policy: Policy;
  dataDir: string;
  /** The id of the audit channel. Left out: the ledger is posted nowhere. */
  audit?: string;
  /** What of panelops this is, for the ledger. */
  version?: string;
  /** Left out: the embedded Redis. */
  redisUrl?: string;
  /** Where the ledger is kept, and with it the cards that are open; in files when left out. */
  ledger?: 'file' | 'redis';
  /** Begins a ledger where the audit channel has the trail of another; else that is refused. */
  newLedger?: boolean;
  /** What this process does; everything when left out. */
  role?: Role;
  note: string;
  log: Log;
  onRefused(problem: string): void;
  /** Another process has the folder by now: nothing is recorded any more, and this process must end. */
  onTaken?(problem: string): void;
  /** What the check of the ledger may use, and its program. */
  checker?: CheckerOptions;
  /** By which commands and reminders go, in ms; the machine's clock when left out. */
  now?(): number;
  /** How much one person may ask, where it differs from the usual. */
  limits?: Partial<Limits> | undefined;
  /** In ms: how often is looked for what others left, how long questions are open, how long a stop waits for what is under way. */
  intervals?: Partial<Intervals>;
}

export interface Intervals {
  recover: number;
  open: { plain: number; typed: number };
  drain: number;
  /** How often the queue of follow-ups is held against the ledger, and the follow-ups' own. */
  reconcile: number;
  followUps?: FollowUpParts['intervals'];
  /** After which a job takes longer than usual, whatever its command says. */
  stuck?: number;
  trail?: Partial<TrailIntervals>;
  duties?: Partial<DutyIntervals>;
  cards?: Partial<Pace>;
  announcer?: Partial<AnnouncerPace>;
  /** After which a process that several share a Redis with counts as dead, unless it showed itself. */
  alive?: number;
}

export const usual: Intervals = {
  recover: 1000,
  open: { plain: 120_000, typed: 300_000 },
  drain: 20_000,
  reconcile: 60_000,
};
