import { changingServer, type Endpoint, naming, type World } from './endpoint.ts';
import type { Server } from './servers.ts';
import type { QueueItem } from './state.ts';

function start(server: Server): string | undefined {
  if (server.bootProblem !== undefined) return server.bootProblem;
  server.power = 'running';
  // A throttle that was only stored takes hold at the next start.
  server.cpuThrottle.applied = server.cpuThrottle.stored;
  return undefined;
}

function stop(server: Server): undefined {
  server.power = 'stopped';
}

/** Does what was queued, unless the guest pays no heed. Once the power is off, every shutdown that waited is done. */
function carryOut(item: QueueItem, server: Server, { state, now }: World, finish: typeof start): void {
  if (item.action === 'shutdown' && server.ignoresShutdown && server.power === 'running') return;
  const problem = finish(server);
  const waited = state.queue.filter(({ action, serverId }) => action === 'shutdown' && serverId === server.id);
  for (const each of server.power === 'stopped' ? [item, ...waited] : [item]) {
    each.finished ??= now();
    each.progress = problem === undefined ? 100 : each.progress;
  }
  if (problem !== undefined) item.problem = problem;
}

/** Does it a moment later. */
function schedule(item: QueueItem, world: World): void {
  const { serverId, action } = item;
  const finish = action === 'boot' || action === 'restart' ? start : stop;
  world.later(world.powerMs, () => carryOut(item, world.state.server(serverId), world, finish));
}

/** Goes on with what was queued when the panel ended. */
export function goOn(world: World): void {
  for (const item of world.state.queue.filter(({ finished }) => finished === undefined)) schedule(item, world);
}

const action = (number: number, word: string): Endpoint => ({
  number,
  method: 'POST',
  url: `/servers/:serverId/power/${word}`,
  answer(request, world) {
    const server = changingServer(request, world);
    const queueId = world.state.next.queueId++;
    const { id: serverId, hypervisorId } = server;
    const item = { queueId, serverId, hypervisorId, action: word, started: world.now(), progress: 0 };
    world.state.queue.push(item);
    schedule(item, world);
    world.effect(request, server, `${word} of ${naming(server)} queued`);
    return { status: 200, body: { data: { queueId } } };
  },
});

/** Power actions: endpoints 14 to 17. Queued is not done: the power state changes a moment after the answer. */
export const power: Endpoint[] = [
  action(14, 'boot'),
  action(15, 'shutdown'),
  action(16, 'restart'),
  action(17, 'poweroff'),
];
