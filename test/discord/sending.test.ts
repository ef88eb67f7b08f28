import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { createLimits, createRest } from '../../src/discord/rest.ts';
import { listening } from '../helpers/tcp.ts';

/** Sends a request to a server that answers it like this. */
async function sends(answer: (from: IncomingMessage, to: ServerResponse) => unknown, signal?: AbortSignal) {
  const port = await listening(createHttpServer(answer));
  return createLimits().makeRequest(`http://127.0.0.1:${port}/v10/gateway`, { method: 'GET', signal });
}

it('Hints before an answer are not the answer', async () => {
  const answer = await sends((_, to) => {
    to.writeEarlyHints({ link: '</a>; rel=preload' });
    to.end('whole');
  });
  expect([answer.status, await answer.text()]).toEqual([200, 'whole']);
});

it('A header that comes twice is there twice', async () => {
  const answer = await sends((_, to) => to.setHeader('x-said', ['one', 'two']).end());
  expect(answer.headers.get('x-said')).toBe('one, two');
});

it.each([
  ['before anything is answered', (_: ServerResponse, giveUp: () => void) => giveUp()],
  ['in the middle of an answer', (to: ServerResponse) => to.write('half')],
])('Whoever gives up %s lets go of the connection', async (_when, begin) => {
  const ending = new AbortController();
  const giveUp = () => ending.abort();
  let closed: Promise<unknown> | undefined;
  const asked = sends(({ socket }, to) => {
    closed = new Promise((resolve) => socket.on('close', resolve));
    begin(to, giveUp);
  }, ending.signal);
  const read = asked.then((answer) => {
    giveUp();
    return answer.text();
  });
  await expect(read).rejects.toThrow('aborted');
  await closed;
});

it('A request is given up in time and not repeated, if no connection stands yet', async () => {
  const connections: Socket[] = [];
  const silent = await listening(createServer((socket) => void connections.push(socket)));
  const rest = createRest({ apiUrl: `https://127.0.0.1:${silent}` }, { timeout: 100 });
  const asked = rest.get('/gateway/bot', { auth: false });
  await expect(asked).rejects.toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' });
  expect(connections).toHaveLength(1);
});

it('An answer that stops in the middle is given up in time, too, and its request is not repeated', async () => {
  let asked = 0;
  const stuck = createHttpServer((_, to) => {
    asked += 1;
    to.write('{"half":');
  });
  const rest = createRest({ apiUrl: `http://127.0.0.1:${await listening(stuck)}` });
  await expect(rest.get('/gateway/bot', { auth: false })).rejects.toMatchObject({ code: 'UND_ERR_BODY_TIMEOUT' });
  expect(asked).toBe(1);
}, 20_000);
