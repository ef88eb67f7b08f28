import { z } from 'zod';
import { type Answer, parse, refuse } from './answer.ts';
import type { Group } from './groups.ts';
import type { NetworkInterface, Server } from './servers.ts';
import type { PanelState } from './state.ts';

/** A request as endpoints see it: authenticated, its body parsed as JSON. */
export interface PanelRequest {
  method: string;
  /** Below /api/v1, with the query. */
  path: string;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

export interface World {
  state: PanelState;
  now: () => Date;
  /** Base URL, for links between pages. */
  url: () => string;
  restoreMs: number;
  powerMs: number;
  queueReads: boolean;
  /** Records that a change took effect; call it once, after changing the state. */
  effect(request: PanelRequest, server: Server, what: string): void;
  /** Runs `action` after `ms`, unless the panel is closed first. */
  later(ms: number, action: () => void): void;
}

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api/v1, in the router's syntax. */
  url: string;
  /** Its 401 has no body. */
  silent?: true;
  answer(request: PanelRequest, world: World): Answer;
}

export const interfaceName = z.enum(['primary', 'secondary']);

const syncQuery = z.object({ sync: z.enum(['true', 'false']).default('false') });

/** Whether the request has `sync=true`; any value but true and false gives 422. */
export function syncOf(request: PanelRequest): boolean {
  return parse(syncQuery, request.query).sync === 'true';
}

function byId<Record extends { id: number }>(records: Record[], id: string | undefined, kind: string): Record {
  const record = records.find((each) => String(each.id) === id);
  return record ?? refuse(404, `${kind} ${id} was not found.`);
}

/** The server in the path, or 404. */
export function serverOf(request: PanelRequest, world: World): Server {
  return byId(world.state.servers, request.params['serverId'], 'Server');
}

/** The server in the path, for a change: also 423 while tasks are pending, and 503 in maintenance. */
export function changingServer(request: PanelRequest, world: World): Server {
  const server = serverOf(request, world);
  if (server.pendingTasks) refuse(423, 'Other tasks are pending for this server.');
  if (server.maintenance) refuse(503, 'The hypervisor of this server is in maintenance.');
  return server;
}

/** The group in the path, or 404. */
export function groupOf(request: PanelRequest, world: World): Group {
  return byId(world.state.groups, request.params['hypervisorGroupId'], 'Hypervisor group');
}

/** The interface by name, or 404. */
export function interfaceOf(server: Server, name: string | undefined): NetworkInterface {
  const known: Partial<Record<string, NetworkInterface>> = server.interfaces;
  const found = name && Object.hasOwn(known, name) ? known[name] : undefined;
  return found ?? refuse(404, `Server ${server.id} has no ${name} interface.`);
}

/** `web-1 (101)`, for the description of an effect. */
export function naming(server: Server): string {
  return `${server.name} (${server.id})`;
}
