import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startPanel } from '../../src/sandbox/panel/index.ts';
import { bot, connect, sandbox } from '../helpers/panel/client.ts';
import { createClock, serve } from '../helpers/panel/server.ts';
import { freePort } from '../helpers/redis-server.ts';
import { listening } from '../helpers/tcp.ts';

const timeouts = { connectMs: 300, answerMs: 5_000, syncMs: 5_000 };
const both = [
  ['a read', 'traffic'],
  ['a change', 'powerBoot'],
] as const;

/** A server on the level of connections, and how many it saw. */
async function listen(onConnection: (socket: Socket) => void) {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    // A client that goes away in the middle is what these tests are about.
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  const port = await listening(server);
  return { port, connections: () => connections };
}

test.each(both)('%s that is refused three times was not sent', async (_title, endpoint) => {
  const clock = createClock();
  const client = connect(`127.0.0.1:${await freePort()}`, { ...clock, random: () => 0.5 });
  expect(await client.call(endpoint, { serverId: 101 }, bot)).toEqual({
    kind: 'not-sent',
    reason: 'connection-refused',
  });
  expect(clock.waits).toEqual([250, 500]);
});

test('localhost, which may be two addresses, refuses like one', async () => {
  const client = connect(`localhost:${await freePort()}`);
  const answer = await client.call('powerBoot', { serverId: 101 }, bot);
  expect(answer).toEqual({ kind: 'not-sent', reason: 'connection-refused' });
});

test.each(both)('%s that was refused at first is sent once the panel listens', async (_title, endpoint) => {
  const { panel } = await sandbox();
  panel.order({ kind: 'refuse' });
  const client = connect(panel.url, { token: panel.token, wait: () => panel.clear() });
  expect(await client.call(endpoint, { serverId: 101 }, bot)).toMatchObject({ kind: 'yes' });
  expect(panel.requests).toHaveLength(1);
});

test.each(both)('%s to a host whose name is unknown was not sent', async (_title, endpoint) => {
  const clock = createClock();
  // A label of more than 63 characters is in no DNS, and is known not to be without asking one.
  const client = connect(`${'x'.repeat(64)}.example.com`, { ...clock });
  expect(await client.call(endpoint, { serverId: 101 }, bot)).toEqual({
    kind: 'not-sent',
    reason: 'name-not-resolved',
  });
  expect(clock.waits).toHaveLength(2);
});

test.each(both)('%s that gets no connection in time was not sent, after three attempts', async (_title, endpoint) => {
  const { port, connections } = await listen(() => undefined);
  const client = connect(`https://127.0.0.1:${port}`, { timeouts });
  expect(await client.call(endpoint, { serverId: 101 }, bot)).toEqual({ kind: 'not-sent', reason: 'connect-timeout' });
  expect(connections()).toBe(3);
});

test.each(both)('%s whose connection is cut before TLS is agreed was not sent', async (_title, endpoint) => {
  const { port, connections } = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const client = connect(`https://127.0.0.1:${port}`);
  expect(await client.call(endpoint, { serverId: 101 }, bot)).toEqual({
    kind: 'not-sent',
    reason: 'connection-refused',
  });
  expect(connections()).toBe(3);
});

