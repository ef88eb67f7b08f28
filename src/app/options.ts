import type { Intake } from '../alerts/intake.ts';
import type { AnnouncerPace } from '../cards/announcer.ts';
import type { Pace } from '../cards/reconciler.ts';
import { createLimits, type Limits as DiscordLimits } from '../discord/rest.ts';
import type { FollowUpParts } from '../follow-ups/index.ts';
import type { StandbyVitals } from '../health/vitals.ts';
import type { LeasePace } from '../ledger/lease.ts';
import type { Clocks } from '../ledger/stopwatch.ts';
import type { Observe } from '../metrics/observe.ts';
import type { FetchCalendar } from '../on-call/fetch.ts';
import type { Log } from '../outcome.ts';
import type { PanelOptions } from '../panel/client.ts';
import type { Policy } from '../policy/schema.ts';
import type { Limits } from '../shell/limits.ts';
import type { ServerParts } from '../terminal/server.ts';
import type { TrailIntervals } from '../trail/index.ts';
import { createWaits, type Waits } from '../waits.ts';
import type { CheckerOptions } from './checker.ts';

/** Everything one bot needs. `note` appears on every card. */
export interface AppOptions {
  discord: { token: string; guild: string; apiUrl?: string; register: boolean; limits?: DiscordLimits };
  panel: Pick<PanelOptions, 'url' | 'token' | 'ca' | 'timeouts' | 'now' | 'wait'>;
  /** Whether to call the panel at startup, so that the log shows at once if it cannot be used. */
  tryPanel?: boolean;
  policy: Policy;
  dataDir: string;
  /** The id of the audit channel. Missing: the ledger is not posted. */
  audit?: string;
  version?: string;
  /** Missing: the embedded Redis. */
  redisUrl?: string;
  /** Discord is the sandbox: your Redis does not become its own. */
  sandboxed?: boolean;
  /** Where alerts of other systems come in; left out: nowhere. `pause`: the least time between two of their entries, in ms. */
  alerts?: (Pick<Intake, 'take' | 'url'> & { pause?: number }) | undefined;
  /** Where the ledger and the open cards are stored; default 'file'. */
  ledger?: 'file' | 'redis';
  /** Starts a new ledger although the audit channel has the trail of another; otherwise that is refused. */
  newLedger?: boolean;
  /** Nobody looks at jobs: for tests. */
  still?: true;
  note: string;
  /** Where terminals of this machine reach the bot, if the policy has a shell. */
  shell?: ShellPlace | undefined;
  /** What metrics and traces are made from; default: nothing is reported. */
  observe?: Observe;
  log: Log;
  /** What the bot waits for; default: only the log has it. */
  waits?: Waits;
  onRefused(problem: string): void;
  /** Aborted once this process is to end: it does not become the leader any more, and its start never settles. */
  stopping?: AbortSignal;
  /** Called while another process leads, and with nothing once this one does. */
  onStandby?(standby: Standby | undefined): void;
  /** Called when another process has taken over: nothing is recorded any more, and this process must exit. */
  onTaken?(problem: string): void;
  /** Resource limits of the ledger check, and its program. */
  checker?: CheckerOptions;
  /** How often the calendars of who is on call are fetched, in ms, and how; and the program of the thread that reads them. */
  onCall?: { every?: number; fetch?: FetchCalendar; program?: URL };
  /** The clock for commands and reminders, in ms; default the machine's. */
  now?(): number;
  /** By which the lease ages; default the machine's. */
  clocks?: Clocks;
  limits?: Partial<Limits> | undefined;
  /** In ms: how often to look for what others left behind, how long questions stay open, how long a stop waits. */
  intervals?: Partial<Intervals>;
}

type ShellPlace = Pick<ServerParts, 'socket' | 'owner'>;

/** A process that waits for the lead. What it reads again is what it will lead with. */
export interface Standby {
  vitals: StandbyVitals;
  /** See Reload. */
  reconfigure(next: { policy: Policy; panelToken?: string }): string[];
  refuseConfiguration(problems: readonly string[]): void;
}

export interface Intervals {
  recover: number;
  open: Limits['open'];
  drain: number;
  /** How often to compare the follow-up queue with the ledger; the others are the follow-ups' own. */
  reconcile: number;
  followUps?: FollowUpParts['intervals'];
  /** When a job counts as slow, regardless of its command. */
  stuck?: number;
  trail?: Partial<TrailIntervals>;
  duties?: Partial<DutyIntervals>;
  cards?: Partial<Pace>;
  announcer?: Partial<AnnouncerPace>;
  inventory?: Partial<InventoryPace>;
  /** Of the lease of `LEDGER=redis`. */
  lease?: Partial<LeasePace>;
}

/** In ms: how often the list is read; and how its reads wait for one another. */
export interface InventoryPace {
  every: number;
  wait(ms: number): Promise<unknown>;
}

/** In ms. */
export interface DutyIntervals {
  /** How often to check whether the pinned counts changed. */
  pins: number;
  /** How often to check whether threads of incidents lack news of their alerts. */
  news: number;
}

export const usual: Omit<Intervals, 'open'> = {
  recover: 1000,
  drain: 20_000,
  reconcile: 60_000,
};

/** What all parts of a bot share: what they wait for, and what is known of Discord's limits. */
export function completed(options: AppOptions) {
  const waits = options.waits ?? createWaits(options.log);
  /** What each write to Discord waits for: a process that wakes up may have a successor. */
  const gate = { awake: (): Promise<void> => Promise.resolve() };
  const { makeRequest, rejectOnRateLimit } = createLimits(waits.add);
  const limits: DiscordLimits = {
    rejectOnRateLimit,
    async makeRequest(url, init) {
      if (init.method !== 'GET') await gate.awake();
      return makeRequest(url, init);
    },
  };
  return { ...options, log: waits.log, waits, gate, discord: { ...options.discord, limits } };
}
