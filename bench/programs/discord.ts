/** A Discord that is only fast: what the bench's bots ask of it, with Discord's limits on posts and edits in a channel. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { application, guild, type ToDiscord } from '../protocol.ts';
import { createAnswers } from './answers.ts';
import { createMessages, type Sent } from './messages.ts';
import { greeting, interaction, nextId } from './payloads.ts';

const say = (message: object): void => void process.send?.(message);
const sockets = new Set<WebSocket>();
let seq = 0;
let origin = '';

function dispatch(t: string, d: unknown): void {
  seq += 1;
  const text = JSON.stringify({ op: 0, t, s: seq, d });
  for (const socket of sockets) socket.send(text);
}

const answers = createAnswers((list) => say({ answers: list }));
const messages = createMessages(dispatch, answers, () => origin);
let commands: unknown = [];

const me = { id: application, username: 'panelops', discriminator: '0001', avatar: null, bot: true };
const fixed: Readonly<Record<string, () => unknown>> = {
  'gateway/bot': () => ({
    url: `${origin.replace('http', 'ws')}/gateway`,
    shards: 1,
    session_start_limit: { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 },
  }),
  'users/@me': () => me,
  'applications/@me': () => ({ id: application, name: 'panelops', flags: 0, bot: me }),
};

function answerTo(method: string, path: string, query: string, body: Buffer, type: string): Sent {
  const known = fixed[path];
  if (known !== undefined) return { status: 200, body: known() };
  const [top, ...rest] = path.split('/');
  if (top === 'interactions') return messages.callback(rest[1] ?? '', body, type);
  if (top === 'webhooks') return messages.webhook(method, rest, body, type);
  if (top === 'channels') return messages.channel(method, rest, query, body, type);
  if (path.endsWith('/commands')) {
    if (method === 'PUT') commands = registered(JSON.parse(String(body)));
    return { status: 200, body: commands };
  }
  return { status: 404, body: { message: '404: Not Found', code: 0 } };
}

const registered = (all: object[]): object[] =>
  all.map((each) => ({ ...each, id: nextId(), version: nextId(), application_id: application, guild_id: guild }));

function serve(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.on('end', () => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    const type = request.headers['content-type'] ?? '';
    const file = path.startsWith('/attachments/') ? messages.file(path.slice(13)) : undefined;
    if (file !== undefined) return response.end(file);
    const sent = answerTo(request.method ?? '', path.replace('/api/v10/', ''), query, body, type);
    if (sent.body === undefined) return response.writeHead(204, sent.headers).end();
    const text = JSON.stringify(sent.body);
    const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    return response.writeHead(sent.status, { ...length, ...sent.headers }).end(text);
  });
}

const server = createServer(serve);
server.keepAliveTimeout = 120_000;
const gateway = new WebSocketServer({ server, perMessageDeflate: false });
gateway.on('connection', (socket) => {
  socket.on('error', () => socket.terminate());
  socket.on('close', () => sockets.delete(socket));
  socket.on('message', (data) => {
    const { op } = JSON.parse(String(data)) as { op: number };
    if (op === 1) socket.send('{"op":11}');
    if (op !== 2) return;
    for (const [t, d] of greeting(origin)) {
      seq += 1;
      socket.send(JSON.stringify({ op: 0, t, s: seq, d }));
    }
    sockets.add(socket);
  });
  socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250, _trace: [] } }));
});
server.listen(0, '127.0.0.1', 4_096, () => {
  // The address of a TCP server is an object.
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  say({ ready: { url: `${origin}/api` } });
});

process.on('message', (message: ToDiscord) => {
  for (const typed of message.typed) {
    const { id, token, payload } = interaction(typed);
    answers.begin({ ...typed, id, token });
    dispatch('INTERACTION_CREATE', payload);
  }
});
process.once('disconnect', () => process.exit(0));
