import { expect, test } from 'vitest';
import { type Asked, answerTo } from '../helpers/panel/client.ts';

const queued = { data: { queueId: 7 } };

test.each([200, 201, 202])('any 2xx with the body of a yes is a yes: %i', async (status) => {
  const { answer } = await answerTo('powerBoot', { status, body: queued });
  expect(answer).toEqual({ kind: 'yes', data: { queueId: 7 } });
});

const page = { from: 1, to: 1, total: 1, current_page: 1, last_page: 1, per_page: 20 };
const amounts = { units: 'GB', max: 0, allocated: 4, free: -4, percent: null };
const resources = { servers: amounts, memory: amounts, cpuCores: amounts, network: { total: { ipv4: { free: 12 } } } };
const storage = { name: 'local', storageType: 1, ...amounts };
const hypervisor = { id: 1, name: 'fra-1', accept: true, commissioned: true };

const march = { month: 3, start: '2026-03-14', end: '2026-04-13' };
const april = { month: 4, start: '2026-04-14', end: '2026-05-13' };
const assigned = { id: 5, current: false, month: 3, traffic: 500, start: '2026-03-14', end: '2026-04-13' };
const traffic = (months: unknown) => ({ assigned: [assigned], available: { total: 2, current: march, months } });

test.each<[what: string, endpoint: Asked, body: unknown, data: unknown]>([
  [
    'JSON, whatever it is labelled, also after a byte order mark',
    'powerBoot',
    '\ufeff{"data":{"queueId":7}}',
    queued.data,
  ],
  [
    'no more than the document names, for real panels send secrets',
    'vlanSet',
    { data: { id: 7, vlanId: 100, trunk: 1, nativeMode: 2, server: { encryptedPassword: 'x' } }, vnc: 'x' },
    { id: 7, vlanId: 100, trunk: 1, nativeMode: 2 },
  ],
  [
    'what paging needs, of an empty page, too',
    'groups',
    { ...page, current_page: 3, last_page: 2, per_page: '20', from: null, to: null, total: 24, data: [], links: [] },
    { ...page, current_page: 3, last_page: 2, from: null, to: null, total: 24, data: [] },
  ],
  [
    'unlimited servers, and flags that are written as numbers',
    'resources',
    {
      ...page,
      data: [
        {
          hypervisor: { ...hypervisor, enabled: 1, prohibit: 0 },
          resources: { ...resources, localStorage: { ...storage, enabled: 0 }, otherStorage: [] },
        },
      ],
    },
    {
      ...page,
      data: [
        {
          hypervisor: { ...hypervisor, enabled: true, prohibit: false },
          resources: { ...resources, localStorage: { ...storage, enabled: false }, otherStorage: [] },
        },
      ],
    },
  ],
  [
    'traffic months as a list in order, from an object keyed by number',
    'traffic',
    { data: traffic({ '4': april, '3': march }) },
    traffic([march, april]),
  ],
  [
    'traffic months from the empty array that PHP makes of an empty object',
    'traffic',
    { data: traffic([]) },
    traffic([]),
  ],
])('a yes has %s', async (_what, endpoint, body, data) => {
  const { answer } = await answerTo(endpoint, { status: 200, body, headers: { 'content-type': 'text/html' } });
  expect(answer).toEqual({ kind: 'yes', data });
});
