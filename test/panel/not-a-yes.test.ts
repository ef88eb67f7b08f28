import { expect, test } from 'vitest';
import { claimOf } from '../../src/panel/says.ts';
import { type Asked, answerTo } from '../helpers/panel/client.ts';
import type { Said } from '../helpers/panel/server.ts';

async function made(endpoint: Asked, said: Said) {
  const { answer, requests } = await answerTo(endpoint, said);
  expect(requests).toBe(1);
  return answer;
}

/** As bodies come: undefined is none. */
const ok = (body: unknown): Said => ({ status: 200, ...(body === undefined ? {} : { body }) });

/** Bodies that speak of a failure, and their words, as far as they have any. */
const failures: [unknown, string | undefined][] = [
  [{ success: false, errors: ['suspended'] }, 'suspended'],
  [{ msg: 'Server is suspended.' }, 'Server is suspended.'],
  [{ message: 'Serveur suspendu' }, 'Serveur suspendu'],
  [{ success: true, errors: { server: ['is suspended', 'is locked'] } }, 'server: is suspended; server: is locked'],
  [{ success: 'true', error: { code: 7, message: 'No such server' } }, 'No such server'],
  [{ success: false }, undefined],
  [{ success: 0 }, undefined],
  [{ success: null }, undefined],
  [{ ok: false, description: 'try later' }, 'try later'],
  [{ status: 'error' }, 'error'],
  [{ status: 'FAILED', data: null }, 'FAILED'],
  [{ status: 403, title: 'Blocked' }, 'Blocked'],
  [{ statusCode: '500' }, undefined],
  [{ data: { errors: [{ code: 1, message: 'deep inside' }] } }, 'deep inside'],
  [{ data: { result: { state: 'denied' } } }, undefined],
  [{ data: { queueId: 7, jobId: 7, failed: true } }, undefined],
  [{ results: [{ ok: true }, { ok: false, message: 'second server' }] }, 'second server'],
  [{ exception: 'ErrorException', trace: ['#0 /var/www'] }, 'ErrorException'],
  [{ errorMessage: 'hypervisor is down' }, undefined],
  [['Server is suspended.'], 'Server is suspended.'],
  [[{ error: 'one of them' }], 'one of them'],
  [{ response: 'Request rejected' }, 'Request rejected'],
  ['"The server is locked"', 'The server is locked'],
  ['Server is suspended.', 'Server is suspended.'],
];

for (const endpoint of ['firewallEnable', 'ipv4Add', 'powerBoot', 'backupRestore'] as const) {
  test.each(failures)(`a success of ${endpoint} that says %j is not one`, async (body, said) => {
    const answer = await made(endpoint, ok(body));
    // Of a body that it shows, the document shows no words either: what has none of its form is as unclear.
    expect(answer).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/^(?:no-success|not-understood)$/),
      status: 200,
      ...(said === undefined ? {} : { said }),
    });
  });
}

/** What no documentation shows, and what does not speak of anything but a success. */
test.each([
  undefined,
  '',
  'OK',
  '"Done."',
  '\ufeff{}',
  {},
  [],
  { data: [] },
  { data: null },
  { data: { enabled: true, rules: [{ action: 'reject', comment: 'error 7' }] } },
  { success: true },
  { success: true, message: 'The firewall is enabled.', errors: [] },
  { status: 'success', error: null, exception: '' },
  { code: 0, msg: 'success' },
  { error: false, message: 'Enabled' },
  { message: 'Firewall enabled successfully.' },
  { status: 200, failed: 0, errorCount: 0 },
])('a change without a documented body is done when the panel answers %j', async (body) => {
  const answer = await made('firewallEnable', ok(body));
  expect(answer).toEqual({ kind: 'yes', data: undefined });
});

/** Not the body that the document shows, and nothing that speaks of a failure. */
const otherForms: Record<'powerBoot' | 'backupRestore', unknown[]> = {
  powerBoot: [
    ...[undefined, '', 'OK', [], {}, null, { data: null }, { data: [] }, { data: {} }, { queueId: 7 }],
    ...[null, '7', 'seven', 0, -1, 1.5, true, [7]].map((queueId) => ({ data: { queueId } })),
    ...['{"data":{"queueId":7}', '{"data":{"queueId":7}}{}', ')]}\',\n{"data":{"queueId":7}}'],
  ],
  backupRestore: [
    undefined,
    { data: { status: 'running', type: 'restore' } },
    { data: { jobId: '9001' } },
    { jobId: 9 },
  ],
};

for (const endpoint of ['powerBoot', 'backupRestore'] as const) {
  test.each(otherForms[endpoint])(`${endpoint} is unknown when it is answered with %j`, async (body) => {
    const answer = await made(endpoint, ok(body));
    expect(answer).toMatchObject({ kind: 'unknown', reason: 'not-understood', status: 200 });
  });
}

