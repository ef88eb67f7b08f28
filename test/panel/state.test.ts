import { expect, test } from 'vitest';
import { judgePanel } from '../../src/panel/state.ts';
import { startPanel } from '../../src/sandbox/panel/index.ts';
import { connect, sandbox } from '../helpers/panel/client.ts';
import { serve } from '../helpers/panel/server.ts';

const asked = async (client: ReturnType<typeof connect>) =>
  judgePanel(await client.call('connect', {}, { kind: 'follow-up' }));

const page = { 'content-type': 'text/html; charset=UTF-8' };
const tooMany = /accepts no more requests from the bot this minute \(429\)\. Find out what else/;

const cases: [string, number, unknown, string, RegExp, Record<string, string>?][] = [
  ['401', 401, undefined, 'unauthorized', /\(401\): it is missing, wrong or expired\. Create a new token/],
  ['403', 403, { errors: [] }, 'forbidden', /\(403\)\. In the panel, give this token the permissions/],
  ['404', 404, undefined, 'not-a-panel', /^What answers at PANEL_URL is not the panel's API \(404\)\. Check PANEL_URL/],
  ['a redirect', 302, undefined, 'not-a-panel', /\(302\)\. Check PANEL_URL/, { location: '/login' }],
  ['a page', 200, '<html>It works!</html>', 'not-a-panel', /\(200\)\. Check PANEL_URL/, page],
  ['no object', 200, '"pong"', 'not-a-panel', /is not the panel's API \(200\)\. Check PANEL_URL/],
  ['a proxy without its panel', 502, '<html>Bad Gateway</html>', 'unavailable', /\(502\)/, page],
  [
    'an error',
    500,
    undefined,
    'unavailable',
    /^The panel answers, but cannot serve \(500\)\. Look at the panel itself/,
  ],
  ['maintenance', 503, { msg: 'maintenance' }, 'unavailable', /cannot serve \(503\)/],
  ['too many requests', 429, undefined, 'limited', tooMany, { 'retry-after': '30' }],
  ['a lock-out', 429, { retry_after_seconds: 60 }, 'limited', /failed authentications/],
];

test.each(cases)('a panel that answers with %s, once', async (_name, status, body, state, words, headers) => {
  const { url, heard } = await serve({ status, body, headers });
  expect(await asked(connect(url))).toEqual({ state, words: expect.stringMatching(words) });
  expect(heard).toHaveLength(1);
});

test('a panel that takes the token', async () => {
  const { client } = await sandbox();
  expect(await asked(client)).toEqual({ state: 'ok' });
});

test('a panel that is not there', async () => {
  const words = expect.stringMatching(
    /^The panel could not be reached: it refused the connection\. Check PANEL_URL, and the name service/,
  );
  expect(await asked(connect('http://127.0.0.1:1'))).toEqual({ state: 'unreachable', words });
});

test('a panel of a name that nobody has', async () => {
  const words = expect.stringMatching(/^The panel's host name could not be resolved\. Check PANEL_URL/);
  expect(await asked(connect('https://panel.invalid'))).toEqual({ state: 'unreachable', words });
});

test('a panel whose certificate nobody vouches for', async () => {
  const panel = await startPanel({ tls: true });
  const client = connect(panel.url, { token: panel.token });
  const words = expect.stringMatching(/^The panel's certificate was not trusted.* PANEL_CA_FILE/);
  expect(await asked(client)).toEqual({ state: 'untrusted', words });
  await panel.close();
});
