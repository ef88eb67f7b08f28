import { createGroups, type Group } from './groups.ts';
import { createRulesets, type Rule } from './rules.ts';
import { createServers, type RestoreFate, type Server } from './servers.ts';

export interface RestoreJob {
  jobId: number;
  serverId: number;
  hypervisorId: number;
  started: Date;
  /** When it stops counting as running; left out: never. */
  ends?: Date;
  disks: string[];
  /** How it goes: the server's `restores` at its start. */
  fate: RestoreFate;
  /** What the job read says instead of what it would. */
  says?: { status?: string; progress?: number; message?: string };
}

export interface QueueItem {
  queueId: number;
  serverId: number;
  hypervisorId: number;
  action: string;
  started: Date;
  /** Left out: not yet. */
  finished?: Date;
  progress: number;
  /** Why it failed; left out: it did not. */
  problem?: string;
}

/** Everything that the panel knows. Plain data: tests may read and change it at any time. */
export interface PanelState {
  servers: Server[];
  groups: Group[];
  /** Rules of the known rulesets, by ruleset id. */
  rulesets: Record<number, Rule[]>;
  jobs: RestoreJob[];
  queue: QueueItem[];
  /** The ids that come next: none is ever given twice. */
  next: { jobId: number; queueId: number };
  /** Where it listens, or did; 0: nowhere yet. */
  port: number;
  /** The server with this id; throws when there is none. */
  server(id: number): Server;
}

/** A new world, the same at every start. `now` only places the billing periods of the traffic blocks. */
export function createState(now: Date): PanelState {
  const servers = createServers(now);
  return {
    servers,
    groups: createGroups(),
    rulesets: createRulesets(),
    jobs: [],
    queue: [],
    next: { jobId: 9001, queueId: 5001 },
    port: 0,
    server(id) {
      const server = servers.find((each) => each.id === id);
      if (!server) throw new Error(`the sandbox has no server ${id}`);
      return server;
    },
  };
}
