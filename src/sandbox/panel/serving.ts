import type { ServerResponse } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, Refusal } from './answer.ts';
import { deliver } from './delivery.ts';
import type { Endpoint, World } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import type { Faults } from './faults.ts';
import type { Gate } from './gate.ts';
import type { Journal, RecordedRequest } from './journal.ts';

export const prefix = '/api/v1';

/** What serving a request needs. */
export interface Context {
  gate: Gate;
  faults: Faults;
  journal: Journal;
  world: World;
  /** False while connections are refused: open ones are then closed after their answer. */
  listening: () => boolean;
}

type Request = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>;

const unknownRoute: Answer = { status: 404, body: { errors: ['This route does not exist.'] } };

/** The body parsed as JSON; if that fails, as text with its refusal. */
function readBody({ body, headers }: Request): { value: unknown; refusal?: Answer } {
  if (body === undefined || body === '') return { value: undefined };
  if (!headers['content-type']?.startsWith('application/json')) {
    return { value: body, refusal: { status: 415, body: { errors: ['Send the body as application/json.'] } } };
  }
  try {
    return { value: JSON.parse(String(body)) };
  } catch {
    return { value: body, refusal: { status: 400, body: { errors: ['The body is not JSON.'] } } };
  }
}

/** Calls the endpoint behind the gate; turns what is thrown into an answer. */
function answerOf(enter: () => Record<string, string>, act: () => Answer): Answer {
  let limits: Record<string, string> = {};
  try {
    limits = enter();
    const answer = act();
    return { ...answer, headers: { ...limits, ...answer.headers } };
  } catch (error) {
    const answer = error instanceof Refusal ? error.answer : { status: 500, body: { errors: [String(error)] } };
    return { ...answer, headers: { ...limits, ...answer.headers } };
  }
}

/** Records the request; `answering`, or the end of the connection, completes the record. */
function record(
  { journal, world, listening }: Context,
  raw: ServerResponse,
  method: string,
  path: string,
  body: unknown,
) {
  const begun = performance.now();
  const entry: RecordedRequest = { at: world.now(), method, path, body, status: undefined, ms: undefined };
  journal.requests.push(entry);
  journal.notify();
  const ended = () => {
    entry.ms ??= performance.now() - begun;
    journal.notify();
  };
  raw.once('close', ended);
  const answering = (status: number) => {
    if (!listening()) raw.setHeader('connection', 'close');
    entry.status = status;
    ended();
  };
  return { entry, answering };
}

async function handle(request: Request, reply: FastifyReply, context: Context, endpoint?: Endpoint): Promise<void> {
  const { gate, faults, journal, world } = context;
  const { method, params, query, url } = request;
  const { authorization } = request.headers;
  const { raw } = reply;
  const silent = endpoint?.silent === true;
  const path = url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : url;
  const { value: body, refusal } = readBody(request);
  // Faults spoil the raw response, so fastify must not answer.
  reply.hijack();
  const { entry, answering } = record(context, raw, method, path, body);
  const act = () => {
    if (!endpoint) return unknownRoute;
    return refusal ?? endpoint.answer({ method, path, params, query, body }, world);
  };
  const fault = faults.take(method, path);
  const enter = () =>
    fault?.kind === 'wrong-token' ? gate.refuse(silent) : gate.enter(request.ip, authorization, silent);
  const work = () => {
    const before = journal.effects.length;
    const answer = answerOf(enter, act);
    const effect = journal.effects[before];
    if (effect) entry.effect = effect.what;
    return answer;
  };
  const delivery = { raw, answering, cleared: faults.cleared() };
  await deliver(delivery, work, fault).catch((error) => raw.destroy(error));
}

/** Serves the panel's endpoints, and 404 for everything else but /_sandbox. */
export function servePanel(app: FastifyInstance, context: Context): void {
  // Bodies stay text until they are recorded, whatever their content type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  for (const endpoint of endpoints) {
    app.route<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>({
      method: endpoint.method,
      url: `${prefix}${endpoint.url}`,
      handler: (request, reply) => handle(request, reply, context, endpoint),
    });
  }
  app.setNotFoundHandler((request: Request, reply) => {
    if (!request.url.startsWith('/_sandbox')) return handle(request, reply, context);
    return reply.code(unknownRoute.status).send(unknownRoute.body);
  });
  app.setErrorHandler((error: FastifyError, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ errors: [error.message] }),
  );
}