test.each([
  ['twice the same name', '{"success":false,"success":true}'],
  ['twice the same name, inside', '{"data":{"errors":["suspended"],"errors":[]}}'],
  ['half a JSON', '{"success":tr'],
  ['JSON behind a guard', ')]}\',\n{"success":true}'],
  ['bytes', '\u0000\u0001\u0000\u0002\u0000'],
  ['a number', '7'],
  ['false', 'false'],
  ['nothing at all, in JSON', 'null'],
])('a change is unknown when %s came', async (_what, body) => {
  const answer = await made('firewallEnable', ok(body));
  expect(answer).toEqual({ kind: 'unknown', reason: 'not-understood', status: 200 });
});

test.each<[string, Said]>([
  ['a part of an answer', { status: 206, body: { success: true } }],
  ['several answers in one', { status: 207, body: { success: true } }],
  [
    'what a captive portal says',
    { status: 200, body: { captive: true }, headers: { 'content-type': 'application/captive+json' } },
  ],
])('a change is unknown when %s came, whatever it says', async (_what, said) => {
  const answer = await made('firewallEnable', said);
  expect(answer).toMatchObject({ kind: 'unknown', reason: 'not-understood', status: said.status });
});

test.each([
  { success: false, errors: ['suspended'], data: { enabled: true, rules: [] } },
  { status: 'error', message: 'hypervisor is down', data: { enabled: false, rules: [] } },
])('nothing is read from an answer that says no beside its data: %j', async (body) => {
  const answer = await made('firewall', ok(body));
  expect(answer).toMatchObject({
    kind: 'unknown',
    reason: 'no-success',
    said: expect.stringMatching(/suspended|down/),
  });
});

test('what a read asks for may speak of errors', async () => {
  const rules = [{ error: 'yes', success: false, status: 'failed' }];
  const answer = await made('firewall', ok({ data: { enabled: true, rules } }));
  expect(answer).toEqual({ kind: 'yes', data: { enabled: true, rules } });
});

test('words beside the body of a yes spoil it only when they speak of a failure', async () => {
  const data = { queueId: 7 };
  const queued = await made('powerBoot', ok({ data, message: 'Boot queued' }));
  expect(queued).toEqual({ kind: 'yes', data });
  const failed = await made('powerBoot', ok({ data, message: 'Boot failed' }));
  expect(failed).toMatchObject({ kind: 'unknown', reason: 'no-success', said: 'Boot failed' });
});

/** Said to a change whose answer no documentation shows. */
test.each([
  { status: false },
  { status: 'false', data: null },
  { status: -1 },
  { status: 'Server is suspended.' },
  { state: 'Server is suspended' },
  { code: 'SERVER_SUSPENDED' },
  { code: -1 },
  { result: -1 },
  { reason: 'suspended' },
  { description: 'The server is locked' },
  { title: 'Forbidden' },
  { info: 'The server is suspended' },
  { statusMessage: 'denied' },
  { msgs: ['suspended'] },
  { message: { en: 'Server is suspended' } },
  { messages: [{ text: 'suspended' }] },
  { data: ['Server is suspended.'] },
  { suspended: true },
  { queued: false },
  { applied: false },
  { errno: 13 },
  { errcode: 40_013 },
  { retcode: 1 },
])('%j says no', (body) => {
  expect(claimOf(body)).toBe('no');
});

test.each([
  { code: 1001 },
  { status: 0 },
  { info: 'Serveur suspendu' },
  { message: 'OK, but the hypervisor is offline' },
  { message: 'Done with warnings' },
  { message: 'The firewall must be enabled first' },
  { message: 'The firewall is disabled' },
])('%j leaves open what happened', (body) => {
  expect(claimOf(body)).toBe('words');
});

test.each([
  { message: 'Queued' },
  { message: 'Request accepted' },
  { msg: 'ok' },
  { message: 'Firewall enabled.' },
  { message: 'The firewall has been enabled.' },
  { message: 'Firewall disabled' },
  { message: 'Rules applied' },
  { message: 'IP added' },
  { message: 'Completed without errors' },
  { success: 'Firewall enabled' },
  { status: 'queued' },
  { status: 'pending' },
  'Created',
])('%j says yes', (body) => {
  expect(claimOf(body)).toBe('yes');
});

test.each([
  {},
  { data: { id: 101, name: 'error 7', comment: 'not locked', suspended: true, enabled: false } },
  { data: ['192.0.2.7', '2001:db8::1'] },
  { data: null, request_id: '3f2a-bcde', timestamp: '2026-11-26T12:00:00Z', version: '7.1.0', interface: 'primary' },
  { code: 0, path: 'https://panel.example/no/api/v1' },
])('%j says nothing of how it went', (body) => {
  expect(claimOf(body)).toBeUndefined();
});
