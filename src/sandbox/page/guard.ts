import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { addGuard, hostsOf, isOurName, isOwnOrigin, misdirected, type Refused, refusalOf } from '../guard.ts';

/** Everything loads from the page itself, and no other page may frame it. */
const policyOn = (port: number): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    // Not every browser accepts a same-origin WebSocket as 'self'; an IPv6 address cannot be listed.
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

export const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** Sets the headers, and refuses other host names (421) and other origins (403). */
export function guardPage(app: FastifyInstance, port: () => number): void {
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers({ ...HEADERS, 'content-security-policy': policyOn(port()) });
    next();
  });
  addGuard(app, refusalOfPage);
}

function refusalOfPage(request: IncomingMessage): Refused | undefined {
  const { method, headers } = request;
  if (method === 'POST') return refusalOfPost(request);
  // Links on other pages may lead here.
  const isFollowed = headers['sec-fetch-mode'] === 'navigate' && headers.origin === undefined && isOurName(request);
  return isFollowed ? undefined : refusalOf(request);
}

function refusalOfPost(request: IncomingMessage): Refused | undefined {
  const refused = refusalOf(request);
  if (refused !== undefined) return refused;
  if (!isOwnOrigin(request.headers)) return onlyThePage;
  if (/^application\/json(;|$)/i.test(request.headers['content-type'] ?? '')) return undefined;
  return { status: 415, problem: 'Send the body as application/json.' };
}

const onlyThePage: Refused = { status: 403, problem: 'Only the page itself may do this.' };

/** Why to refuse a WebSocket upgrade. Of its headers, only the origin is the same in all browsers. */
export function refusalOfUpgrade(request: IncomingMessage): Refused | undefined {
  if (!isOurName(request)) return misdirected;
  return isOwnOrigin(request.headers) ? undefined : onlyThePage;
}
