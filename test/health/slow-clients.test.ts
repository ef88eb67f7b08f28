import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startHealthServer } from '../../src/health/index.ts';

/** More than the sockets on both sides take. */
const long = { type: 'text/plain', text: 'x'.repeat(6 << 20) };

async function serve(patience?: number, host = '127.0.0.1') {
  const readiness = () => Promise.resolve({ ready: true, parts: {} });
  const metrics = () => Promise.resolve(long);
  const server = await startHealthServer({
    host,
    port: 0,
    readiness,
    metrics,
    patience,
  });
  onTestFinished(server.close);
  return { url: server.url, port: Number(new URL(server.url).port) };
}

/** A client that sends this and then nothing, and reads nothing. */
async function client(port: number, sent: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  if (sent !== '') socket.write(sent);
  return socket;
}

const slow = {
  'say nothing': '',
  'stop in the middle of a header': 'GET /livez HTTP/1.1\r\nHost: b',
  'stop in the middle of a body': 'POST /livez HTTP/1.1\r\nHost: bot\r\nContent-Length: 9\r\n\r\nx',
  'wait after an answer': 'GET /livez HTTP/1.1\r\nHost: bot\r\nConnection: keep-alive\r\n\r\n',
};

const unread = 'GET /metrics HTTP/1.1\r\nHost: bot\r\n\r\n';

it.each(Object.entries(slow))('More clients than it takes, that %s, keep no probe out', async (_what, sent) => {
  const { url, port } = await serve();
  for (let n = 0; n < 66; n += 1) await client(port, sent);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
});

it('Who is slow with a request, or with reading the answer, is cut off in the end', async () => {
  const { port } = await serve(50);
  const reader = await client(port, unread);
  for (const sent of Object.values(slow)) await once((await client(port, sent)).resume(), 'close');
  let read = 0;
  await once(
    reader.on('data', ({ length }: Buffer) => {
      read += length;
    }),
    'close',
  );
  expect(read).toBeLessThan(long.text.length);
});

it('Each answer ends its connection', async () => {
  const { url } = await serve();
  expect((await fetch(`${url}/livez`)).headers.get('connection')).toBe('close');
  expect((await fetch(`${url}/nowhere`)).headers.get('connection')).toBe('close');
});

it('At :: it answers over IPv4, too', async () => {
  const { port } = await serve(undefined, '::');
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200);
});
