import { z } from 'zod';
import { readState, replaceState, reportingTrouble, type StateFile } from '../file.ts';
import { SandboxUnreadable } from '../unreadable.ts';
import { advance } from './periods.ts';
import type { PanelState } from './state.ts';

const text = z.string();
const number = z.number();
const flag = z.boolean();

const rules = z.array(z.record(text, z.unknown()));
const settings = z.object({ enabled: flag, rules });
const networkInterface = z.object({
  tag: text,
  firewall: z.object({ stored: settings, applied: settings }),
  trunk: number,
  vlans: z.array(z.object({ id: number, vlanId: number, nativeMode: number })),
});
const period = { month: number, start: text, end: text };
const fate = z.enum(['finishes', 'fails', 'sticks', 'vanishes']);

const server = z.object({
  ...{ id: number, name: text, groupId: number, hypervisorId: number },
  power: z.enum(['running', 'stopped']),
  ...{ protected: flag, pendingTasks: flag, maintenance: flag, ignoresShutdown: flag },
  suspended: flag.exactOptional(),
  cpuThrottle: z.object({ stored: number, applied: number }),
  interfaces: z.object({ primary: networkInterface, secondary: networkInterface.exactOptional() }),
  ipv4: z.array(text),
  whitelist: z.array(z.object({ interface: z.enum(['primary', 'secondary']), ip: text, cidr: number })),
  traffic: z.object({
    assigned: z.array(z.object({ ...period, id: number, current: flag, traffic: number, added: text })),
    currentMonth: number,
    periods: z.array(z.object(period)),
  }),
  backups: z.record(text, z.array(number)),
  restores: fate,
  bootProblem: text.exactOptional(),
});

const job = z.object({
  ...{ jobId: number, serverId: number, hypervisorId: number },
  started: z.coerce.date(),
  ends: z.coerce.date().exactOptional(),
  disks: z.array(text),
  fate,
  says: z
    .object({ status: text.exactOptional(), progress: number.exactOptional(), message: text.exactOptional() })
    .exactOptional(),
});

const item = z.object({
  ...{ queueId: number, serverId: number, hypervisorId: number, action: text, progress: number },
  started: z.coerce.date(),
  finished: z.coerce.date().exactOptional(),
  problem: text.exactOptional(),
});

/** The mutable state. Pools of free addresses are by group id. */
const whole = z.object({
  servers: z.array(server),
  pools: z.record(text, z.array(text)),
  jobs: z.array(job),
  queue: z.array(item),
  // Older ones have created no server.
  next: z.object({ jobId: number, queueId: number, serverId: number.default(301) }),
  port: number,
});

/** Persists the panel's state. */
export interface Memory {
  /** Writes the whole state; call it before a change is reported to anybody. */
  save(): void;
}

export const noMemory: Memory = { save: () => undefined };

/** Loads a new state from the file and stores it there. Throws SandboxUnreadable if the file is invalid. */
export function remember(state: PanelState, kept: StateFile, now: Date): Memory {
  const saved = readState(kept.path);
  if (saved !== undefined) restore(state, kept.path, saved, now);
  replaceState(kept.path, textOf(state));
  const attempt = reportingTrouble(kept);
  return { save: () => attempt(() => replaceState(kept.path, textOf(state))) };
}

function textOf({ servers, groups, jobs, queue, next, port }: PanelState): string {
  const pools = Object.fromEntries(groups.map(({ id, pool }) => [id, pool]));
  return JSON.stringify({ servers, pools, jobs, queue, next, port } satisfies z.input<typeof whole>);
}

function restore(state: PanelState, path: string, saved: string, now: Date): void {
  const { servers, pools, jobs, queue, next, port } = read(path, saved);
  state.servers.splice(0, state.servers.length, ...servers);
  for (const { traffic } of state.servers) advance(traffic, now);
  for (const group of state.groups) group.pool = pools[group.id] ?? group.pool;
  state.jobs = jobs;
  state.queue = queue;
  state.next = next;
  state.port = port;
}

function read(path: string, saved: string): z.output<typeof whole> {
  try {
    return whole.parse(JSON.parse(saved));
  } catch {
    throw new SandboxUnreadable(path, 'it is damaged');
  }
}
