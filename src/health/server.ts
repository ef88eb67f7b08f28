import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import type { Readiness } from './readiness.ts';

interface ServerParts {
  host: string;
  /** 0 for any free port. */
  port: number;
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

/** Needs no authentication: no path holds a secret or changes anything. Rejects if the port is unavailable. */
export async function startHealthServer({ host, port, readiness, metrics }: ServerParts): Promise<HealthServer> {
  const server = fastify({ forceCloseConnections: true, bodyLimit: 1_024, requestTimeout: 10_000 });
  // Clients must not use up the file descriptors that the ledger needs.
  server.server.maxConnections = 64;
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
    return reply.code(status).send({ problem: status === 500 ? 'The bot could not answer.' : 'Nobody may ask that.' });
  });
  await server.listen({ host, port });
  // It listens on TCP, so the address is an object.
  const address = server.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${address.port}`, close: () => server.close() };
}
