import { expect, test } from 'vitest';
import { type Asked, answerTo } from '../helpers/panel/client.ts';
import type { Said } from '../helpers/panel/server.ts';

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

test.each<[number, unknown]>([
  [502, 'Bad Gateway'],
  [503, { message: 'name resolution failed' }],
  [504, { error: 'upstream timed out' }],
  [522, { cloudflare_error: true, title: 'Error 522' }],
  [500, undefined],
])('an error %i of whoever it may be is unknown, with what it says', async (status, body) => {
  const { answer } = await answerTo('powerBoot', { status, body });
  expect(answer).toMatchObject({ kind: 'unknown', reason: 'server-error', status });
});

/** The forms of the panel, and what its framework says by itself. */
test.each<[string, Asked, Said, string]>([
  [
    'a route that it does not have',
    'powerBoot',
    { status: 404, body: { message: 'The route api/v1/servers/101/power/boot could not be found.' } },
    'not-found',
  ],
  [
    'a method that it does not have',
    'powerBoot',
    { status: 405, body: { message: 'The POST method is not supported for route x. Supported methods: GET.' } },
    'refused',
  ],
  [
    'a token that it does not know',
    'powerBoot',
    { status: 401, body: { message: 'Unauthenticated.' } },
    'token-refused',
  ],
  [
    'words and fields',
    'powerBoot',
    { status: 422, body: { message: 'The given data was invalid.', errors: { x: ['no'] } } },
    'validation',
  ],
  [
    'no route for a restore',
    'backupRestore',
    { status: 404, body: { message: 'The route api/v1/x could not be found.' } },
    'no-backups',
  ],
  ['plain words about backups', 'backupRestore', { status: 404, body: 'No backups found.' }, 'no-backups'],
])("the panel's own refusal is known: %s", async (_what, endpoint, said, reason) => {
  const { answer } = await answerTo(endpoint, said);
  expect(answer).toMatchObject({ kind: 'no', reason, status: said.status });
});
