import type { FastifyInstance } from 'fastify';
import { type Faults, readFault } from './faults.ts';
import type { StoredFile, World } from './world.ts';

/** Fault orders over HTTP, for people and processes on this machine. */
export function addFaultRoutes(app: FastifyInstance, faults: Faults): void {
  app.post('/_sandbox/faults', (request, reply) => {
    const order = readFault(json(request.body));
    if ('problem' in order) return reply.code(422).send({ message: order.problem });
    faults.order(order.fault);
    return reply.code(201).send(order.fault);
  });
  app.delete('/_sandbox/faults', (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
}

/** Serves files of messages at the URLs in their attachment objects. Takes the fault `status`, as requests do. */
export function addFiles(app: FastifyInstance, world: World): void {
  app.get<{ Params: { file: string } }>('/attachments/:channel/:file/:name', (request, reply) => {
    const fault = world.faults.forRequest('GET', request.url, '');
    if (fault?.kind === 'status') return reply.code(fault.status).send();
    const file = fileOf(world, request.params.file);
    if (!file) return reply.code(404).send();
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`;
    reply.header('content-disposition', disposition).header('x-content-type-options', 'nosniff');
    return reply.type(file.type).send(Buffer.from(file.bytes));
  });
}

export function fileOf(world: World, id: string): StoredFile | undefined {
  for (const message of world.messages.values()) {
    const file = message.files.find((one) => one.id === id);
    if (file) return file;
  }
  return undefined;
}

function json(body: unknown): unknown {
  try {
    return JSON.parse(Buffer.isBuffer(body) ? body.toString('utf8') : '');
  } catch {
    return undefined;
  }
}
