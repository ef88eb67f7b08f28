import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildPath, type EndpointName, type Input } from '../../src/panel/endpoints.ts';
import { isLoopback, normalizePanelUrl } from '../../src/panel/url.ts';
import { bot, connect } from '../helpers/panel/client.ts';
import { serve } from '../helpers/panel/server.ts';

describe('a base URL in any form in use becomes https://host/api/v1', () => {
  test.each([
    ['panel.example.com', 'https://panel.example.com/api/v1'],
    ['panel.example.com/', 'https://panel.example.com/api/v1'],
    ['panel.example.com:8443', 'https://panel.example.com:8443/api/v1'],
    ['panel.example.com/api/v1', 'https://panel.example.com/api/v1'],
    ['https://panel.example.com', 'https://panel.example.com/api/v1'],
    ['https://panel.example.com/', 'https://panel.example.com/api/v1'],
    ['https://panel.example.com:443/', 'https://panel.example.com/api/v1'],
    ['https://panel.example.com/api/v1', 'https://panel.example.com/api/v1'],
    ['https://panel.example.com/api/v1/', 'https://panel.example.com/api/v1'],
    ['https://example.com/panel/api/v1', 'https://example.com/panel/api/v1'],
    ['HTTPS://Panel.Example.Com', 'https://panel.example.com/api/v1'],
    ['https://[2001:db8::1]/', 'https://[2001:db8::1]/api/v1'],
    ['127.0.0.1', 'http://127.0.0.1/api/v1'],
    ['127.0.0.1:4711', 'http://127.0.0.1:4711/api/v1'],
    ['localhost:4711/', 'http://localhost:4711/api/v1'],
    ['[::1]:4711', 'http://[::1]:4711/api/v1'],
    ['http://localhost:4711/api/v1', 'http://localhost:4711/api/v1'],
    ['https://127.0.0.1:4711', 'https://127.0.0.1:4711/api/v1'],
    ['localhost.example.com', 'https://localhost.example.com/api/v1'],
    ['127.0.0.1.example.com', 'https://127.0.0.1.example.com/api/v1'],
  ])('%s is %s', (text, url) => {
    expect(normalizePanelUrl(text)).toEqual({ url });
  });
});

describe('a base URL that could leak the token or go elsewhere is refused', () => {
  test.each([
    ['', /name a host/],
    ['/', /name a host/],
    ['https://', /name a host/],
    ['https:///panel.example.com', /name a host/],
    ['https:///panel.example.com/api/v1', /name a host/],
    ['https://panel.example.com//api/v1', /end in \/api\/v1/],
    ['http://panel.example.com', /must use https/],
    ['http://127.0.0.1.example.com', /must use https/],
    ['http://localhost.example.com', /must use https/],
    ['ftp://panel.example.com', /begin with https/],
    ['javascript:alert(1)', /must be a URL/],
    ['panel.example.com:99999', /must be a URL/],
    ['https://alice:hunter22@panel.example.com', /user name or password/],
    ['https://@panel.example.com', /user name or password/],
    ['https://panel.example.com?token=hunter22', /query/],
    ['https://panel.example.com/?', /query/],
    ['https://panel.example.com/api/v1#hunter22', /fragment/],
    ['https://panel.example.com/api', /end in \/api\/v1/],
    ['https://panel.example.com/api/v2', /end in \/api\/v1/],
    ['https://panel.example.com/api/v1/../admin', /end in \/api\/v1/],
    ['https://panel.example.com/api/v1//', /end in \/api\/v1/],
    ['https:\\\\panel.example.com', /backslashes/],
    [' https://panel.example.com', /spaces/],
    ['https://panel.exa\nmple.com', /line breaks/],
  ])('%j', (text, problem) => {
    const result = normalizePanelUrl(text);
    expect(result).toEqual({ problem: expect.stringMatching(problem) });
    expect(JSON.stringify(result)).not.toContain('hunter22');
  });
});

test('this machine is 127.0.0.0/8, localhost and ::1, and nothing that only looks like it', () => {
  const hosts = [
    '127.0.0.1',
    '127.8.9.1',
    'localhost',
    '[::1]',
    '127.0.0.1.example.com',
    'xlocalhost',
    '[::2]',
    '10.0.0.1',
  ];
  expect(hosts.filter((host) => isLoopback(`http://${host}:80/`))).toEqual([
    '127.0.0.1',
    '127.8.9.1',
    'localhost',
    '[::1]',
  ]);
  expect(isLoopback('no URL')).toBe(false);
});

test('whatever is filled into a path stays in its segment', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom(...escapes)), (text) => {
      let path: string;
      try {
        path = buildPath('/servers/{serverId}/firewall/{interface}/enable', { serverId: 101, interface: text });
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        expect(String(error)).toContain('interface');
        return;
      }
      const { pathname, search, hash } = new URL(`http://127.0.0.1/api/v1${path}`);
      expect(`${pathname}${search}${hash}`).toBe(`/api/v1${path}`);
      const [before, filled, ...after] = pathname.split(/(?<=firewall)\/|\/(?=enable$)/);
      expect([before, ...after]).toEqual(['/api/v1/servers/101/firewall', 'enable']);
      expect(decodeURIComponent(filled ?? '')).toBe(text);
    }),
    { numRuns: 1000 },
  );
});

const escapes = [
  '',
  '.',
  '..',
  '../..',
  '%2e%2e',
  '%2F',
  'a/b',
  'a\\b',
  'primary/../..',
  '..;',
  '?sync=true',
  '#',
  '\ud800',
];

test.each(escapes)('%j never reaches the panel as an interface', async (text) => {
  const { url, heard } = await serve({ status: 200, body: {} });
  const client = connect(url);
  // A parameter from outside that slipped through the types.
  const bad = text as 'primary';
  await expect(client.call('firewallEnable', { serverId: 101, interface: bad }, bot)).rejects.toThrow(/interface/);
  await expect(client.call('vlanSet', { serverId: 101, interfaceRef: text, vlanId: 7, trunk: 0 }, bot)).rejects.toThrow(
    /interfaceRef/,
  );
  expect(heard).toHaveLength(0);
});

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
