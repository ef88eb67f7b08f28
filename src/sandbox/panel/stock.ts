import { z } from 'zod';
import type { World } from './endpoint.ts';
import { createServer } from './servers.ts';

const name = z.string().trim().min(1).max(500);
const id = z.number();

/** What people change of the panel's servers beside its API, as in the panel's own pages. */
export const stockOrder = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('create'), name }),
  z.strictObject({ do: z.literal('rename'), id, name }),
  z.strictObject({ do: z.literal('suspend'), id, on: z.boolean() }),
  z.strictObject({ do: z.literal('delete'), id }),
]);
export type StockOrder = z.infer<typeof stockOrder>;

/** Why it cannot be done; undefined: it is done. A new server comes into the first group, which is production. */
export function changeStock({ state, now }: World, order: StockOrder, news: () => void): string | undefined {
  const problem = changed(state, order, now());
  news();
  return problem;
}

/** More of them would make a page that nobody reads, and a state that is written for long. */
const most = 1_000;

/** Those that it lacks, without anything peculiar. */
export function addServers(
  { servers }: World['state'],
  wanted: readonly { id: number; name?: string; ips?: readonly string[] }[],
  now: Date,
): void {
  const known = new Set(servers.map(({ id }) => id));
  for (const { id, name = `server-${id}`, ips: [ip] = [] } of wanted.slice(0, most))
    if (!known.has(id)) servers.push(createServer({ id, name, ip, groupId: 1, hypervisorId: 3 }, now));
}

function changed(state: World['state'], order: StockOrder, now: Date): string | undefined {
  if (order.do === 'create') {
    const ip = state.groups[0]?.pool.shift();
    const sketch = { id: state.next.serverId++, name: order.name, groupId: 1, hypervisorId: 3, ip };
    state.servers.push(createServer(sketch, now));
    return undefined;
  }
  const at = state.servers.findIndex((each) => each.id === order.id);
  const server = state.servers[at];
  if (server === undefined) return `The panel has no server ${order.id}.`;
  if (order.do === 'rename') server.name = order.name;
  else if (order.do === 'suspend') server.suspended = order.on;
  else state.servers.splice(at, 1);
  return undefined;
}
