import type { EndpointName } from '../../src/panel/endpoints.ts';
import {
  groupShape,
  jobShape,
  pageOf,
  queueItemShape,
  resourcesShape,
  type Shape,
} from '../helpers/sandbox/panel/shape.ts';

/**
 * The panel's API documentation as literals, one row per endpoint, copied by hand. The client and the sandbox's panel are
 * both held against it, so that they cannot share a mistake.
 */
export interface ContractRow {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the document writes it, below the base URL. */
  template: string;
  /** Method and path on the wire for `input`, below the base URL, with the query. */
  sample: string;
  /** The named parameters of path, query and body in one flat object. */
  input: Record<string, unknown>;
  /** The JSON body on the wire for `input`; left out: none. */
  body?: unknown;
  /** The documented status of success. */
  success: 200 | 201 | 204;
  /** The fields of a success, for `shapeProblems`; left out: not documented. */
  shape?: Shape;
  /** Whether the sample changes a server. */
  changes: boolean;
  /** Its 401 has no body; the others say `401 Unauthorized`. */
  bareUnauthorized?: true;
}

const power = (word: string): ContractRow => ({
  method: 'POST',
  template: `/servers/{serverId}/power/${word}`,
  sample: `/servers/101/power/${word}`,
  input: { serverId: 101 },
  success: 200,
  shape: queueItemShape,
  changes: true,
});

