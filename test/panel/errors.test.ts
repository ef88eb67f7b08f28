import { expect, test } from 'vitest';
import { type Asked, answerTo } from '../helpers/panel/client.ts';
import { type Said, serve } from '../helpers/panel/server.ts';

const problem = { 'content-type': 'application/problem+json' };

/** As they answer when a client takes JSON. */
const others: [string, Said, string?][] = [
  ['Kong', { status: 401, body: { message: 'No API key found in request', request_id: 'a1' } }],
  ['Kong without a route', { status: 404, body: { message: 'no Route matched with those values' } }],
  ['AWS', { status: 403, body: { message: 'Forbidden' } }],
  [
    'Traefik',
    { status: 404, body: '404 page not found\n', headers: { 'content-type': 'text/plain' } },
    '404 page not found',
  ],
  ['Traefik with an allow-list', { status: 403, body: 'Forbidden' }],
  ['nginx with JSON', { status: 403, body: { error: 'access denied' } }, 'access denied'],
  ['Envoy', { status: 403, body: 'RBAC: access denied' }],
  ['Caddy', { status: 403 }],
  ['Caddy without a site', { status: 404 }],
  ['APISIX', { status: 404, body: { error_msg: '404 Route Not Found' } }, '404 Route Not Found'],
  ['Apigee', { status: 401, body: { fault: { faultstring: 'Invalid ApiKey' } } }, 'Invalid ApiKey'],
  ['Azure', { status: 404, body: { statusCode: 404, message: 'Resource not found' } }],
  ["Cloudflare's API", { status: 403, body: { success: false, errors: [{ code: 9109, message: 'Unauthorized' }] } }],
  [
    'a problem document',
    { status: 422, headers: problem, body: JSON.stringify({ title: 'Blocked', errors: { ip: ['no'] } }) },
  ],
  ['a gateway with a list', { status: 409, body: [{ message: 'busy' }] }, 'busy'],
  ['a gateway in Go', { status: 405, body: '"Method Not Allowed"' }],
  ['a proxy whose client is too slow', { status: 408, body: 'Request Timeout' }],
];

test.each(others)('a change that %s refuses may have been done, for all the bot knows', async (_who, said, words) => {
  const { answer, requests } = await answerTo('powerBoot', said);
  expect(answer).toMatchObject({
    kind: 'unknown',
    reason: 'not-the-panel',
    status: said.status,
    ...(words && { said: words }),
  });
  expect(requests).toBe(1);
});

test.each<[string, Said]>([
  ['Traefik', { status: 404, body: '404 page not found' }],
  ['an ingress', { status: 404, body: 'default backend - 404' }],
  ['Kong', { status: 404, body: { message: 'no Route matched with those values' } }],
])('a restore for which %s has no route is not one whose server has no backups', async (_who, said) => {
  const { answer } = await answerTo('backupRestore', said);
  expect(answer).toMatchObject({ kind: 'unknown', reason: 'not-the-panel', status: 404 });
});

test.each<[string, Said]>([
  [
    'Cloudflare, for a browser check',
    { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: 'Just a moment...' },
  ],
  [
    'Cloudflare, by a rule',
    { status: 403, body: { cloudflare_error: true, error_code: 1020, title: 'Error 1020', detail: 'Access denied' } },
  ],
  ['AWS WAF, with a status of success', { status: 202, headers: { 'x-amzn-waf-action': 'challenge' } }],
  ['AWS WAF, with a puzzle', { status: 405, headers: { 'x-amzn-waf-action': 'captcha' }, body: '<html></html>' }],
  ['a proxy that wants a password', { status: 407 }],
  [
    'Traefik, which wants a name and a password',
    { status: 401, headers: { 'www-authenticate': 'Basic realm="traefik"' }, body: '401 Unauthorized\n' },
  ],
  ['the network, before it lets anything through', { status: 511, body: '<html>Sign in</html>' }],
])('a change that was stopped by %s did not reach the panel', async (_who, said) => {
  const { answer, requests } = await answerTo('powerBoot', said);
  expect(answer).toMatchObject({ kind: 'no', reason: 'refused-before', status: said.status });
  expect(requests).toBe(1);
});

test.each<[string, Said]>([
  ['Cloudflare', { status: 429, body: 'error code: 1015', headers: { 'retry-after': '1' } }],
  ['Kong', { status: 429, body: { message: 'API rate limit exceeded' } }],
  ['nginx', { status: 429, body: '<html>429 Too Many Requests</html>', headers: { 'content-type': 'text/html' } }],
])('a 429 of %s is not told as that of the panel; a change is not sent again, a read is', async (_who, said) => {
  expect(await answerTo('powerBoot', said)).toMatchObject({
    answer: { kind: 'no', reason: 'requests-limited' },
    requests: 1,
  });
  expect(await answerTo('connect', said)).toMatchObject({
    answer: { kind: 'no', reason: 'requests-limited' },
    requests: 3,
  });
});

type Headers = Record<string, string>;
const html: Headers = { 'content-type': 'text/html; charset=UTF-8' };
const byField = 'trunk: one; trunk: two; vlan: three';
const noRoute = 'The route api/v1/x could not be found.';
const noMethod = 'The POST method is not supported for route x. Supported methods: GET.';
const lockOut = { errors: ['locked out'], retry_after_seconds: 42 };

