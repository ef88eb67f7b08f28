import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { addGuard } from '../../guard.ts';
import type { RequestFault } from '../faults.ts';
import { type Limits, limitHeaders, makeBuckets, seconds, type Taken } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import type { World } from '../world.ts';
import { applicationRoutes } from './application.ts';
import { readBody } from './body.ts';
import type { Call, Route } from './call.ts';
import { channelRoutes } from './channels.ts';
import { guildRoutes } from './guilds.ts';
import { interactionRoutes } from './interactions.ts';
import { pinRoutes } from './pins.ts';
import { threadRoutes } from './threads.ts';

/** A request of the bot. `path` is what follows /api/v10, without the query. */
export interface RestRequest {
  at: number;
  method: string;
  path: string;
  body: unknown;
  status: number;
}

export interface RestOptions {
  world: World;
  limits: Required<Limits>;
  record: (request: RestRequest) => void;
}

interface Sent {
  status: number;
  headers: Record<string, string>;
  body?: unknown;
}

const ROUTES: Route[] = [
  ...applicationRoutes,
  ...guildRoutes,
  ...channelRoutes,
  ...pinRoutes,
  ...threadRoutes,
  ...interactionRoutes,
];
const PREFIX = '/api/v10';
const notFound = () => new Refusal(404, 0, '404: Not Found');

/** A server that passes bodies on as bytes. */
function bareServer(): FastifyInstance {
  const app = fastify({
    bodyLimit: 32 * 1024 * 1024,
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500 },
  });
  addGuard(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
  return app;
}

/** REST v10 on a server that does not listen yet. */
export function makeRest({ world, limits, record }: RestOptions): FastifyInstance {
  const app = bareServer();
  const take = makeBuckets();

  const answer = (route: Route, request: FastifyRequest, call: Call): Sent => {
    const headers: Record<string, string> = {};
    try {
      if (!route.open && request.headers.authorization !== `Bot ${world.token}`) {
        throw new Refusal(401, 0, '401: Unauthorized');
      }
      if (!route.open && limits.global !== false) limited(take('global', limits.global), true);
      const limit = route.limit && limits[route.limit];
      if (limit) {
        const bucket = take(`${route.limit}:${call.params['channel']}`, limit);
        Object.assign(headers, limitHeaders(`sandbox-${route.limit}`, bucket, Date.now()));
        limited(bucket, false);
      }
      const answer = route.handle(world, call, limits);
      // Write first: what the bot was told must survive a kill.
      world.memory.flush();
      return { headers, ...answer };
    } catch (error) {
      return refused(error, headers);
    }
  };

  const handle = async (route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const url = new URL(request.url, world.origin);
    // Clients differ in whether they encode the @ of @original.
    const path = url.pathname.slice(PREFIX.length).replace('%40', '@');
    const at = world.now();
    if (world.faults.outage()) return send(reply, { status: 503, headers: {}, body: '' });
    const fault = world.faults.forRequest(request.method, path, bytesOf(request.body).toString());
    if (fault?.kind === 'delay') await new Promise<void>((resolve) => world.later(fault.ms, resolve));
    const read = await readBody(request.headers['content-type'] ?? '', bytesOf(request.body));
    const body = read instanceof Refusal ? undefined : read.body;
    const log = (sent: Sent): Sent => {
      record({ at, method: request.method, path, body, status: sent.status });
      return sent;
    };
    const instead = orderedAnswer(fault);
    if (instead) return send(reply, log(instead));
    if (read instanceof Refusal) return send(reply, log(refused(read, {})));
    // Fastify types params as unknown; the router only gives strings.
    const params = request.params as Record<string, string>;
    const once = () => log(answer(route, request, { params, query: url.searchParams, ...read }));
    if (fault?.kind === 'late-request') {
      if (fault.ms === undefined) world.faults.onClear(once);
      else world.later(fault.ms, once);
      lose(request, 'reset');
      return reply.hijack();
    }
    const first = once();
    if (fault?.kind === 'lose-request') {
      lose(request, fault.by ?? 'reset');
      return reply.hijack();
    }
    return send(reply, fault?.kind === 'repeat-request' ? once() : first);
  };

  for (const route of ROUTES) {
    app.route({
      method: route.method,
      url: `${PREFIX}${route.path}`,
      handler: (request, reply) => handle(route, request, reply),
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const path = new URL(request.url, world.origin).pathname;
    const known = ROUTES.some((route) => pattern(route).test(path));
    const sent = refused(known ? new Refusal(405, 0, '405: Method Not Allowed') : notFound(), {});
    if (path.startsWith(PREFIX)) {
      const log = { method: request.method, path: path.slice(PREFIX.length), body: undefined, status: sent.status };
      record({ at: world.now(), ...log });
    }
    return send(reply, sent);
  });
  return app;
}

function pattern(route: Route): RegExp {
  return new RegExp(`^${PREFIX}${route.path.replace(/:\w+/g, '[^/]+')}$`);
}

function bytesOf(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function send(reply: FastifyReply, { status, headers, body }: Sent): FastifyReply {
  reply.code(status).headers(headers);
  return body === undefined ? reply.send() : reply.send(body);
}

function lose({ raw }: FastifyRequest, by: 'reset' | 'close' | 'hang'): void {
  if (by === 'reset') raw.socket.resetAndDestroy();
  else if (by === 'close') raw.socket.destroy();
}

function refused(error: unknown, headers: Record<string, string>): Sent {
  if (!(error instanceof Refusal)) throw error;
  const body =
    error.status === 429 && error.code === 0
      ? { message: error.message, ...error.extra }
      : { message: error.message, code: error.code, ...error.extra };
  return { status: error.status, headers: { ...headers, ...error.headers }, body };
}

/** The answer that an ordered fault sends instead. */
function orderedAnswer(fault: RequestFault | undefined): Sent | undefined {
  if (fault?.kind === 'status') return { status: fault.status, headers: fault.headers ?? {}, body: fault.body };
  return fault?.kind === 'rate-limit' ? rateLimited(fault.retryAfterMs, fault.global ?? false) : undefined;
}

function limited(taken: Taken, global: boolean): void {
  if (!taken.ok) throw tooMany(taken.resetAfterMs, global);
}

function rateLimited(retryAfterMs: number, global: boolean): Sent {
  return refused(tooMany(retryAfterMs, global), {});
}

function tooMany(retryAfterMs: number, global: boolean): Refusal {
  const wait = seconds(retryAfterMs);
  return new Refusal(
    429,
    0,
    'You are being rate limited.',
    { retry_after: Number(wait), global },
    {
      // Discord writes whole seconds here, and the exact time in the body and X-RateLimit-Reset-After.
      'retry-after': String(Math.ceil(retryAfterMs / 1000)),
      'x-ratelimit-scope': global ? 'global' : 'user',
      ...(global && { 'x-ratelimit-global': 'true' }),
    },
  );
}
