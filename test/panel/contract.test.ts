import { expect, test } from 'vitest';
import { changes, type EndpointName, endpoints, type Input } from '../../src/panel/endpoints.ts';
import { bot, connect, sandbox } from '../helpers/panel/client.ts';
import { serve } from '../helpers/panel/server.ts';
import { type ContractRow, contract } from './contract.ts';

const names: Record<number, EndpointName> = {
  1: 'connect',
  2: 'groups',
  3: 'group',
  4: 'resources',
  5: 'firewallDisable',
  6: 'firewallEnable',
  7: 'firewall',
  8: 'firewallRules',
  9: 'whitelistAdd',
  10: 'whitelistRemove',
  11: 'ipv4Assign',
  12: 'ipv4Add',
  13: 'ipv4Remove',
  14: 'powerBoot',
  15: 'powerShutdown',
  16: 'powerRestart',
  17: 'powerPoweroff',
  18: 'trafficAdd',
  19: 'traffic',
  20: 'backupRestore',
  21: 'cpuThrottle',
  22: 'vlanSet',
};

/** Bodies that the document does not show: a yes to them says nothing more. */
const notShown = [5, 6, 8, 9, 10, 12, 13, 18, 21];

function named(row: ContractRow): EndpointName {
  const name = names[row.number];
  if (name === undefined) throw new Error(`no endpoint ${row.number}`);
  return name;
}

/** The contract's inputs are plain data: what they fit is what this test is about. */
const inputOf = (row: ContractRow) => row.input as Input<EndpointName>;

test('the client has the 22 operations of the document and no other', () => {
  expect(contract).toHaveLength(22);
  expect(Object.fromEntries(Object.entries(endpoints).map(([name, { number }]) => [number, name]))).toEqual(names);
});

test.each(contract)('operation $number goes out as $method $sample', async (row) => {
  const { url, heard } = await serve({ status: row.success });
  const answer = await connect(url).call(named(row), inputOf(row), bot);

  expect(answer).toMatchObject({ kind: 'yes' });
  expect(heard).toHaveLength(1);
  const [request] = heard;
  expect(`${request?.method} ${request?.path}`).toBe(`${row.method} /api/v1${row.sample}`);
  expect(request?.body === '' ? undefined : JSON.parse(request?.body ?? '')).toEqual(row.body);
  expect(request?.headers['content-type']).toBe(row.body === undefined ? undefined : 'application/json');
  expect(request?.headers.authorization).toBe('Bearer secret-token');
  expect(request?.headers.accept).toBe('application/json');
  expect(request?.headers['user-agent']).toMatch(/^panelops\//);
});

test.each(contract)('operation $number is known to change the server, or not to', (row) => {
  expect(changes(named(row), inputOf(row))).toBe(row.changes);
});

test('reading the firewall with sync=true changes the server', () => {
  expect(changes('firewall', { serverId: 101, interface: 'primary', sync: true })).toBe(true);
  expect(changes('firewall', { serverId: 101, interface: 'primary' })).toBe(false);
});

test.each(contract)('what a panel answers to operation $number can be read', async (row) => {
  const { client } = await sandbox();
  const answer = await client.call(named(row), inputOf(row), bot);

  if (answer.kind !== 'yes') throw new Error(JSON.stringify(answer));
  if (notShown.includes(row.number)) expect(answer.data).toBeUndefined();
  else expect(answer.data).toBeDefined();
});