/** What is said, and to whom; what it is taken for, and the panel's words. */
const noes: [string, Asked, number, unknown, string, string?, Headers?][] = [
  ['401 with the status text', 'powerBoot', 401, '401 Unauthorized', 'token-refused', '401 Unauthorized'],
  ['401 that PHP labels HTML', 'powerBoot', 401, '401 Unauthorized', 'token-refused', '401 Unauthorized', html],
  ['401 without a body', 'vlanSet', 401, undefined, 'token-refused'],
  ['401 of a read', 'connect', 401, undefined, 'token-refused'],
  ['403', 'powerBoot', 403, { msg: 'no permission' }, 'token-lacks-permission', 'no permission'],
  ['404 of a server', 'powerBoot', 404, { msg: 'server not found' }, 'not-found', 'server not found'],
  ['404 of a group', 'group', 404, { errors: ['no group'] }, 'not-found', 'no group'],
  ['404 of a restore', 'backupRestore', 404, undefined, 'no-backups'],
  ['404 of a VLAN', 'vlanSet', 404, { errors: ['no such interface'] }, 'vlan-not-found', 'no such interface'],
  ['409 of a restore', 'backupRestore', 409, { errors: ['protected'] }, 'protected', 'protected'],
  ['409 elsewhere', 'powerBoot', 409, { errors: [] }, 'conflict'],
  ['422 in plain text', 'backupRestore', 422, 'No disks specified.', 'validation', 'No disks specified.'],
  ['422 that PHP labels HTML', 'backupRestore', 422, 'No disks specified.', 'validation', 'No disks specified.', html],
  ['422 by field', 'vlanSet', 422, { errors: { trunk: ['one', 'two'], vlan: ['three'] } }, 'validation', byField],
  ['423 in the own form', 'powerBoot', 423, { errors: ['tasks pending'] }, 'tasks-pending', 'tasks pending'],
  ['423 in the older form', 'powerBoot', 423, { msg: 'busy' }, 'tasks-pending', 'busy'],
  ['503 in the own form', 'powerBoot', 503, { errors: ['in maintenance'] }, 'maintenance', 'in maintenance'],
  ['503 of a read in the own form', 'connect', 503, { errors: ['in maintenance'] }, 'maintenance', 'in maintenance'],
  ['429 after failed authentications', 'powerBoot', 429, lockOut, 'authentication-limited', 'locked out'],
  ['400', 'powerBoot', 400, { msg: 'bad request' }, 'refused', 'bad request'],
  ['405', 'powerBoot', 405, { errors: ['in quotes'] }, 'refused', 'in quotes'],
  ['418 that says nothing useful', 'powerBoot', 418, { errors: [], debug: { secret: 1 } }, 'refused'],
  // What its framework says by itself.
  ['a route that it does not have', 'powerBoot', 404, { message: noRoute }, 'not-found', noRoute],
  ['a method that it does not have', 'powerBoot', 405, { message: noMethod }, 'refused', noMethod],
  ['an unknown token', 'powerBoot', 401, { message: 'Unauthenticated.' }, 'token-refused', 'Unauthenticated.'],
  ['words and fields', 'powerBoot', 422, { message: 'It is invalid.', errors: { x: ['no'] } }, 'validation', 'x: no'],
  ['no route for a restore', 'backupRestore', 404, { message: noRoute }, 'no-backups', noRoute],
  ['plain words about backups', 'backupRestore', 404, 'No backups found.', 'no-backups', 'No backups found.'],
  ['several errors', 'powerBoot', 422, { errors: ['one', ' two\nlines ', '', 3] }, 'validation', 'one; two lines'],
];

test.each(noes)('%s is a no, sent once', async (_title, endpoint, status, body, reason, words, headers = {}) => {
  const { answer, requests } = await answerTo(endpoint, { status, body, headers });
  expect(answer).toEqual({ kind: 'no', reason, status, said: words });
  expect(requests).toBe(1);
});

test('the words of the panel are cut to 300 characters, never through a character', async () => {
  const { answer } = await answerTo('powerBoot', {
    status: 422,
    body: { errors: [`${'x'.repeat(298)}😀${'y'.repeat(99)}`] },
  });
  expect(answer).toMatchObject({ said: `${'x'.repeat(298)}…` });
});

const doubts: [string, number, unknown, string, Headers?][] = [
  ['500', 500, { errors: ['oops'] }, 'server-error'],
  ['500 without a body', 500, undefined, 'server-error'],
  ['503 without a body', 503, undefined, 'server-error'],
  ['502 of whoever it may be', 502, 'Bad Gateway', 'server-error'],
  ['503 of whoever it may be', 503, { message: 'name resolution failed' }, 'server-error'],
  ['504 of whoever it may be', 504, { error: 'upstream timed out' }, 'server-error'],
  ['522 of whoever it may be', 522, { cloudflare_error: true, title: 'Error 522' }, 'server-error'],
  ['423 in plain text', 423, 'Locked', 'not-the-panel'],
  ['a page with 200', 200, '<!doctype html><title>Hello</title>', 'not-json', html],
  ['a page with 200 that is labelled JSON', 200, '\n<html>', 'not-json', { 'content-type': 'application/json' }],
  ['text with 200 that is labelled HTML', 200, 'Please log in', 'not-json', html],
  ['a page with 401', 401, '<html>Log in</html>', 'not-json', html],
  ['a page with 404', 404, '<html>nginx</html>', 'not-json', html],
  ['a page with 503', 503, '<html>nginx</html>', 'not-json', html],
];

test.each(doubts)(
  '%s leaves a change unknown, and it is not sent again',
  async (_title, status, body, reason, headers) => {
    const { answer, requests } = await answerTo('powerBoot', { status, body, headers });
    expect(answer).toMatchObject({ kind: 'unknown', reason, status });
    expect(requests).toBe(1);
  },
);

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
