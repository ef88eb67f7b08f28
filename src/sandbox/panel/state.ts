import { createGroups, type Group } from './groups.ts';
import { createRulesets, type Rule } from './rules.ts';
import { createServers, type RestoreFate, type Server } from './servers.ts';

export interface RestoreJob {
  jobId: number;
  serverId: number;
  hypervisorId: number;
  started: Date;
  /** When it stops running; missing: never. */
  ends?: Date;
  disks: string[];
  /** How it ends: the server's `restores` when it started. */
  fate: RestoreFate;
  /** What the job read returns instead. */
  says?: { status?: string; progress?: number; message?: string };
}

export interface QueueItem {
  queueId: number;
  serverId: number;
  hypervisorId: number;
  action: string;
  started: Date;
  /** Missing: not yet. */
  finished?: Date;
  progress: number;
  /** Why it failed; missing: it did not. */
  problem?: string;
}

/** The panel's whole state. Plain data: tests may read and change it at any time. */
export interface PanelState {
  servers: Server[];
  groups: Group[];
  /** Rules of the known rulesets, by ruleset id. */
  rulesets: Record<number, Rule[]>;
  jobs: RestoreJob[];
  queue: QueueItem[];
  /** The next ids: none is ever assigned twice. */
  next: { jobId: number; queueId: number; serverId: number };
  /** The current or last port; 0: none yet. */
  port: number;
  /** The server with this id; throws when there is none. */
  server(id: number): Server;
}

/** A new state, the same at every start. `now` only sets the billing periods of the traffic blocks. */
export function createState(now: Date): PanelState {
  const servers = createServers(now);
  return {
    servers,
    groups: createGroups(),
    rulesets: createRulesets(),
    jobs: [],
    queue: [],
    next: { jobId: 9001, queueId: 5001, serverId: 301 },
    port: 0,
    server(id) {
      const server = servers.find((each) => each.id === id);
      if (!server) throw new Error(`the sandbox has no server ${id}`);
      return server;
    },
  };
}
