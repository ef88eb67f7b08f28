import { createGroups, type Group } from './groups.ts';
import { createRulesets, type Rule } from './rules.ts';
import { createServers, type Server } from './servers.ts';

export interface RestoreJob {
  jobId: number;
  serverId: number;
  hypervisorId: number;
  started: Date;
  /** When it stops counting as running. */
  ends: Date;
  disks: string[];
}

export interface QueueItem {
  queueId: number;
  serverId: number;
  action: string;
  started: Date;
}

/** Everything that the panel knows. Plain data: tests may read and change it at any time. */
export interface PanelState {
  servers: Server[];
  groups: Group[];
  /** Rules of the known rulesets, by ruleset id. */
  rulesets: Record<number, Rule[]>;
  jobs: RestoreJob[];
  queue: QueueItem[];
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
    server(id) {
      const server = servers.find((each) => each.id === id);
      if (!server) throw new Error(`the sandbox has no server ${id}`);
      return server;
    },
  };
}
