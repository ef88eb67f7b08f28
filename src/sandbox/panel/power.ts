import { changingServer, type Endpoint, naming } from './endpoint.ts';
import type { Server } from './servers.ts';

const firstQueueId = 5001;

function start(server: Server): void {
  server.power = 'running';
  // A throttle that was only stored takes hold at the next start.
  server.cpuThrottle.applied = server.cpuThrottle.stored;
}

function stop(server: Server): void {
  server.power = 'stopped';
}

const action = (number: number, word: string, finish: (server: Server) => void): Endpoint => ({
  number,
  method: 'POST',
  url: `/servers/:serverId/power/${word}`,
  answer(request, world) {
    const server = changingServer(request, world);
    const queueId = firstQueueId + world.state.queue.length;
    world.state.queue.push({ queueId, serverId: server.id, action: word, started: world.now() });
    world.later(world.powerMs, () => finish(server));
    world.effect(request, server, `${word} of ${naming(server)} queued`);
    return { status: 200, body: { data: { queueId } } };
  },
});

/** Power actions: endpoints 14 to 17. Queued is not done: the power state changes a moment after the answer. */
export const power: Endpoint[] = [
  action(14, 'boot', start),
  action(15, 'shutdown', stop),
  action(16, 'restart', start),
  action(17, 'poweroff', stop),
];
