import { expect, test } from 'vitest';
import { type Asked, answerTo } from '../helpers/panel/client.ts';
import { serve } from '../helpers/panel/server.ts';

type Headers = Record<string, string>;
const html: Headers = { 'content-type': 'text/html; charset=UTF-8' };
const byField = 'trunk: one; trunk: two; vlan: three';
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
  ['503 without a body', 503, undefined, 'server-error'],
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
