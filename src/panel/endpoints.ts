import type { z } from 'zod';
import { parameters } from './parameters.ts';
import { answers } from './schemas.ts';

/** One operation of the panel, as a fact about the wire. */
export interface Endpoint {
  /** Its number in the panel's documentation. */
  number: number;
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
    number: 1,
    method: 'GET',
    path: '/connect',
    input: none,
    query: [],
    retryable: true,
    answer: answers.connected,
  },
  groups: {
    number: 2,
    method: 'GET',
    path: '/compute/hypervisors/groups',
    input: page,
    query: ['results', 'page'],
    retryable: true,
    answer: answers.groups,
  },
  group: {
    number: 3,
    method: 'GET',
    path: '/compute/hypervisors/groups/{hypervisorGroupId}',
    input: group,
    query: [],
    retryable: true,
    answer: answers.group,
  },
  resources: {
    number: 4,
    method: 'GET',
    path: '/compute/hypervisors/groups/{hypervisorGroupId}/resources',
    input: groupPage,
    query: ['results', 'page'],
    retryable: true,
    answer: answers.resources,
  },
  firewallDisable: {
    number: 5,
    method: 'POST',
    path: '/servers/{serverId}/firewall/{interface}/disable',
    input: firewall,
    query: ['sync'],
    retryable: false,
    answer: answers.notShown,
  },
  firewallEnable: {
    number: 6,
    method: 'POST',
    path: '/servers/{serverId}/firewall/{interface}/enable',
    input: firewall,
    query: ['sync'],
    retryable: false,
    answer: answers.notShown,
  },
  firewall: {
    number: 7,
    method: 'GET',
    path: '/servers/{serverId}/firewall/{interface}',
    input: firewall,
    query: ['sync'],
    // A GET, but sync=true applies the stored rules to the running server.
    retryable: 'without-sync',
    answer: answers.firewall,
  },
  firewallRules: {
    number: 8,
    method: 'POST',
    path: '/servers/{serverId}/firewall/{interface}/rules',
    input: parameters.rules,
    query: ['sync'],
    retryable: false,
    answer: answers.notShown,
  },
  whitelistAdd: {
    number: 9,
    method: 'POST',
    path: '/servers/{serverId}/networkWhitelist',
    input: parameters.whitelistAdd,
    query: [],
    retryable: false,
    answer: answers.notShown,
  },
  whitelistRemove: {
    number: 10,
    method: 'DELETE',
    path: '/servers/{serverId}/networkWhitelist',
    input: parameters.whitelistRemove,
    query: [],
    retryable: false,
    answer: answers.notShown,
  },
  ipv4Assign: {
    number: 11,
    method: 'POST',
    path: '/servers/{serverId}/ipv4Qty',
    input: parameters.quantity,
    query: [],
    retryable: false,
    answer: answers.addresses,
  },
  ipv4Add: {
    number: 12,
    method: 'POST',
    path: '/servers/{serverId}/ipv4',
    input: parameters.addresses,
    query: [],
    retryable: false,
    answer: answers.notShown,
  },
  ipv4Remove: {
    number: 13,
    method: 'DELETE',
    path: '/servers/{serverId}/ipv4',
    input: parameters.addresses,
    query: [],
    retryable: false,
    answer: answers.notShown,
  },
  powerBoot: { number: 14, path: '/servers/{serverId}/power/boot', ...power },
  powerShutdown: { number: 15, path: '/servers/{serverId}/power/shutdown', ...power },
  powerRestart: { number: 16, path: '/servers/{serverId}/power/restart', ...power },
  powerPoweroff: { number: 17, path: '/servers/{serverId}/power/poweroff', ...power },
  trafficAdd: {
    number: 18,
    method: 'POST',
    path: '/servers/{serverId}/traffic/blocks',
    input: parameters.traffic,
    query: [],
    retryable: false,
    answer: answers.notShown,
  },
  traffic: {
    number: 19,
    method: 'GET',
    path: '/servers/{serverId}/traffic/blocks',
    input: server,
    query: [],
    retryable: true,
    answer: answers.traffic,
  },
  backupRestore: {
    number: 20,
    method: 'POST',
    path: '/servers/{serverId}/backupManager/restore',
    input: parameters.restore,
    query: [],
    retryable: false,
    answer: answers.job,
  },
  cpuThrottle: {
    number: 21,
    method: 'PUT',
    path: '/servers/{serverId}/modify/cpuThrottle',
    input: parameters.throttle,
    query: ['sync'],
    retryable: false,
    answer: answers.notShown,
  },
  vlanSet: {
    number: 22,
    method: 'PUT',
    path: '/servers/{serverId}/interfaces/{interfaceRef}/vlans/{vlanId}',
    input: parameters.vlan,
    query: [],
    retryable: false,
    answer: answers.vlan,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;
/**
 * The parameters of an endpoint, flat, with the names of the panel's documentation: `{ serverId: 101, interface:
 * 'primary', sync: true }`.
 */
export type Input<E extends EndpointName> = z.input<(typeof endpoints)[E]['input']>;
/**
 * The data of a successful answer: the `data` member if the documentation has one, the whole envelope of a list, or
 * undefined if the body is not documented.
 */
export type Data<E extends EndpointName> = z.output<(typeof endpoints)[E]['answer']>;

/**
 * Whether this call changes the server: everything but GET, and `firewall` with sync=true. Such a call is never retried
 * blindly.
 */
export function changes<E extends EndpointName>(endpoint: E, input: Input<E>): boolean {
  const { retryable } = endpoints[endpoint];
  if (retryable === 'without-sync') return 'sync' in input && input.sync === true;
  return !retryable;
}
