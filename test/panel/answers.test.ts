import { expect, test } from 'vitest';
import { bot, connect } from '../helpers/panel/client.ts';
import { type Said, serve } from '../helpers/panel/server.ts';

const server = { serverId: 101 };

async function clientOf(said: Said) {
  return connect((await serve(said)).url);
}

test.each([200, 201, 202])('any 2xx with the body of a yes is a yes: %i', async (status) => {
  const client = await clientOf({ status, body: { data: { queueId: 7 } } });
  expect(await client.call('powerBoot', server, bot)).toEqual({ kind: 'yes', data: { queueId: 7 } });
});

test('JSON is read whatever it is labelled, also after a byte order mark', async () => {
  const body = '\ufeff{"data":{"queueId":7}}';
  const client = await clientOf({ status: 200, body, headers: { 'content-type': 'text/html' } });
  expect(await client.call('powerBoot', server, bot)).toEqual({ kind: 'yes', data: { queueId: 7 } });
});

test('what the document does not name is dropped, for real panels send secrets', async () => {
  const client = await clientOf({
    status: 200,
    body: {
      data: { id: 7, vlanId: 100, trunk: 1, nativeMode: 2, server: { encryptedPassword: 'hunter22' } },
      vnc: 'hunter22',
    },
  });
  const input = { ...server, interfaceRef: 'primary', vlanId: 7, trunk: 1 } as const;
  expect(await client.call('vlanSet', input, bot)).toEqual({
    kind: 'yes',
    data: { id: 7, vlanId: 100, trunk: 1, nativeMode: 2 },
  });
});

test('a list comes with what paging needs, and an empty page is no fault', async () => {
  const client = await clientOf({
    status: 200,
    body: { current_page: 3, data: [], from: null, last_page: 2, per_page: '20', to: null, total: 24, links: [] },
  });
  expect(await client.call('groups', { page: 3 }, bot)).toEqual({
    kind: 'yes',
    data: { current_page: 3, last_page: 2, per_page: 20, from: null, to: null, total: 24, data: [] },
  });
});

test('capacity reads unlimited servers, and flags that are written as numbers', async () => {
  const amounts = { units: 'GB', max: 0, allocated: 4, free: -4, percent: null };
  const hypervisor = { id: 1, name: 'fra-1', enabled: 1, prohibit: 0, accept: true, commissioned: true };
  const client = await clientOf({
    status: 200,
    body: {
      current_page: 1,
      from: 1,
      last_page: 1,
      per_page: 20,
      to: 1,
      total: 1,
      data: [
        {
          hypervisor,
          resources: {
            servers: amounts,
            memory: amounts,
            cpuCores: amounts,
            localStorage: { enabled: 0, name: 'local', storageType: 1, ...amounts },
            otherStorage: [],
            network: { total: { ipv4: { free: 12 } } },
          },
        },
      ],
    },
  });
  const answer = await client.call('resources', { hypervisorGroupId: 1 }, bot);
  if (answer.kind !== 'yes') throw new Error(JSON.stringify(answer));
  const [entry] = answer.data?.data ?? [];
  expect(entry?.hypervisor).toEqual({
    id: 1,
    name: 'fra-1',
    enabled: true,
    prohibit: false,
    accept: true,
    commissioned: true,
  });
  expect(entry?.resources.servers).toEqual(amounts);
  expect(entry?.resources.localStorage.enabled).toBe(false);
  expect(entry?.resources.network.total.ipv4.free).toBe(12);
});

const march = { month: 3, start: '2026-03-14', end: '2026-04-13' };
const april = { month: 4, start: '2026-04-14', end: '2026-05-13' };

test.each([
  ['an object keyed by number', { '4': april, '3': march }, [march, april]],
  ['the empty array that PHP makes of an empty object', [], []],
])('traffic months come as a list in order, from %s', async (_title, months, list) => {
  const assigned = { id: 5, current: false, month: 3, traffic: 500, start: '2026-03-14', end: '2026-04-13' };
  const client = await clientOf({
    status: 200,
    body: {
      data: { assigned: [{ ...assigned, added: '2026-03-15' }], available: { total: 2, current: march, months } },
    },
  });
  expect(await client.call('traffic', server, bot)).toEqual({
    kind: 'yes',
    data: { assigned: [assigned], available: { total: 2, current: march, months: list } },
  });
});

test('what a panel says after a change whose answer the document does not show is not read', async () => {
  const client = await clientOf({ status: 201, body: { data: { anything: 'at all' } } });
  const input = { ...server, month: 3, amount: 500 };
  expect(await client.call('trafficAdd', input, bot)).toEqual({ kind: 'yes', data: undefined });
});
