import type { ConfigProblem } from '../config/problem.ts';
import type { DiscordFound } from '../discord/probe.ts';
import type { CommandChanges } from '../discord/register.ts';
import type { PanelFound } from '../panel/probe.ts';
import type { Policy } from '../policy/schema.ts';
import type { RedisFound } from '../redis/probe.ts';
import type { Looked } from './line.ts';

/** The ledger where it is kept. */
export interface LedgerFound {
  entries: number;
  /** Why it could not be read. */
  unreadable?: string;
  /** What is first not as it was written. */
  problem?: string;
  /** Why nothing can be appended. */
  unwritable?: string;
  /** What mends either, where that is known. */
  remedy?: string;
  /** There was no time to verify it whole. */
  late?: true;
}

/** The audit channel, compared with the ledger. */
export interface TrailFound {
  messages: number;
  /** Why the channel could not be read. */
  closed?: string;
  /** Entries that are not in the channel yet, and how old the oldest is, in ms. */
  waiting: number;
  waitingFor: number;
  /** The channel has what the ledger does not have. */
  isContradicted: boolean;
  /** Findings that nobody acknowledged, and what is not as it was posted and not a finding yet. */
  open: number;
}

type CommandsFound = CommandChanges & { isPending?: boolean };

/** What the path of `restore-status` answers for a job that the panel accepted. `age` in ms. */
export interface RestoreFound {
  answer: 'understood' | 'not-found' | 'not-understood' | 'failed';
  server: number;
  job: number;
  age: number;
}

/** In bytes. */
export interface DiskFound {
  free: number;
  size: number;
}

/** From where on something is said. */
export interface Bounds {
  certificateMs: number;
  skewMs: number;
  /** Of the panel's requests a minute. */
  budget: number;
  disk: { free: number; share: number };
  /** How long ago a worker may have shown itself at most, in ms. */
  canaryMs: number;
  /** How old the oldest entry that is not in the audit channel may be, in ms. */
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

/**
 * Where the checks look. Each is asked by several checks and looks once. What it finds wrong is in what it returns: one that
 * rejects met a fault.
 */
export interface Probes {
  configuration(): Promise<Looked<{ problems: readonly ConfigProblem[]; warnings: readonly string[] }>>;
  policy(): Promise<Looked<Policy>>;
  /** The audit channel's id; left out: there is none. */
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
  disk(): Promise<Looked<DiskFound>>;
  bounds: Bounds;
  now(): number;
}
