import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { startPanel } from '../../../src/sandbox/panel/index.ts';
import { ask, panelForEach } from '../../helpers/sandbox/panel/asking.ts';

const panel = panelForEach({ powerMs: 20, now: () => new Date('2026-11-20T03:00:00Z') });

const firewallOf = async (server: number, side = 'primary') =>
  JSON.parse((await ask(panel, 'GET', `/servers/${server}/firewall/${side}`)).text).data;
const web1 = () => panel.state.server(101);

test('the servers are those of the example policy, with their addresses and groups', () => {
  const policy = parse(readFileSync('policy.example.yaml', 'utf8'));
  const listed = policy.servers.map(({ tier: _, ...server }: Record<string, unknown>) => server);
  const known = panel.state.servers.map(({ id, name, ipv4, groupId }) => ({
    id,
    name,
    ips: [ipv4[0]],
    group: groupId,
  }));
  expect(known).toEqual(listed);
  expect(known).toHaveLength(12);
});

test('the firewalls are enabled except vpn-1, with 4 rules on web-1 and 200 on web-3', async () => {
  const web = await firewallOf(101);
  expect([web.enabled, web.rules.length]).toEqual([true, 4]);
  expect((await firewallOf(103)).rules).toHaveLength(200);
  expect((await firewallOf(161)).enabled).toBe(false);
  for (const server of [101, 102, 111, 112]) expect((await firewallOf(server, 'secondary')).enabled).toBe(true);
});

test('what is done to a firewall without sync is stored, and applied by a read with sync=true', async () => {
  await ask(panel, 'POST', '/servers/101/firewall/primary/disable');
  await ask(panel, 'POST', '/servers/101/firewall/primary/rules', { rulesets: [1, 2] });
  expect(await firewallOf(101)).toEqual({
    enabled: false,
    rules: [expect.anything(), expect.anything(), expect.anything()],
  });
  expect(web1().interfaces.primary.firewall.applied).toMatchObject({ enabled: true, rules: { length: 4 } });
  const applied = await ask(panel, 'GET', '/servers/101/firewall/primary?sync=true');
  expect(JSON.parse(applied.text).data.enabled).toBe(false);
  expect(web1().interfaces.primary.firewall.applied).toMatchObject({ enabled: false, rules: { length: 3 } });
  expect(panel.effects.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /servers/101/firewall/primary/disable',
    'POST /servers/101/firewall/primary/rules',
    'GET /servers/101/firewall/primary?sync=true',
  ]);
});

test('what is done to a firewall with sync holds at once, on that interface only', async () => {
  await ask(panel, 'POST', '/servers/101/firewall/primary/rules?sync=true', { rulesets: [] });
  await ask(panel, 'POST', '/servers/161/firewall/primary/enable?sync=true');
  expect(web1().interfaces.primary.firewall.applied).toEqual({ enabled: true, rules: [] });
  expect(web1().interfaces.secondary?.firewall.applied.rules).toHaveLength(2);
  expect(panel.state.server(161).interfaces.primary.firewall.applied.enabled).toBe(true);
});

test('a queued power action changes the power state a moment after its answer', async () => {
  const first = await ask(panel, 'POST', '/servers/101/power/poweroff');
  await panel.until(() => web1().power === 'stopped');
  const second = await ask(panel, 'POST', '/servers/101/power/boot');
  await panel.until(() => web1().power === 'running');
  expect([JSON.parse(first.text), JSON.parse(second.text)]).toEqual([
    { data: { queueId: 5001 } },
    { data: { queueId: 5002 } },
  ]);
  await ask(panel, 'POST', '/servers/101/power/shutdown');
  await panel.until(() => web1().power === 'stopped');
  await ask(panel, 'POST', '/servers/101/power/restart');
  await panel.until(() => web1().power === 'running');
  expect(panel.state.server(102).power).toBe('running');
});

