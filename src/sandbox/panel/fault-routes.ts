import type { FastifyInstance } from 'fastify';
import { type Fault, faultProblems, isFault } from './faults.ts';
import type { Injector } from './injector.ts';

/** Fault orders over HTTP, for people: POST, GET and DELETE /_sandbox/faults. */
export function addFaultRoutes(app: FastifyInstance, injector: Injector): void {
  app.register((sandbox, _options, done) => {
    sandbox.addHook('onRequest', (_request, reply, next) => {
      // Close the connection, so that the client that orders `refuse` is affected too.
      reply.header('connection', 'close');
      next();
    });
    sandbox.get('/_sandbox/faults', () => ({ faults: injector.faults.list() }));
    sandbox.delete('/_sandbox/faults', async (_request, reply) => {
      await injector.clear();
      return reply.code(204).send();
    });
    sandbox.post('/_sandbox/faults', (request, reply) => {
      const fault = readJson(request.body);
      const errors = isFault(fault) ? (unreachable(fault) ?? injector.order(fault)) : faultProblems(fault);
      return errors ? reply.code(422).send({ errors }) : reply.code(201).send(fault);
    });
    done();
  });
}

/** A fault that stops HTTP could not be cancelled over HTTP. */
function unreachable(fault: Fault): Record<string, string[]> | undefined {
  if (fault.kind !== 'refuse' || fault.ms !== undefined) return undefined;
  return { ms: ['Say for how many milliseconds: while it refuses connections, it cannot receive the order to stop.'] };
}

function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
