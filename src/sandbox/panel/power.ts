import { changingServer, type Endpoint, naming, type World } from './endpoint.ts';
import type { Server } from './servers.ts';
import type { QueueItem } from './state.ts';

function start(server: Server): string | undefined {
  if (server.bootProblem !== undefined) return server.bootProblem;
  server.power = 'running';
  // A throttle that was only stored takes effect at the next start.
  server.cpuThrottle.applied = server.cpuThrottle.stored;
  return undefined;
}

function stop(server: Server): undefined {
  server.power = 'stopped';
}

/** Executes a queued action, unless the guest ignores it. Powering off completes every waiting shutdown. */
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

/** Each power action, and its effect on the server. */
const actions: Readonly<Record<string, typeof start>> = {
  boot: start,
  shutdown: stop,
  restart: start,
  poweroff: stop,
};

/** Executes it after a moment. */
function schedule(item: QueueItem, world: World): void {
  const { serverId, action } = item;
  const finish = actions[action] ?? stop;
  world.later(world.powerMs, () => {
    const server = world.state.servers.find(({ id }) => id === serverId);
    // Deleted meanwhile, it never ends.
    if (server !== undefined) carryOut(item, server, world, finish);
  });
}

/** Resumes what was queued when the panel stopped. */
export function goOn(world: World): void {
  for (const item of world.state.queue.filter(({ finished }) => finished === undefined)) schedule(item, world);
}

const action = (word: string): Endpoint => ({
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

/** Queued is not done: the power state changes a moment after the answer. */
export const power: Endpoint[] = Object.keys(actions).map(action);
