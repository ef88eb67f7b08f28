import type { FastifyInstance } from 'fastify';
import type { Counter } from './counter.ts';
import { type Fault, faultProblems, isFault } from './faults.ts';

/** Faults over HTTP, for people: POST, GET and DELETE /_sandbox/faults. */
export function takeOrders(app: FastifyInstance, counter: Counter): void {
  app.register((sandbox, _options, done) => {
    sandbox.addHook('onRequest', (_request, reply, next) => {
      // Whoever orders `refuse` should meet it as well, not go on with the connection in hand.
      reply.header('connection', 'close');
      next();
    });
    sandbox.get('/_sandbox/faults', () => ({ faults: counter.faults.list() }));
    sandbox.delete('/_sandbox/faults', async (_request, reply) => {
      await counter.clear();
      return reply.code(204).send();
    });
    sandbox.post('/_sandbox/faults', (request, reply) => {
      const fault = readJson(request.body);
      const errors = isFault(fault) ? (unreachable(fault) ?? counter.order(fault)) : faultProblems(fault);
      return errors ? reply.code(422).send({ errors }) : reply.code(201).send(fault);
    });
    done();
  });
}

/** Nobody could take back over HTTP what stops HTTP. */
function unreachable(fault: Fault): Record<string, string[]> | undefined {
  if (fault.kind !== 'refuse' || fault.ms !== undefined) return undefined;
  return { ms: ['Say for how many milliseconds: while it refuses connections it cannot be told to stop.'] };
}

function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
