import type { AddressInfo, Server, Socket } from 'node:net';
import fastify from 'fastify';
import { createMetrics, type MetricsOptions } from '../metrics/index.ts';
import type { Observe } from '../metrics/observe.ts';
import { codeOf } from '../system.ts';
import { type Readiness, readiness } from './readiness.ts';
import type { Watching } from './vitals.ts';

export interface HealthOptions extends MetricsOptions, Watching {
  host: string;
  port: number;
}

/** Health and metrics of this process, by HTTP. */
export interface Health extends HealthServer {
  observe: Observe;
}

/** How long to cache readiness, in ms: frequent probes must not load disk and Redis. */
const fresh = 1_000;

/** Serves immediately: a starting bot is live, but not ready. */
export async function openHealth({ host, port, vitals, waits, ...options }: HealthOptions): Promise<Health> {
  const { now = Date.now } = options;
  const metrics = createMetrics(options);
  let asked: { at: number; answer: Promise<Readiness> } | undefined;
  const ready = (): Promise<Readiness> => {
    if (asked === undefined || performance.now() - asked.at > fresh)
      asked = { at: performance.now(), answer: readiness(vitals() ?? waits.step(), waits.current(), now) };
    return asked.answer;
  };
  const server = await startHealthServer({
    host,
    port,
    readiness: ready,
    metrics: async () => metrics.read({ readiness: await ready(), vitals: vitals() }),
  });
  return { ...server, observe: metrics.observe };
}

interface ServerParts {
  host: string;
  /** 0 for any free port. */
  port: number;
  /** How long a connection may last, whatever it does, in ms. */
  patience?: number;
  readiness(): Promise<Readiness>;
  metrics(): Promise<{ type: string; text: string }>;
}

/** Serves health and metrics over HTTP. */
export interface HealthServer {
  url: string;
  close(): Promise<void>;
}

/** The status of a client's error, such as 413 for a large body. */
function asked(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? status : 500;
}

/** Far more than Prometheus and the probes need, and far fewer than the file descriptors that the ledger needs. */
const mostConnections = 64;

/** Closes each connection after `patience`, and the oldest of too many: whoever is slow keeps nobody out. */
function boundConnections(server: Server, patience: number): void {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    const late = setTimeout(() => socket.destroy(), patience).unref();
    socket.once('close', () => {
      clearTimeout(late);
      open.delete(socket);
    });
    const [oldest] = open;
    if (open.size > mostConnections) oldest?.destroy();
  });
}

/** `::` is every address, of IPv4 too. Where the kernel has no IPv6, those are all that there are. */
async function listen(server: { listen(at: { host: string; port: number }): Promise<string> }, at: ServerParts) {
  const { host, port } = at;
  try {
    await server.listen({ host, port });
  } catch (error) {
    if (host !== '::' || codeOf(error) !== 'EAFNOSUPPORT') throw error;
    await server.listen({ host: '0.0.0.0', port });
  }
}

/** Needs no authentication: no path holds a secret or changes anything. Rejects if the port is unavailable. */
export async function startHealthServer(parts: ServerParts): Promise<HealthServer> {
  const { patience = 10_000, readiness, metrics } = parts;
  const server = fastify({ forceCloseConnections: true, bodyLimit: 1_024 });
  boundConnections(server.server, patience);
  // One answer each: a kept connection would be the oldest one, and be closed under a request.
  server.addHook('onSend', async (_request, reply) => void reply.header('connection', 'close'));
  server.get('/livez', () => ({ live: true }));
  server.get('/readyz', async (_request, reply) => {
    const state = await readiness();
    return reply.code(state.ready ? 200 : 503).send(state);
  });
  server.get('/metrics', async (_request, reply) => {
    const { type, text } = await metrics();
    return reply.type(type).send(text);
  });
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ paths: ['/livez', '/readyz', '/metrics'] }));
  server.setErrorHandler((error, _request, reply) => {
    const status = asked(error);
    return reply
      .code(status)
      .send({ problem: status === 500 ? 'The bot could not answer.' : 'This request is not allowed.' });
  });
  await listen(server, parts);
  // It listens on TCP, so the address is an object.
  const address = server.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, close: () => server.close() };
}
