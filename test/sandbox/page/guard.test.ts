import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { pageForAll, send } from '../../helpers/sandbox/page/visit.ts';

const page = pageForAll();
let port: string;
beforeAll(() => {
  port = new URL(page.url).port;
});

const get = (path: string, headers: Record<string, string> = {}) => send(`${page.url}${path}`, { headers });
const json = { 'content-type': 'application/json' };
const shake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
/** An upgrade that is turned away. */
const upgrade = (headers: Record<string, string>) => get('/events?as=alice', { ...shake, ...headers });
const line = JSON.stringify({ as: 'alice', channel: 'ops', line: 'hello' });
const type = (headers: Record<string, string>) => send(`${page.url}/act/type`, { method: 'POST', headers, body: line });
const said = () => page.discord.messages('alice', 'ops').length;

describe('the page', () => {
  it('listens on 127.0.0.1 alone', async () => {
    expect(page.url).toBe(`http://127.0.0.1:${port}`);
    const elsewhere = connect({ host: '127.0.0.2', port: Number(port) });
    const [error] = await once(elsewhere, 'error');
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each(['/../package.json', '/assets/../../package.json', '/assets/%2e%2e/index.html', '/assets', '/assets/x.js'])(
    'serves nothing but what was built: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe('every answer', () => {
  it.each(['/', '/assets/page-1a2b.js', '/nothing', '/events?as=nobody'])(
    'of %s lets a browser load from the page alone, frame it nowhere, and share it with nobody',
    async (path) => {
      const { headers } = await get(path, { origin: page.url });
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          `connect-src 'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
          "frame-ancestors 'none'",
        ]),
      );
      expect(policy.join()).not.toMatch(/unsafe|http|\*/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  it('refuses a preflight request of another origin', async () => {
    const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' };
    const answer = await send(`${page.url}/act/type`, { method: 'OPTIONS', headers });
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('the host name of a request', () => {
  it.each(['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]'])('may be %s', async (name) => {
    expect((await get('/', { host: `${name}:${port}` })).status).toBe(200);
  });

  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    'localhost',
    'localhost:1',
    '127.0.0.1:PORT.evil.example',
  ])('may not be %s: somebody rebound it', async (name) => {
    const host = name.replace('PORT', port);
    for (const path of ['/', '/events?as=alice', '/nothing']) expect((await get(path, { host })).status).toBe(421);
    expect((await upgrade({ host, origin: `http://${host}` })).status).toBe(421);
    const before = said();
    const posted = await type({ ...json, host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' });
    expect([posted.status, said()]).toEqual([421, before]);
  });
});

describe('the origin of a request', () => {
  it('must be the page itself for actions, by any of its names', async () => {
    const before = said();
    expect((await type({ ...json, origin: page.url })).status).toBe(200);
    const host = `localhost:${port}`;
    const local = await type({ ...json, host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' });
    expect([local.status, said()]).toEqual([200, before + 2]);
  });

  it.each([
    ['another site', { origin: 'http://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['the same place over TLS', { origin: 'https://127.0.0.1:PORT' }],
    ['another name of the page than the one called', { origin: 'http://localhost:PORT' }],
    ['a page without an origin', { origin: 'null' }],
    ['nobody who says', {}],
    ['a browser that says it is from elsewhere', { origin: 'http://127.0.0.1:PORT', 'sec-fetch-site': 'cross-site' }],
    ['a browser that says it is a neighbour', { origin: 'http://127.0.0.1:PORT', 'sec-fetch-site': 'same-site' }],
  ])('may not be %s: 403, and nothing is done', async (_who, headers) => {
    const before = said();
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value).replace('PORT', port)]),
    );
    expect((await type({ ...json, ...own })).status).toBe(403);
    expect(said()).toBe(before);
    if ('origin' in headers && !('sec-fetch-site' in headers)) {
      for (const path of ['/', '/events?as=alice']) expect((await get(path, own)).status).toBe(403);
    }
    if (own['origin'] !== page.url) expect((await upgrade(own)).status).toBe(403);
  });

  it('lets the page listen by any of its names', async () => {
    const host = `localhost:${port}`;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/events?as=bob`, {
      headers: { host },
      origin: `http://${host}`,
    });
    const [first] = await once(socket, 'message');
    expect(JSON.parse(String(first))).toMatchObject({ event: 'view', data: { me: 'bob' } });
    socket.terminate();
  });

  it('allows a link on another page, but nothing that a page loads', async () => {
    const followed = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await get('/', followed)).status).toBe(200);
    expect((await get('/assets/page-1a2b.js', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])(
    'does not help a body of the type "%s"',
    async (type) => {
      const headers = { origin: page.url, ...(type && { 'content-type': type }) };
      const before = said();
      const answer = await send(`${page.url}/act/type`, { method: 'POST', headers, body: line });
      expect([answer.status, said()]).toEqual([415, before]);
    },
  );
});
