import { expect, test } from 'vitest';
import type { EndpointName, Input } from '../../src/panel/endpoints.ts';
import { bot, connect } from '../helpers/panel/client.ts';
import { serve } from '../helpers/panel/server.ts';

const server = { serverId: 101 };
const firewall = { ...server, interface: 'primary' };
const whitelist = { ...firewall, ip: '192.0.2.0', cidr: 24 };
const restore = { ...server, disks: ['0'] };
const vlan = { ...server, interfaceRef: '4000000101', vlanId: 7 };

const misfits: [EndpointName, object, string][] = [
  ['groups', { results: 0 }, 'results'],
  ['groups', { results: 201 }, 'results'],
  ['groups', { page: 0 }, 'page'],
  ['groups', { page: 1.5 }, 'page'],
  ['group', {}, 'hypervisorGroupId'],
  ['group', { hypervisorGroupId: 0 }, 'hypervisorGroupId'],
  ['traffic', { serverId: -1 }, 'serverId'],
  ['traffic', { serverId: 2 ** 53 }, 'serverId'],
  ['traffic', { serverId: '101' }, 'serverId'],
  ['traffic', { serverId: 101, remoteState: true }, 'remoteState'],
  ['firewall', { ...firewall, interface: 'tertiary' }, 'interface'],
  ['firewall', { ...firewall, sync: 'true' }, 'sync'],
  ['firewallRules', firewall, 'rulesets'],
  ['firewallRules', { ...firewall, rulesets: [0] }, 'rulesets'],
  ['whitelistAdd', { ...whitelist, cidr: 33 }, 'cidr'],
  ['whitelistAdd', { ...whitelist, ip: '2001:db8::', cidr: 129 }, 'cidr'],
  ['whitelistAdd', { ...whitelist, cidr: -1 }, 'cidr'],
  ['whitelistAdd', { ...whitelist, ip: '192.0.2' }, 'ip'],
  ['whitelistRemove', { ...firewall, ip: '192.0.2.0/24' }, 'ip'],
  ['whitelistRemove', { ...firewall, ip: 'fe80::1%eth0' }, 'ip'],
  ['ipv4Assign', { ...firewall, quantity: 0 }, 'quantity'],
  ['ipv4Add', { ...server, ip: [] }, 'ip'],
  ['ipv4Add', { ...server, ip: ['2001:db8::1'] }, 'ip'],
  ['ipv4Remove', { ...server, ip: ['192.0.2.256'] }, 'ip'],
  ['trafficAdd', { ...server, month: 0, amount: 1 }, 'month'],
  ['trafficAdd', { ...server, month: 1, amount: 0.5 }, 'amount'],
  ['backupRestore', { ...restore, disks: [] }, 'disks'],
  ['backupRestore', { ...restore, disks: ['a'] }, 'disks'],
  ['backupRestore', { ...restore, diskChains: { '1': 17 } }, 'diskChains'],
  ['backupRestore', { ...restore, diskUntils: { '1': 1_795_125_600 } }, 'diskUntils'],
  ['cpuThrottle', { ...server, percent: 101 }, 'percent'],
  ['cpuThrottle', { ...server, percent: -1 }, 'percent'],
  ['vlanSet', vlan, 'trunk'],
  ['vlanSet', { ...vlan, trunk: 3 }, 'trunk'],
  ['vlanSet', { ...vlan, nativeMode: 1.5 }, 'nativeMode'],
  ['vlanSet', { ...vlan, trunk: 1, interfaceRef: '400000010' }, 'interfaceRef'],
];

test.each(misfits)(
  '%s with %j is a fault of the program that names %s, and nothing is sent',
  async (endpoint, input, name) => {
    const { url, heard } = await serve({ status: 200 });
    // Inputs that the types would not let through.
    const call = connect(url).call(endpoint, input as Input<typeof endpoint>, bot);
    await expect(call).rejects.toThrow(TypeError);
    await expect(call).rejects.toThrow(name);
    expect(heard).toHaveLength(0);
  },
);

const fits: [EndpointName, object, string, object][] = [
  [
    'whitelistAdd',
    { ...whitelist, ip: '2001:db8::', cidr: 128 },
    'POST',
    { interface: 'primary', ip: '2001:db8::', cidr: 128 },
  ],
  ['whitelistAdd', { ...whitelist, cidr: 0 }, 'POST', { interface: 'primary', ip: '192.0.2.0', cidr: 0 }],
  ['firewallRules', { ...firewall, rulesets: [] }, 'POST', { rulesets: [] }],
  ['backupRestore', restore, 'POST', { disks: ['0'] }],
  ['cpuThrottle', { ...server, percent: 0 }, 'PUT', { percent: 0 }],
  ['cpuThrottle', { ...server, percent: 100 }, 'PUT', { percent: 100 }],
  ['vlanSet', { ...vlan, interfaceRef: 'secondary', trunk: 0 }, 'PUT', { trunk: 0 }],
  ['vlanSet', { ...vlan, nativeMode: 2, trunk: undefined }, 'PUT', { nativeMode: 2 }],
];

test.each(fits)('%s takes %j at the edge of what is allowed', async (endpoint, input, method, body) => {
  const { url, heard } = await serve({ status: 200 });
  // One table for inputs of many endpoints.
  await connect(url).call(endpoint, input as Input<typeof endpoint>, bot);
  expect(heard.map((request) => [request.method, JSON.parse(request.body)])).toEqual([[method, body]]);
});

test('a client with a token or a URL that cannot be used is not made, and neither is repeated', () => {
  expect(() => connect('http://panel.example.com')).toThrow(/must use https/);
  for (const token of ['', 'with space', 'line\nbreak', 'ünïcode']) {
    expect(() => connect('http://127.0.0.1', { token })).toThrow("the panel's token must be one word of plain ASCII");
  }
});