test.each(both)('%s to a server that speaks no TLS was not sent, and is not repeated', async (_title, endpoint) => {
  const { port, connections } = await listen((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')),
  );
  const client = connect(`https://127.0.0.1:${port}`);
  expect(await client.call(endpoint, { serverId: 101 }, bot)).toEqual({ kind: 'not-sent', reason: 'certificate' });
  expect(connections()).toBe(1);
});

async function securePanel() {
  const panel = await startPanel({ tls: true });
  onTestFinished(() => panel.close());
  const { url, token, ca = '' } = panel;
  return { panel, url, token, ca };
}

test.each(both)('%s to a panel whose CA is not known was not sent, and is not repeated', async (_title, endpoint) => {
  const { panel, url, token } = await securePanel();
  const clock = createClock();
  const answer = await connect(url, { token, ...clock }).call(endpoint, { serverId: 101 }, bot);
  expect(answer).toEqual({ kind: 'not-sent', reason: 'certificate' });
  expect(panel.requests).toHaveLength(0);
  expect(clock.waits).toEqual([]);
});

test.each(both)(
  '%s to a panel of the given CA is answered, until another answers in its place',
  async (_title, endpoint) => {
    const { panel, url, token, ca } = await securePanel();
    const client = connect(url, { token, ca });
    expect(await client.call('powerRestart', { serverId: 102 }, bot)).toMatchObject({ kind: 'yes' });
    panel.order({ kind: 'wrong-certificate' });
    expect(await client.call(endpoint, { serverId: 101 }, bot)).toEqual({ kind: 'not-sent', reason: 'certificate' });
    await panel.clear();
    expect(await client.call(endpoint, { serverId: 101 }, bot)).toMatchObject({ kind: 'yes' });
    expect(panel.requests).toHaveLength(2);
  },
);

test('the environment cannot turn verification off', async () => {
  const { url, token } = await securePanel();
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  onTestFinished(() => {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
  });
  const answer = await connect(url, { token }).call('connect', {}, bot);
  expect(answer).toEqual({ kind: 'not-sent', reason: 'certificate' });
});

test('an answer that is no HTTP leaves a change unknown', async () => {
  const { port, connections } = await listen((socket) => socket.once('data', () => socket.end('220 smtp ready\r\n')));
  const answer = await connect(`127.0.0.1:${port}`).call('powerBoot', { serverId: 101 }, bot);
  expect(answer).toEqual({ kind: 'unknown', reason: 'connection-lost' });
  expect(connections()).toBe(1);
});

test('closing waits for the change under way, and sends nothing more', async () => {
  const { panel, client } = await sandbox();
  panel.order({ kind: 'delay', ms: 200 });
  const running = client.call('powerBoot', { serverId: 101 }, bot);
  await panel.until(() => panel.requests.length === 1);
  await client.close();
  expect(panel.effects).toHaveLength(1);
  expect(await running).toMatchObject({ kind: 'yes' });
  for (const endpoint of ['traffic', 'powerBoot'] as const) {
    expect(await client.call(endpoint, { serverId: 101 }, bot)).toEqual({ kind: 'not-sent', reason: 'bot-restarted' });
  }
  expect(panel.requests).toHaveLength(1);
});

test('the log has the endpoint, the status and the time, and no secret', async () => {
  const { panel } = await sandbox();
  const lines: [string, object][] = [];
  const write = (level: string) => (facts: object) => void lines.push([level, facts]);
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  const client = connect(panel.url, { token: panel.token, now: () => 0, log });
  await client.call('ipv4Add', { serverId: 101, ip: ['203.0.113.20'] }, bot);
  panel.order({ kind: 'reset-after' });
  await client.call('powerBoot', { serverId: 101 }, bot);

  expect(lines).toEqual([
    ['info', { endpoint: 'ipv4Add', status: 204, ms: 0 }],
    ['warn', { endpoint: 'powerBoot', status: undefined, ms: 0, code: expect.any(String), sent: true }],
  ]);
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${panel.token}|203\\.0\\.113|127\\.0\\.0\\.1`));
});

test('a change is not written once another process may act, even if that shows only when it is connected; a read is', async () => {
  const { url, heard, server } = await serve({ status: 200, body: { data: { queueId: 7 } } });
  const connected = once(server, 'connection');
  const client = connect(url, { mayLeave: () => false });
  expect(await client.call('powerBoot', { serverId: 101 }, bot)).toEqual({ kind: 'not-sent', reason: 'given-up' });
  await connected;
  expect(heard).toEqual([]);
  await client.call('connect', {}, bot);
  expect(heard.map(({ method }) => method)).toEqual(['GET']);
});
