import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SandboxPanel, startPanel } from '../../../src/sandbox/panel/index.ts';
import { ask } from '../../helpers/sandbox/panel/asking.ts';
import { type Shape, shapeProblems } from '../../helpers/sandbox/panel/shape.ts';
import { contract } from '../../panel/contract.ts';

let panel: SandboxPanel;
beforeEach(async () => {
  panel = await startPanel();
});
afterEach(() => panel.close());

test('the contract has the 22 endpoints of the document', () => {
  expect(contract.map(({ number }) => number)).toEqual(Array.from({ length: 22 }, (_, index) => index + 1));
});

describe.each(contract)('$number $method $template', (row) => {
  test('answers the sample as documented and counts its effect once', async () => {
    const heard = await ask(panel, row.method, row.sample, row.body);
    expect(heard.status).toBe(row.success);
    if (row.shape) expect(shapeProblems(JSON.parse(heard.text), row.shape)).toEqual([]);
    if (row.success === 204) expect(heard.text).toBe('');
    expect(panel.effects.map(({ number, serverId }) => ({ number, serverId }))).toEqual(
      row.changes ? [{ number: row.number, serverId: 101 }] : [],
    );
  });

  test('records the request with its body, its answer and its time', async () => {
    await ask(panel, row.method, row.sample, row.body);
    expect(panel.requests).toEqual([
      {
        at: expect.any(Date),
        method: row.method,
        path: row.sample,
        body: row.body,
        status: row.success,
        ms: expect.any(Number),
        ...(row.changes && { effect: expect.any(String) }),
      },
    ]);
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

const onServers = contract.filter(({ input }) => 'serverId' in input);
const withChanges = contract.filter(({ changes }) => changes);
const withBody = contract.filter(({ body }) => body !== undefined);
const errorList = { errors: ['string'] } satisfies Shape;

test('the samples are on servers, change them and have bodies where the document says so', () => {
  expect(onServers.map(({ number }) => number)).toEqual([
    5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
  ]);
  expect(withChanges.map(({ number }) => number)).toEqual([5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 22]);
  expect(withBody.map(({ number }) => number)).toEqual([8, 9, 10, 11, 12, 13, 18, 20, 21, 22]);
});

test.each(withChanges)('$number answers 423 while tasks are pending and 503 in maintenance', async (row) => {
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

test.each(onServers)('$number answers 404 with errors for a server that does not exist', async (row) => {
  const heard = await ask(panel, row.method, row.sample.replace('/101/', '/999/'), row.body);
  expect(heard.status).toBe(404);
  expect(shapeProblems(JSON.parse(heard.text), errorList)).toEqual([]);
  expect(panel.effects).toEqual([]);
});

test.each(withBody)('$number answers 422 to a body without its fields', async (row) => {
  const heard = await ask(panel, row.method, row.sample, {});
  expect(heard.status).toBe(422);
  if (row.number === 20) expect(heard.text).toBe('No disks specified.');
  else expect(JSON.parse(heard.text)).toEqual({ errors: expect.any(Object) });
  expect(panel.effects).toEqual([]);
});
