import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Who may talk to the sandbox's servers: programs on this machine, and no page that a browser got from elsewhere. */

export interface Refused {
  status: number;
  problem: string;
}

/** How a server on this port may be called: by anything else, it was reached through somebody else's name for this machine. */
export const hostsOf = (port: number): string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].map((name) => (port === 80 ? name : `${name}:${port}`));

export const misdirected: Refused = {
  status: 421,
  problem: 'The sandbox has no such name. Its address is http://127.0.0.1, with its port.',
};

const stranger: Refused = { status: 403, problem: 'No page from elsewhere may do this.' };

export const isOurName = ({ headers: { host = '' }, socket }: IncomingMessage): boolean =>
  hostsOf(socket.localPort ?? 0).includes(host.toLowerCase());

export const isOwnOrigin = ({ host = '', origin }: IncomingHttpHeaders): boolean =>
  origin === `http://${host.toLowerCase()}`;

// "none" is a person who typed the address; browsers that are old send nothing.
const isFromElsewhere = (headers: IncomingHttpHeaders): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));

/** Why a request or an upgrade is turned away, if it is. A browser says where its page is from; other programs say nothing. */
export function refusalOf(request: IncomingMessage): Refused | undefined {
  const { headers } = request;
  if (!isOurName(request)) return misdirected;
  if (headers.origin !== undefined && !isOwnOrigin(headers)) return stranger;
  return isFromElsewhere(headers) ? stranger : undefined;
}

/** Turns requests away before anything else of a server sees them. */
export function addGuard(app: FastifyInstance, refusal = refusalOf): void {
  app.addHook('onRequest', ({ raw }, reply, next) => {
    const refused = refusal(raw);
    if (refused === undefined) return next();
    // The rest of a body that nobody will read must not be taken for a request.
    reply.code(refused.status).header('connection', 'close').send({ problem: refused.problem });
  });
}
