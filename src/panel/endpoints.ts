import type { z } from 'zod';
import { parameters } from './parameters.ts';
import { answers } from './schemas.ts';

/** One operation of the panel, as a fact about the wire. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the base URL; `{name}` is filled from the input. */
  path: string;
  /** The input. Members named in `path` or `query` go there, all others into the JSON body. */
  input: z.ZodType<Record<string, unknown>>;
  query: readonly string[];
  /** Whether it may be retried if it may have arrived: reads may, changes may not. */
  retryable: boolean | 'without-sync';
  /** Reads the success body. */
  answer: z.ZodType;
}

const { none, page, group, groupPage, server, firewall } = parameters;
const power = { method: 'POST', input: server, query: [], retryable: false, answer: answers.queued } as const;

/** All operations in the panel's documentation. */
export const endpoints = {
  connect: {
    method: 'GET',
    path: '/connect',
    input: none,
    query: [],
    retryable: true,
    answer: answers.connected,
  },
  groups: {
    method: 'GET',
    path: '/compute/hypervisors/groups',
    input: page,
    query: ['results', 'page'],
    retryable: true,
    answer: answers.groups,
  },
  group: {
    method: 'GET',
    path: '/compute/hypervisors/groups/{hypervisorGroupId}',
    input: group,
    query: [],
    retryable: true,
    answer: answers.group,
  },
  resources: {
    method: 'GET',
    path: '/compute/hypervisors/groups/{hypervisorGroupId}/resources',
    input: groupPage,
    query: ['results', 'page'],
    retryable: true,
    answer: answers.resources,
  },
  firewallDisable: {
    method: 'POST',
    path: '/servers/{serverId}/firewall/{interface}/disable',
    input: firewall,
    query: ['sync'],
    retryable: false,
    answer: answers.notShown,
  },
  firewallEnable: {
    method: 'POST',
    path: '/servers/{serverId}/firewall/{interface}/enable',
    input: firewall,
    query: ['sync'],
    retryable: false,
    answer: answers.notShown,
  },
  firewall: {
    method: 'GET',
    path: '/servers/{serverId}/firewall/{interface}',
    input: firewall,
    query: ['sync'],
    // A GET, but sync=true applies the stored rules to the running server.
    retryable: 'without-sync',
    answer: answers.firewall,
  },
  firewallRules: {
    method: 'POST',
    path: '/servers/{serverId}/firewall/{interface}/rules',
    input: parameters.rules,
    query: ['sync'],
    retryable: false,
    answer: answers.notShown,
  },
  whitelistAdd: {
    method: 'POST',
    path: '/servers/{serverId}/networkWhitelist',
    input: parameters.whitelistAdd,
    query: [],
    retryable: false,
    answer: answers.notShown,
  },
  whitelistRemove: {
    method: 'DELETE',
    path: '/servers/{serverId}/networkWhitelist',
    input: parameters.whitelistRemove,
    query: [],
    retryable: false,
    answer: answers.notShown,
  },
  ipv4Assign: {
    method: 'POST',
    path: '/servers/{serverId}/ipv4Qty',
    input: parameters.quantity,
    query: [],
    retryable: false,
    answer: answers.addresses,
  },
  ipv4Add: {
    method: 'POST',
    path: '/servers/{serverId}/ipv4',
    input: parameters.addresses,
    query: [],
    retryable: false,
    answer: answers.notShown,
  },
  ipv4Remove: {
    method: 'DELETE',
    path: '/servers/{serverId}/ipv4',
    input: parameters.addresses,
    query: [],
    retryable: false,
    answer: answers.notShown,
  },
  powerBoot: { path: '/servers/{serverId}/power/boot', ...power },
  powerShutdown: { path: '/servers/{serverId}/power/shutdown', ...power },
  powerRestart: { path: '/servers/{serverId}/power/restart', ...power },
  powerPoweroff: { path: '/servers/{serverId}/power/poweroff', ...power },
  trafficAdd: {
    method: 'POST',
    path: '/servers/{serverId}/traffic/blocks',
    input: parameters.traffic,
    query: [],
    retryable: false,
    answer: answers.notShown,
  },
  traffic: {
    method: 'GET',
    path: '/servers/{serverId}/traffic/blocks',
    input: server,
    query: [],
    retryable: true,
    answer: answers.traffic,
  },
  backupRestore: {
    method: 'POST',
    path: '/servers/{serverId}/backupManager/restore',
    input: parameters.restore,
    query: [],
    retryable: false,
    answer: answers.job,
  },
  cpuThrottle: {
    method: 'PUT',
    path: '/servers/{serverId}/modify/cpuThrottle',
    input: parameters.throttle,
    query: ['sync'],
    retryable: false,
    answer: answers.notShown,
  },
  vlanSet: {
    method: 'PUT',
    path: '/servers/{serverId}/interfaces/{interfaceRef}/vlans/{vlanId}',
    input: parameters.vlan,
    query: [],
    retryable: false,
    answer: answers.vlan,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
/** The parameters of an endpoint, flat, as the panel's documentation names them: `{ serverId: 101, sync: true }`. */
export type Input<E extends EndpointName> = z.input<(typeof endpoints)[E]['input']>;
/** The data of a yes: its `data` member, the whole envelope of a list, or undefined if none is documented. */
export type Data<E extends EndpointName> = z.output<(typeof endpoints)[E]['answer']>;

/** Everything but GET, and `firewall` with sync=true, changes the server: it is never retried blindly. */
export function changes<E extends EndpointName>(endpoint: E, input: Input<E>): boolean {
  const { retryable } = endpoints[endpoint];
  if (retryable === 'without-sync') return 'sync' in input && input.sync === true;
  return !retryable;
}
