import { expect, test } from 'vitest';
import { ask, panelForEach } from '../../helpers/sandbox/panel/asking.ts';

const panel = panelForEach();

const orders = () => panel.url.replace('/api/v1', '/_sandbox/faults');
const order = (fault: unknown) => fetch(orders(), { method: 'POST', body: JSON.stringify(fault) });

test('a fault can be ordered, listed and cleared over HTTP without a token', async () => {
  const fault = { kind: 'status-before', status: 503, times: 2, match: { path: '/power/' } };
  expect((await order(fault)).status).toBe(201);
  expect((await ask(panel, 'POST', '/servers/101/power/boot')).status).toBe(503);
  expect(await (await fetch(orders())).json()).toEqual({ faults: [{ ...fault, times: 1 }] });
  expect((await fetch(orders(), { method: 'DELETE' })).status).toBe(204);
  expect(await (await fetch(orders())).json()).toEqual({ faults: [] });
  expect((await ask(panel, 'POST', '/servers/101/power/boot')).status).toBe(200);
});

test('orders are not recorded, and no fault applies to them', async () => {
  panel.order({ kind: 'reset-before', times: 0 });
  expect((await fetch(orders())).status).toBe(200);
  expect((await order({ kind: 'delay' })).status).toBe(201);
  expect((await fetch(panel.url.replace('/api/v1', '/_sandbox/else'))).status).toBe(404);
  expect(panel.requests).toEqual([]);
});

test.each<[unknown, string[]]>([
  [{ kind: 'explode' }, ['kind']],
  [{}, ['kind']],
  [{ kind: 'delay', colour: 'red', size: 1 }, ['colour', 'size']],
  [{ kind: 'delay', ms: 'long' }, ['ms']],
  [{ kind: 'delay', match: { verb: 'GET' } }, ['verb']],
  [{ kind: 'delay', headers: { a: 1 } }, ['headers.a']],
  [{ kind: 'status-before', status: 99 }, ['status']],
  [{ kind: 'wrong-certificate' }, ['kind']],
  [{ kind: 'refuse' }, ['ms']],
  ['delay', ['body']],
])('%j is refused with 422, naming the key', async (fault, keys) => {
  const answer = await order(fault);
  expect(answer.status).toBe(422);
  const { errors } = JSON.parse(await answer.text());
  expect(Object.keys(errors)).toEqual(keys);
  expect(await (await fetch(orders())).json()).toEqual({ faults: [] });
});
