import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../src/sandbox/panel/endpoints.ts';
import { ask, panelForEach } from '../../helpers/sandbox/panel/asking.ts';
import { type Shape, shapeProblems } from '../../helpers/sandbox/panel/shape.ts';
import { contractRows } from '../../panel/contract.ts';

const panel = panelForEach();

test('the sandbox has a route for each endpoint of the document, and four of its own', () => {
  const routes = endpoints.map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
  const documented = contractRows.map(({ method, template }) => `${method} ${template}`);
  const missing = documented.filter((each) => !routes.includes(each));
  expect(missing, 'the sandbox has no route for these: add them in src/sandbox/panel/').toEqual([]);
  expect(routes.filter((each) => !documented.includes(each))).toEqual([
    'GET /servers/{serverId}/backupManager/jobs/{jobId}',
    'GET /queue/{queueId}',
    'GET /backups/server/{serverId}',
    'GET /servers',
  ]);
});

describe.each(contractRows)('$method $template', (row) => {
  test('answers the sample as documented and counts its effect once', async () => {
    const heard = await ask(panel, row.method, row.sample, row.body);
    expect(heard.status).toBe(row.success);
    if (row.shape) expect(shapeProblems(JSON.parse(heard.text), row.shape)).toEqual([]);
    if (row.success === 204) expect(heard.text).toBe('');
    expect(panel.effects.map(({ method, path, serverId }) => ({ method, path, serverId }))).toEqual(
      row.changes ? [{ method: row.method, path: row.sample, serverId: 101 }] : [],
    );
  });

  test.each(['', 'Bearer wrong', 'sandbox-panel-token', 'Basic sandbox-panel-token'])(
    'answers 401 in its documented form to the authorization "%s" and does nothing',
    async (authorization) => {
      const heard = await ask(panel, row.method, row.sample, row.body, { authorization });
      expect(heard.status).toBe(401);
      expect(heard.text).toBe(row.bareUnauthorized ? '' : '401 Unauthorized');
      expect(heard.headers.get('x-ratelimit-limit')).toBeNull();
      expect(panel.effects).toEqual([]);
    },
  );
});

const onServers = contractRows.filter(({ input }) => 'serverId' in input);
const withChanges = contractRows.filter(({ changes }) => changes);
const withBody = contractRows.filter(({ body }) => body !== undefined);
const errorList = { errors: ['string'] } satisfies Shape;

test('most samples are on servers, change them and have bodies', () => {
  expect([onServers, withChanges, withBody].every(({ length }) => length > 9)).toBe(true);
});

test.each(withChanges)('$name answers 423 while tasks are pending and 503 in maintenance', async (row) => {
  panel.state.server(101).pendingTasks = true;
  const pending = await ask(panel, row.method, row.sample, row.body);
  panel.state.server(101).pendingTasks = false;
  panel.state.server(101).maintenance = true;
  const maintenance = await ask(panel, row.method, row.sample, row.body);
  expect([pending.status, maintenance.status]).toEqual([423, 503]);
  expect(shapeProblems(JSON.parse(pending.text), errorList)).toEqual([]);
  expect(shapeProblems(JSON.parse(maintenance.text), errorList)).toEqual([]);
  expect(panel.effects).toEqual([]);
});

test.each(onServers)('$name answers 404 with errors for a server that does not exist', async (row) => {
  const heard = await ask(panel, row.method, row.sample.replace('/101/', '/999/'), row.body);
  expect(heard.status).toBe(404);
  expect(shapeProblems(JSON.parse(heard.text), errorList)).toEqual([]);
  expect(panel.effects).toEqual([]);
});

test.each(withBody)('$name answers 422 to a body without its fields', async (row) => {
  const heard = await ask(panel, row.method, row.sample, {});
  expect(heard.status).toBe(422);
  if (row.name === 'backupRestore') expect(heard.text).toBe('No disks specified.');
  else expect(JSON.parse(heard.text)).toEqual({ errors: expect.any(Object) });
  expect(panel.effects).toEqual([]);
});