/** All endpoints, grouped as the panel groups them. */
export const contract: Readonly<Record<EndpointName, ContractRow>> = {
  connect: {
    method: 'GET',
    template: '/connect',
    sample: '/connect',
    input: {},
    success: 200,
    shape: 'object',
    changes: false,
  },
  groups: {
    method: 'GET',
    template: '/compute/hypervisors/groups',
    sample: '/compute/hypervisors/groups?results=5&page=2',
    input: { results: 5, page: 2 },
    success: 200,
    shape: pageOf(groupShape),
    changes: false,
  },
  group: {
    method: 'GET',
    template: '/compute/hypervisors/groups/{hypervisorGroupId}',
    sample: '/compute/hypervisors/groups/1',
    input: { hypervisorGroupId: 1 },
    success: 200,
    shape: { data: groupShape },
    changes: false,
  },
  resources: {
    method: 'GET',
    template: '/compute/hypervisors/groups/{hypervisorGroupId}/resources',
    sample: '/compute/hypervisors/groups/1/resources?results=7&page=1',
    input: { hypervisorGroupId: 1, results: 7, page: 1 },
    success: 200,
    shape: pageOf(resourcesShape),
    changes: false,
  },
  firewallDisable: {
    method: 'POST',
    template: '/servers/{serverId}/firewall/{interface}/disable',
    sample: '/servers/101/firewall/primary/disable?sync=true',
    input: { serverId: 101, interface: 'primary', sync: true },
    success: 200,
    changes: true,
  },
  firewallEnable: {
    method: 'POST',
    template: '/servers/{serverId}/firewall/{interface}/enable',
    sample: '/servers/101/firewall/secondary/enable?sync=false',
    input: { serverId: 101, interface: 'secondary', sync: false },
    success: 200,
    changes: true,
  },
  firewall: {
    method: 'GET',
    template: '/servers/{serverId}/firewall/{interface}',
    sample: '/servers/101/firewall/primary?sync=false',
    input: { serverId: 101, interface: 'primary', sync: false },
    success: 200,
    shape: { data: { enabled: 'boolean', rules: ['anything'] } },
    changes: false,
  },
  firewallRules: {
    method: 'POST',
    template: '/servers/{serverId}/firewall/{interface}/rules',
    sample: '/servers/101/firewall/primary/rules?sync=true',
    input: { serverId: 101, interface: 'primary', sync: true, rulesets: [1, 2] },
    body: { rulesets: [1, 2] },
    success: 201,
    changes: true,
  },
  whitelistAdd: {
    method: 'POST',
    template: '/servers/{serverId}/networkWhitelist',
    sample: '/servers/101/networkWhitelist',
    input: { serverId: 101, interface: 'primary', ip: '2001:db8:101::', cidr: 48 },
    body: { interface: 'primary', ip: '2001:db8:101::', cidr: 48 },
    success: 201,
    changes: true,
  },
  whitelistRemove: {
    method: 'DELETE',
    template: '/servers/{serverId}/networkWhitelist',
    sample: '/servers/101/networkWhitelist',
    input: { serverId: 101, interface: 'primary', ip: '203.0.113.128' },
    body: { interface: 'primary', ip: '203.0.113.128' },
    success: 204,
    changes: true,
  },
  ipv4Assign: {
    method: 'POST',
    template: '/servers/{serverId}/ipv4Qty',
    sample: '/servers/101/ipv4Qty',
    input: { serverId: 101, interface: 'primary', quantity: 2 },
    body: { interface: 'primary', quantity: 2 },
    success: 200,
    shape: { data: ['ipv4'] },
    changes: true,
  },
  ipv4Add: {
    method: 'POST',
    template: '/servers/{serverId}/ipv4',
    sample: '/servers/101/ipv4',
    input: { serverId: 101, ip: ['203.0.113.20', '203.0.113.21'] },
    body: { ip: ['203.0.113.20', '203.0.113.21'] },
    success: 204,
    changes: true,
  },
  ipv4Remove: {
    method: 'DELETE',
    template: '/servers/{serverId}/ipv4',
    sample: '/servers/101/ipv4',
    input: { serverId: 101, ip: ['203.0.113.5'] },
    body: { ip: ['203.0.113.5'] },
    success: 204,
    changes: true,
  },
  powerBoot: power('boot'),
  powerShutdown: power('shutdown'),
  powerRestart: power('restart'),
  powerPoweroff: power('poweroff'),
  trafficAdd: {
    method: 'POST',
    template: '/servers/{serverId}/traffic/blocks',
    sample: '/servers/101/traffic/blocks',
    input: { serverId: 101, month: 3, amount: 500 },
    body: { month: 3, amount: 500 },
    success: 201,
    changes: true,
  },
  traffic: {
    method: 'GET',
    template: '/servers/{serverId}/traffic/blocks',
    sample: '/servers/101/traffic/blocks',
    input: { serverId: 101 },
    success: 200,
    changes: false,
  },
  backupRestore: {
    method: 'POST',
    template: '/servers/{serverId}/backupManager/restore',
    sample: '/servers/101/backupManager/restore',
    input: { serverId: 101, disks: ['0', '1'], diskChains: { '0': 17 }, diskUntils: { '1': 1_795_125_600 } },
    body: { disks: ['0', '1'], diskChains: { '0': 17 }, diskUntils: { '1': 1_795_125_600 } },
    success: 200,
    shape: jobShape,
    changes: true,
    bareUnauthorized: true,
  },
  cpuThrottle: {
    method: 'PUT',
    template: '/servers/{serverId}/modify/cpuThrottle',
    sample: '/servers/101/modify/cpuThrottle?sync=true',
    input: { serverId: 101, sync: true, percent: 50 },
    body: { percent: 50 },
    success: 201,
    changes: true,
  },
  vlanSet: {
    method: 'PUT',
    template: '/servers/{serverId}/interfaces/{interfaceRef}/vlans/{vlanId}',
    sample: '/servers/101/interfaces/4000000101/vlans/7',
    input: { serverId: 101, interfaceRef: '4000000101', vlanId: 7, nativeMode: 1, trunk: 2 },
    body: { nativeMode: 1, trunk: 2 },
    success: 200,
    shape: { data: { id: 'integer', vlanId: 'integer', trunk: 'integer', nativeMode: 'integer' } },
    changes: true,
    bareUnauthorized: true,
  },
};

/** The same as a list. The table has no other keys than its type says. */
export const contractRows = Object.entries(contract).map(([name, row]) => ({ name: name as EndpointName, ...row }));
