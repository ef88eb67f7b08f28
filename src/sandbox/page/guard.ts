import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Everything comes from the page itself, and nobody else's page may show it in a frame. */
const policyOn = (port: number): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    // Not every browser takes a WebSocket of the page's own origin for 'self'; an IPv6 address cannot be named.
    [
      "connect-src 'self'",
      ...hostsOf(port)
        .filter((host) => !host.startsWith('['))
        .map((host) => `ws://${host}`),
    ].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** What every answer says, whatever it is. */
export const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

export interface Refused {
  status: number;
  problem: string;
}

/** Gives every answer its headers, and turns away whoever is not the page: other names (421), other origins (403). */
export function addGuard(app: FastifyInstance, port: () => number): void {
  app.addHook('onRequest', (request, reply, next) => {
    reply.headers({ ...HEADERS, 'content-security-policy': policyOn(port()) });
    const refused = refusalOf(request, port());
    if (refused === undefined) return next();
    // The rest of a body that nobody will read must not be taken for a request.
    reply.code(refused.status).header('connection', 'close').send({ problem: refused.problem });
  });
}

/** How the page may be called: by anything else, it was reached through somebody else's name for this machine. */
const hostsOf = (port: number): string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].map((name) => (port === 80 ? name : `${name}:${port}`));

function refusalOf({ method, headers }: FastifyRequest, port: number): Refused | undefined {
  if (!isOurName(headers, port)) return misdirected;
  const isOwn = isOwnOrigin(headers);
  if (headers.origin !== undefined && !isOwn) return stranger;
  if (method === 'POST') return refusalOfPost(isOwn, headers);
  return isFromElsewhere(headers) && headers['sec-fetch-mode'] !== 'navigate' ? stranger : undefined;
}

/**
 * Why an upgrade to a WebSocket is turned away, if it is: no browser lets a page open one without its own origin on it. What they
 * say beside that differs, because its scheme is not the page's.
 */
export function refusalOfUpgrade({ headers }: { headers: IncomingHttpHeaders }, port: number): Refused | undefined {
  if (!isOurName(headers, port)) return misdirected;
  return isOwnOrigin(headers) ? undefined : stranger;
}

const isOurName = ({ host = '' }: IncomingHttpHeaders, port: number): boolean =>
  hostsOf(port).includes(host.toLowerCase());

const isOwnOrigin = ({ host = '', origin }: IncomingHttpHeaders): boolean => origin === `http://${host.toLowerCase()}`;

function refusalOfPost(isOwn: boolean, headers: IncomingHttpHeaders): Refused | undefined {
  if (!isOwn || isFromElsewhere(headers)) return stranger;
  if (/^application\/json(;|$)/i.test(headers['content-type'] ?? '')) return undefined;
  return { status: 415, problem: 'Send the body as application/json.' };
}

const misdirected: Refused = {
  status: 421,
  problem: 'This page has no such name. Open it as http://127.0.0.1, with its port.',
};

const stranger: Refused = { status: 403, problem: 'Only the page itself may do this.' };

// "none" is a person who typed the address; browsers that are old send nothing.
const isFromElsewhere = (headers: IncomingHttpHeaders): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
