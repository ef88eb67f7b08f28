import type { ConfigProblem } from '../config/value.ts';
import type { DiscordFound } from '../discord/probe.ts';
import type { CommandChanges } from '../discord/register.ts';
import type { PanelFound } from '../panel/probe.ts';
import type { Policy } from '../policy/schema.ts';
import type { RedisFound } from '../redis/probe.ts';
import type { Looked } from './line.ts';

export interface LedgerFound {
  entries: number;
  unreadable?: string;
  problem?: string;
  /** Why nothing can be appended. */
  unwritable?: string;
  /** Whether it can be written is Redis's own line to say. */
  untried?: true;
  /** How to repair either, if known. */
  remedy?: string;
  /** There was no time to verify all of it. */
  late?: true;
}

/** The audit channel, compared with the ledger. */
export interface TrailFound {
  messages: number;
  closed?: string;
  /** How many entries are not in the channel yet, and the age of the oldest, in ms. */
  waiting: number;
  waitingFor: number;
  /** The channel holds entries that the ledger lacks. */
  isContradicted: boolean;
  /** How many findings are not acknowledged, including those not recorded yet. */
  open: number;
}

type CommandsFound = CommandChanges & { isPending?: boolean };

/** The answer at the path of `restore-status` for a job that the panel accepted. `age` in ms. */
export interface RestoreFound {
  answer: 'understood' | 'not-found' | 'not-understood' | 'failed';
  server: number;
  job: number;
  age: number;
}

/** What came of reading the backups of one server; `backups`: how many it lists. */
export interface BackupsFound extends Pick<RestoreFound, 'answer' | 'server'> {
  backups?: number | undefined;
}

/** The servers that the policy does not list itself. `at`: of when the list is, in ms; `gains`: how many of it each role reaches. */
export interface InventoryFound {
  servers: number;
  at?: number | undefined;
  gains?: readonly { role: string; servers: number }[];
  problem?: string;
}

/** A schedule by its calendar: whom it names now, or why it cannot be read. */
export type CalendarFound = { name: string } & ({ people: number; unmatched: readonly string[] } | { problem: string });

/** `at`: where alerts come in. `state`: who listens there, or the code of why nobody can. */
export interface AlertsFound {
  at: string;
  state: 'the bot' | 'nobody' | 'another' | (string & {});
  /** Why they reach nobody: what the policy lacks. */
  lacks?: 'alerts' | 'alerts.acknowledge' | undefined;
}

/** In bytes. */
export interface DiskFound {
  free: number;
  size: number;
}

export interface Bounds {
  certificateMs: number;
  skewMs: number;
  /** The share of the panel's requests a minute that should remain. */
  budget: number;
  disk: { free: number; share: number };
  /** The maximum age of the canary, in ms. */
  canaryMs: number;
  /** The maximum age of an entry that is not in the audit channel, in ms. */
  trailMs: number;
}

export const usualBounds: Bounds = {
  certificateMs: 14 * 86_400_000,
  skewMs: 30_000,
  budget: 0.2,
  disk: { free: 1024 ** 3, share: 0.05 },
  canaryMs: 60_000,
  trailMs: 5 * 60_000,
};

/** What the checks look at. Several checks share a probe, which looks once, and rejects only on a fault. */
export interface Probes {
  /** `ways`: how others are reached, if a proxy is in use. */
  configuration(): Promise<Looked<{ problems: readonly ConfigProblem[]; warnings: readonly string[]; ways?: string }>>;
  policy(): Promise<Looked<Policy>>;
  /** The audit channel's id. Missing if there is none. */
  audit(): Promise<Looked<{ channel?: string }>>;
  discord(): Promise<Looked<DiscordFound>>;
  /** `isPending`: the bot does not run, and registers them when it starts. */
  commands(): Promise<Looked<CommandsFound | 'not-allowed'>>;
  panel(): Promise<Looked<PanelFound>>;
  redis(): Promise<Looked<RedisFound>>;
  ledger(): Promise<Looked<LedgerFound>>;
  trail(): Promise<Looked<TrailFound>>;
  /** When a worker last took the canary, in ms. */
  canary(): Promise<Looked<{ last?: number }>>;
  restore(): Promise<Looked<RestoreFound>>;
  /** Undefined: the policy has no backup-list. */
  backups(): Promise<Looked<BackupsFound> | undefined>;
  /** Undefined: the policy lists its servers itself. */
  inventory(): Promise<Looked<InventoryFound> | undefined>;
  /** None: the policy has no schedule, or the running bot says itself what is wrong with its calendars. */
  calendars(): Promise<readonly CalendarFound[]>;
  /** Undefined: nobody wants any. */
  alerts(): Promise<Looked<AlertsFound> | undefined>;
  disk(): Promise<Looked<DiskFound>>;
  /** What the running bot waits for: a sentence each. */
  waits(): Promise<readonly string[]>;
  bounds: Bounds;
  now(): number;
}
