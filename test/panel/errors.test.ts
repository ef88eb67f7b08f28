import { expect, test } from 'vitest';
import type { EndpointName, Input } from '../../src/panel/endpoints.ts';
import { bot, connect } from '../helpers/panel/client.ts';
import { type Said, serve } from '../helpers/panel/server.ts';

const inputs = {
  connect: {},
  group: { hypervisorGroupId: 9 },
  powerBoot: { serverId: 101 },
  backupRestore: { serverId: 101, disks: ['0'] },
  vlanSet: { serverId: 101, interfaceRef: 'primary', vlanId: 7, trunk: 1 },
} satisfies Partial<Record<EndpointName, object>>;
type Asked = keyof typeof inputs;

async function answerTo(endpoint: Asked, said: Said) {
  const { url, heard } = await serve(said);
  // Each input fits its own endpoint; the type of the union cannot say so.
  const answer = await connect(url).call(endpoint, inputs[endpoint] as Input<typeof endpoint>, bot);
  return { answer, requests: heard.length };
}

const html = { 'content-type': 'text/html; charset=UTF-8' };
const noes: [string, Asked, Said, string, string | undefined][] = [
  [
    '401 with the status text',
    'powerBoot',
    { status: 401, body: '401 Unauthorized' },
    'token-refused',
    '401 Unauthorized',
  ],
  [
    '401 that PHP labels HTML',
    'powerBoot',
    { status: 401, body: '401 Unauthorized', headers: html },
    'token-refused',
    '401 Unauthorized',
  ],
  ['401 without a body', 'vlanSet', { status: 401 }, 'token-refused', undefined],
  ['401 of a read', 'connect', { status: 401 }, 'token-refused', undefined],
  ['403', 'powerBoot', { status: 403, body: { msg: 'no permission' } }, 'token-lacks-permission', 'no permission'],
  ['404 of a server', 'powerBoot', { status: 404, body: { msg: 'server not found' } }, 'not-found', 'server not found'],
  ['404 of a group', 'group', { status: 404, body: { errors: ['no group'] } }, 'not-found', 'no group'],
  ['404 of a restore', 'backupRestore', { status: 404 }, 'no-backups', undefined],
  [
    '404 of a VLAN',
    'vlanSet',
    { status: 404, body: { errors: ['no such interface'] } },
    'vlan-not-found',
    'no such interface',
  ],
  ['409 of a restore', 'backupRestore', { status: 409, body: { errors: ['protected'] } }, 'protected', 'protected'],
  ['409 elsewhere', 'powerBoot', { status: 409, body: { errors: [] } }, 'conflict', undefined],
  [
    '422 in plain text',
    'backupRestore',
    { status: 422, body: 'No disks specified.' },
    'validation',
    'No disks specified.',
  ],
  [
    '422 in plain text that PHP labels HTML',
    'backupRestore',
    { status: 422, body: 'No disks specified.', headers: html },
    'validation',
    'No disks specified.',
  ],
  [
    '422 by field',
    'vlanSet',
    { status: 422, body: { errors: { trunk: ['must be 0, 1 or 2', 'is odd'], vlan: ['is unknown'] } } },
    'validation',
    'trunk: must be 0, 1 or 2; trunk: is odd; vlan: is unknown',
  ],
  [
    '423 in the own form',
    'powerBoot',
    { status: 423, body: { errors: ['tasks pending'] } },
    'tasks-pending',
    'tasks pending',
  ],
  ['423 in the older form', 'powerBoot', { status: 423, body: { msg: 'busy' } }, 'tasks-pending', 'busy'],
  [
    '503 in the own form',
    'powerBoot',
    { status: 503, body: { errors: ['in maintenance'] } },
    'maintenance',
    'in maintenance',
  ],
  [
    '503 of a read in the own form',
    'connect',
    { status: 503, body: { errors: ['in maintenance'] } },
    'maintenance',
    'in maintenance',
  ],
  [
    '429 after failed authentications',
    'powerBoot',
    { status: 429, body: { errors: ['locked out'], retry_after_seconds: 42 }, headers: { 'retry-after': '42' } },
    'authentication-limited',
    'locked out',
  ],
  ['400', 'powerBoot', { status: 400, body: { msg: 'bad request' } }, 'refused', 'bad request'],
  ['405', 'powerBoot', { status: 405, body: { errors: ['in quotes'] } }, 'refused', 'in quotes'],
  [
    '418 that says nothing useful',
    'powerBoot',
    { status: 418, body: { errors: [], debug: { secret: 1 } } },
    'refused',
    undefined,
  ],
  [
    'several errors',
    'powerBoot',
    { status: 422, body: { errors: ['one', ' two\nlines ', '', 3] } },
    'validation',
    'one; two lines',
  ],
];

test.each(noes)('%s is a no, sent once', async (_title, endpoint, said, reason, words) => {
  const { answer, requests } = await answerTo(endpoint, said);
  expect(answer).toEqual({ kind: 'no', reason, status: said.status, said: words });
  expect(requests).toBe(1);
});

test('the words of the panel are cut to 300 characters, never through a character', async () => {
  const { answer } = await answerTo('powerBoot', {
    status: 422,
    body: { errors: [`${'x'.repeat(298)}😀${'y'.repeat(99)}`] },
  });
  expect(answer).toMatchObject({ said: `${'x'.repeat(298)}…` });
});

test('an error nested deeper than any stack is not read', async () => {
  const deep = `{"errors":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  const { answer } = await answerTo('powerBoot', { status: 422, body: deep });
  expect(answer).toEqual({ kind: 'unknown', reason: 'answer-too-large', status: 422 });
});

const doubts: [string, Said, string][] = [
  ['500', { status: 500, body: { errors: ['oops'] } }, 'server-error'],
  ['502 in plain text', { status: 502, body: 'Bad Gateway' }, 'server-error'],
  ['503 without a body', { status: 503 }, 'server-error'],
  ['503 in another form', { status: 503, body: { message: 'Service Unavailable' } }, 'server-error'],
  ['423 in plain text', { status: 423, body: 'Locked' }, 'not-the-panel'],
  ['a page with 200', { status: 200, body: '<!doctype html><title>Hello</title>', headers: html }, 'not-json'],
  [
    'a page with 200 that is labelled JSON',
    { status: 200, body: '\n<html>', headers: { 'content-type': 'application/json' } },
    'not-json',
  ],
  ['text with 200 that is labelled HTML', { status: 200, body: 'Please log in', headers: html }, 'not-json'],
  ['a page with 401', { status: 401, body: '<html>Log in</html>', headers: html }, 'not-json'],
  ['a page with 404', { status: 404, body: '<html>nginx</html>', headers: html }, 'not-json'],
  ['a page with 503', { status: 503, body: '<html>nginx</html>', headers: html }, 'not-json'],
];

test.each(doubts)('%s leaves a change unknown, and it is not sent again', async (_title, said, reason) => {
  const { answer, requests } = await answerTo('powerBoot', said);
  expect(answer).toMatchObject({ kind: 'unknown', reason, status: said.status });
  expect(requests).toBe(1);
});

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is not followed, and the token goes nowhere else',
  async (status) => {
    const other = await serve({ status: 200, body: { data: { queueId: 1 } } });
    const { answer, requests } = await answerTo('powerBoot', {
      status,
      headers: { ...html, location: `${other.url}/api/v1/servers/101/power/boot` },
      body: '<html>Moved</html>',
    });
    expect(answer).toEqual({ kind: 'unknown', reason: 'redirected', status });
    expect(requests).toBe(1);
    expect(other.heard).toHaveLength(0);
  },
);
