import { describe, expect, test } from 'vitest';
import { ask, panelForEach } from '../../helpers/sandbox/panel/asking.ts';

const panel = panelForEach();

describe('fields that do not fit answer 422 with messages per field', () => {
  test.each<[string, string, unknown, string[]]>([
    ['POST', '/servers/101/firewall/primary/disable?sync=yes', undefined, ['sync']],
    ['GET', '/servers/101/firewall/primary?sync=1', undefined, ['sync']],
    ['POST', '/servers/101/firewall/primary/rules', { rulesets: 1 }, ['rulesets']],
    ['POST', '/servers/101/firewall/primary/rules', { rulesets: [1, 6] }, ['rulesets']],
    ['POST', '/servers/101/firewall/primary/rules', { rulesets: ['1'] }, ['rulesets.0']],
    ['POST', '/servers/101/networkWhitelist', { interface: 'primary', ip: 'web-1', cidr: 24 }, ['ip']],
    ['POST', '/servers/101/networkWhitelist', { interface: 'primary', ip: '192.0.2.0', cidr: 33 }, ['cidr']],
    ['POST', '/servers/101/networkWhitelist', { interface: 'primary', ip: '2001:db8::', cidr: 129 }, ['cidr']],
    ['POST', '/servers/101/networkWhitelist', { interface: 'tertiary', ip: '192.0.2.0', cidr: 24 }, ['interface']],
    ['DELETE', '/servers/101/networkWhitelist', { interface: 'primary' }, ['ip']],
    ['POST', '/servers/101/ipv4Qty', { interface: 'primary', quantity: 0 }, ['quantity']],
    ['POST', '/servers/201/ipv4Qty', { interface: 'primary', quantity: 4 }, ['quantity']],
    ['POST', '/servers/101/ipv4', { ip: ['203.0.113.10', '192.0.2.102'] }, ['ip']],
    ['POST', '/servers/101/ipv4', { ip: ['2001:db8::1'] }, ['ip.0']],
    ['POST', '/servers/101/ipv4', { ip: [] }, ['ip']],
    ['DELETE', '/servers/101/ipv4', { ip: ['203.0.113.5', '192.0.2.102'] }, ['ip']],
    ['POST', '/servers/101/traffic/blocks', { month: 26, amount: 500 }, ['month']],
    ['POST', '/servers/101/traffic/blocks', { month: '3', amount: 500 }, ['month']],
    ['POST', '/servers/101/traffic/blocks', { month: 3, amount: 0 }, ['amount']],
    ['PUT', '/servers/101/modify/cpuThrottle', { percent: 'half' }, ['percent']],
    ['PUT', '/servers/101/interfaces/primary/vlans/7', {}, ['nativeMode', 'trunk']],
    ['PUT', '/servers/101/interfaces/primary/vlans/7', undefined, ['nativeMode', 'trunk']],
    ['PUT', '/servers/101/interfaces/primary/vlans/7', { trunk: 3 }, ['trunk']],
    ['PUT', '/servers/101/interfaces/primary/vlans/7', { nativeMode: '1' }, ['nativeMode']],
    ['PUT', '/servers/101/interfaces/primary/vlans/7', { trunk: 1, vlanId: 100 }, ['vlanId']],
    ['GET', '/compute/hypervisors/groups?results=0', undefined, ['results']],
    ['GET', '/compute/hypervisors/groups?results=201', undefined, ['results']],
    ['GET', '/compute/hypervisors/groups/1/resources?results=many', undefined, ['results']],
    ['GET', '/compute/hypervisors/groups?page=0', undefined, ['page']],
  ])('%s %s %j', async (method, path, body, fields) => {
    const heard = await ask(panel, method, path, body);
    expect(heard.status).toBe(422);
    const { errors } = JSON.parse(heard.text);
    expect(Object.keys(errors)).toEqual(fields);
    for (const messages of Object.values(errors))
      expect(messages).toEqual(expect.arrayContaining([expect.any(String)]));
    expect(panel.effects).toEqual([]);
  });
});

