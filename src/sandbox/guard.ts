import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Restricts the sandbox's servers to programs on this machine, and keeps out pages loaded elsewhere. */

export interface Refused {
  status: number;
  problem: string;
}

/** The host names of a server on this port. Any other may be DNS rebinding. */
export const hostsOf = (port: number): string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].map((name) => (port === 80 ? name : `${name}:${port}`));

export const misdirected: Refused = {
  status: 421,
  problem: 'The sandbox answers only at http://127.0.0.1, with its port.',
};

const stranger: Refused = { status: 403, problem: 'Other pages may not do this.' };

export const isOurName = ({ headers: { host = '' }, socket }: IncomingMessage): boolean =>
  hostsOf(socket.localPort ?? 0).includes(host.toLowerCase());

export const isOwnOrigin = ({ host = '', origin }: IncomingHttpHeaders): boolean =>
  origin === `http://${host.toLowerCase()}`;

// "none" means a person typed the address; old browsers send no such header.
const isFromElsewhere = (headers: IncomingHttpHeaders): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));

/** Why to refuse a request or an upgrade. Browsers send the origin of their page; other programs none. */
export function refusalOf(request: IncomingMessage): Refused | undefined {
  const { headers } = request;
  if (!isOurName(request)) return misdirected;
  if (headers.origin !== undefined && !isOwnOrigin(headers)) return stranger;
  return isFromElsewhere(headers) ? stranger : undefined;
}

/** Refuses requests before anything else of a server sees them. */
export function addGuard(app: FastifyInstance, refusal = refusalOf): void {
  app.addHook('onRequest', ({ raw }, reply, next) => {
    const refused = refusal(raw);
    if (refused === undefined) return next();
    // Close the connection: the rest of an unread body must not be parsed as a request.
    reply.code(refused.status).header('connection', 'close').send({ problem: refused.problem });
  });
}
