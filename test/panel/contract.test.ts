import { expect, test } from 'vitest';
import { changes, type EndpointName, endpoints, type Input } from '../../src/panel/endpoints.ts';
import { bot, connect, sandbox } from '../helpers/panel/client.ts';
import { serve } from '../helpers/panel/server.ts';
import { type ContractRow, contractRows } from './contract.ts';

/** The contract's inputs are plain data: what they fit is what this test is about. */
const inputOf = (row: ContractRow) => row.input as Input<EndpointName>;

test.each(contractRows)('the client has $name where the document has it', ({ name, method, template }) => {
  expect(endpoints[name]).toMatchObject({ method, path: template });
});

test.each(contractRows)('$name goes out as $method $sample', async (row) => {
  const { url, heard } = await serve({ status: row.success });
  const answer = await connect(url).call(row.name, inputOf(row), bot);

  // Without a body it is a yes only where the document shows none.
  expect(answer).toMatchObject({ kind: row.changes && row.shape === undefined ? 'yes' : 'unknown' });
  expect(heard).toHaveLength(1);
  const [request] = heard;
  expect(`${request?.method} ${request?.path}`).toBe(`${row.method} /api/v1${row.sample}`);
  expect(request?.body === '' ? undefined : JSON.parse(request?.body ?? '')).toEqual(row.body);
  expect(request?.headers['content-type']).toBe(row.body === undefined ? undefined : 'application/json');
  expect(request?.headers.authorization).toBe('Bearer secret-token');
  expect(request?.headers.accept).toBe('application/json');
  expect(request?.headers['accept-encoding']).toBe('identity');
  expect(request?.headers['user-agent']).toMatch(/^panelops\//);
});

test.each(contractRows)('$name is known to change the server, or not to', (row) => {
  expect(changes(row.name, inputOf(row))).toBe(row.changes);
});

test('reading the firewall with sync=true changes the server', () => {
  expect(changes('firewall', { serverId: 101, interface: 'primary', sync: true })).toBe(true);
  expect(changes('firewall', { serverId: 101, interface: 'primary' })).toBe(false);
});

test.each(contractRows)('what a panel answers to $name can be read', async (row) => {
  const { client } = await sandbox();
  const answer = await client.call(row.name, inputOf(row), bot);

  if (answer.kind !== 'yes') throw new Error(JSON.stringify(answer));
  // Where the document does not show what a change answers, a yes says nothing more.
  if (row.changes && row.shape === undefined) expect(answer.data).toBeUndefined();
  else expect(answer.data).toBeDefined();
});