describe('what does not exist answers 404 with a list of errors', () => {
  test.each<[string, string, unknown]>([
    ['GET', '/compute/hypervisors/groups/25', undefined],
    ['GET', '/compute/hypervisors/groups/25/resources', undefined],
    ['GET', '/servers/103/firewall/secondary', undefined],
    ['GET', '/servers/103/firewall/secondary?sync=true', undefined],
    ['POST', '/servers/101/firewall/tertiary/disable', undefined],
    ['POST', '/servers/101/firewall/constructor/enable', undefined],
    ['POST', '/servers/121/networkWhitelist', { interface: 'secondary', ip: '192.0.2.0', cidr: 24 }],
    ['DELETE', '/servers/101/networkWhitelist', { interface: 'primary', ip: '192.0.2.77' }],
    ['POST', '/servers/121/ipv4Qty', { interface: 'secondary', quantity: 1 }],
    ['PUT', '/servers/103/interfaces/secondary/vlans/7', { trunk: 1 }],
    ['PUT', '/servers/101/interfaces/4000000102/vlans/7', { trunk: 1 }],
    ['PUT', '/servers/101/interfaces/primary/vlans/100', { trunk: 1 }],
    ['PUT', '/servers/101/interfaces/secondary/vlans/7', { trunk: 1 }],
    ['GET', '/server', undefined],
    ['DELETE', '/servers/101', undefined],
    ['GET', '/servers/101/power/boot', undefined],
    ['GET', '/queue/5001', undefined],
  ])('%s %s %j', async (method, path, body) => {
    const heard = await ask(panel, method, path, body);
    expect(heard.status).toBe(404);
    expect(JSON.parse(heard.text)).toEqual({ errors: [expect.any(String)] });
    expect(heard.headers.get('x-ratelimit-limit')).toBe('600');
    expect(panel.effects).toEqual([]);
  });
});

describe('restore', () => {
  test.each<[string, unknown, string]>([
    ['no body', undefined, 'No disks specified.'],
    ['no disks', { disks: [] }, 'No disks specified.'],
    ['disks that are no array', { disks: '0' }, 'No disks specified.'],
    ['a disk that is no string', { disks: [0] }, 'The field disks is not valid.'],
    ['a chain that is no number', { disks: ['0'], diskChains: { '0': 'x' } }, 'The field diskChains is not valid.'],
    ['a disk without backup', { disks: ['2'] }, 'Disk 2 is in no backup.'],
    ['a disk named like a property', { disks: ['constructor'] }, 'Disk constructor is in no backup.'],
    ['a chain of another disk', { disks: ['0'], diskChains: { '1': 18 } }, 'Disk 1 is not among the disks to restore.'],
    ['a time of another disk', { disks: ['0'], diskUntils: { '1': 1 } }, 'Disk 1 is not among the disks to restore.'],
    ['an unknown chain', { disks: ['0'], diskChains: { '0': 99 } }, 'Disk 0 has no chain 99.'],
  ])('with %s is refused with 422 in plain text', async (_, body, text) => {
    const heard = await ask(panel, 'POST', '/servers/101/backupManager/restore', body);
    expect([heard.status, heard.text]).toEqual([422, text]);
    expect(heard.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(panel.effects).toEqual([]);
  });

  test.each<[number, number]>([
    [151, 404],
    [202, 409],
  ])('of server %i is refused with %i and a list of errors', async (server, status) => {
    const heard = await ask(panel, 'POST', `/servers/${server}/backupManager/restore`, { disks: ['0'] });
    expect(heard.status).toBe(status);
    expect(JSON.parse(heard.text)).toEqual({ errors: [expect.any(String)] });
    expect(panel.effects).toEqual([]);
  });
});

test('a read of the firewall counts as a change only with sync=true', async () => {
  panel.state.server(101).pendingTasks = true;
  panel.state.server(102).maintenance = true;
  const statusOf = async (path: string) => (await ask(panel, 'GET', path)).status;
  expect(await statusOf('/servers/101/firewall/primary')).toBe(200);
  expect(await statusOf('/servers/101/firewall/primary?sync=true')).toBe(423);
  expect(await statusOf('/servers/102/firewall/primary?sync=false')).toBe(200);
  expect(await statusOf('/servers/102/firewall/primary?sync=true')).toBe(503);
  expect(panel.effects).toEqual([]);
});

test('a body that is not JSON, or does not say so, changes nothing', async () => {
  const url = `${panel.url}/servers/101/modify/cpuThrottle`;
  const authorization = `Bearer ${panel.token}`;
  const broken = await fetch(url, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"percent":',
  });
  const unnamed = await fetch(url, { method: 'PUT', headers: { authorization }, body: '{"percent":5}' });
  expect([broken.status, unnamed.status]).toEqual([400, 415]);
  expect(panel.requests.map(({ body }) => body)).toEqual(['{"percent":', '{"percent":5}']);
  expect(panel.effects).toEqual([]);
});

test('a path without the version prefix is unknown, and recorded as it came', async () => {
  const heard = await fetch(panel.url.replace('/api/v1', '/connect'), {
    headers: { authorization: `Bearer ${panel.token}` },
  });
  expect(heard.status).toBe(404);
  expect(panel.requests.map(({ path, status }) => ({ path, status }))).toEqual([{ path: '/connect', status: 404 }]);
});