test('a CPU throttle without sync takes hold at the next start, with sync at once', async () => {
  await ask(panel, 'PUT', '/servers/101/modify/cpuThrottle', { percent: 50 });
  expect(web1().cpuThrottle).toEqual({ stored: 50, applied: 0 });
  await ask(panel, 'POST', '/servers/101/power/restart');
  await panel.until(() => web1().cpuThrottle.applied === 50);
  await ask(panel, 'PUT', '/servers/101/modify/cpuThrottle?sync=true', { percent: 0 });
  expect(web1().cpuThrottle).toEqual({ stored: 0, applied: 0 });
});

test('a whitelist entry is added, replaced by one of the same address, and removed', async () => {
  const entry = { interface: 'secondary', ip: '198.51.100.0', cidr: 24 };
  await ask(panel, 'POST', '/servers/101/networkWhitelist', entry);
  await ask(panel, 'POST', '/servers/101/networkWhitelist', { ...entry, cidr: 28 });
  const given = { interface: 'primary', ip: '203.0.113.128', cidr: 28 };
  expect(web1().whitelist).toEqual([given, { ...entry, cidr: 28 }]);
  await ask(panel, 'DELETE', '/servers/101/networkWhitelist', { interface: 'secondary', ip: '198.51.100.0' });
  expect(web1().whitelist).toEqual([given]);
});

test('addresses move between the pool of the group and the server', async () => {
  await ask(panel, 'POST', '/servers/101/ipv4', { ip: ['203.0.113.20'] });
  await ask(panel, 'DELETE', '/servers/101/ipv4', { ip: ['203.0.113.5'] });
  expect(web1().ipv4).toEqual(['192.0.2.101', '203.0.113.20']);
  const again = await ask(panel, 'POST', '/servers/102/ipv4', { ip: ['203.0.113.20'] });
  expect(again.status).toBe(422);
  expect((await ask(panel, 'POST', '/servers/102/ipv4', { ip: ['203.0.113.5'] })).status).toBe(204);
});

test('traffic blocks are listed with the periods that can be had', async () => {
  await ask(panel, 'POST', '/servers/101/traffic/blocks', { month: 2, amount: 500 });
  const { data } = JSON.parse((await ask(panel, 'GET', '/servers/101/traffic/blocks')).text);
  const second = { month: 2, start: '2026-12-01T00:00:00+00:00', end: '2026-12-31T23:59:59+00:00' };
  expect(data.assigned).toEqual([
    { id: 1, current: false, ...second, traffic: 500, added: '2026-11-20T03:00:00+00:00' },
  ]);
  expect(Object.keys(data.available.months)).toEqual(Array.from({ length: 25 }, (_, index) => String(index + 1)));
  expect(data.available.months['2']).toEqual(second);
  expect(data.available.current).toEqual({
    month: 1,
    start: '2026-11-01T00:00:00+00:00',
    end: '2026-11-30T23:59:59+00:00',
  });
  expect(data.available.total).toBe(25);
});

test('trunk belongs to all VLANs of the interface, nativeMode to one of them', async () => {
  const vlan = async (ref: string, id: number, body: unknown) =>
    JSON.parse((await ask(panel, 'PUT', `/servers/101/interfaces/${ref}/vlans/${id}`, body)).text).data;
  expect(await vlan('primary', 7, { trunk: 2, nativeMode: 2 })).toEqual({
    id: 7,
    vlanId: 100,
    trunk: 2,
    nativeMode: 2,
  });
  expect(await vlan('4000000101', 8, { nativeMode: 0 })).toEqual({ id: 8, vlanId: 200, trunk: 2, nativeMode: 0 });
  expect(await vlan('4000001101', 9, { nativeMode: 1 })).toMatchObject({ id: 9, trunk: 0, nativeMode: 1 });
  expect(await vlan('secondary', 9, { trunk: 1 })).toMatchObject({ id: 9, trunk: 1, nativeMode: 1 });
});

test('two panels share nothing', async () => {
  const other = await startPanel();
  await ask(panel, 'POST', '/servers/101/firewall/primary/disable?sync=true');
  expect(other.state.server(101).interfaces.primary.firewall.stored.enabled).toBe(true);
  expect(other.effects).toEqual([]);
  await other.close();
});
