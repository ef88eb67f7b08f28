import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import { parse, refuse, refuseFields } from './answer.ts';
import { changingServer, type Endpoint, interfaceName, interfaceOf, naming, type World } from './endpoint.ts';
import type { Group } from './groups.ts';
import type { Server } from './servers.ts';

const address = z.string().refine((text) => isIPv4(text) || isIPv6(text), 'This is not an IP address.');
const entryBody = z
  .object({ interface: interfaceName, ip: address, cidr: z.int().min(0).max(128) })
  .refine(({ ip, cidr }) => !isIPv4(ip) || cidr <= 32, { path: ['cidr'], message: 'IPv4 prefixes are 0 to 32.' });
const removalBody = z.object({ interface: interfaceName, ip: address });
const quantityBody = z.object({ interface: interfaceName, quantity: z.int().min(1) });
const listBody = z.object({ ip: z.array(z.string().refine(isIPv4, 'This is not an IPv4 address.')).min(1) });

function groupOfServer(server: Server, world: World): Group {
  const group = world.state.groups.find((each) => each.id === server.groupId);
  return group ?? refuse(404, `Server ${server.id} is in no hypervisor group.`);
}

/** All addresses in the request, or 422: all must be valid. */
function listed(body: unknown, owned: string[], problem: string): string[] {
  const ips = [...new Set(parse(listBody, body).ip)];
  const foreign = ips.filter((ip) => !owned.includes(ip));
  return foreign.length === 0 ? ips : refuseFields({ ip: foreign.map((ip) => `${ip} ${problem}`) });
}

const without = (list: string[], removed: string[]) => list.filter((each) => !removed.includes(each));

const whitelist: Endpoint[] = [
  {
    method: 'POST',
    url: '/servers/:serverId/networkWhitelist',
    answer(request, world) {
      const server = changingServer(request, world);
      const entry = parse(entryBody, request.body);
      interfaceOf(server, entry.interface);
      const others = server.whitelist.filter((each) => each.interface !== entry.interface || each.ip !== entry.ip);
      server.whitelist = [...others, entry];
      const network = `${entry.ip}/${entry.cidr}`;
      world.effect(request, server, `${network} whitelisted on ${naming(server)}, ${entry.interface} interface`);
      return { status: 201 };
    },
  },
  {
    method: 'DELETE',
    url: '/servers/:serverId/networkWhitelist',
    answer(request, world) {
      const server = changingServer(request, world);
      const removal = parse(removalBody, request.body);
      interfaceOf(server, removal.interface);
      const kept = server.whitelist.filter((each) => each.interface !== removal.interface || each.ip !== removal.ip);
      if (kept.length === server.whitelist.length) refuse(404, `${removal.ip} is not on the whitelist.`);
      server.whitelist = kept;
      const place = `the whitelist of ${naming(server)}, ${removal.interface} interface`;
      world.effect(request, server, `${removal.ip} removed from ${place}`);
      return { status: 204 };
    },
  },
];

export const addresses: Endpoint[] = [
  ...whitelist,
  {
    method: 'POST',
    url: '/servers/:serverId/ipv4Qty',
    answer(request, world) {
      const server = changingServer(request, world);
      const wanted = parse(quantityBody, request.body);
      interfaceOf(server, wanted.interface);
      const group = groupOfServer(server, world);
      if (wanted.quantity > group.pool.length) {
        refuseFields({ quantity: [`Only ${group.pool.length} IPv4 addresses are free in this group.`] });
      }
      const assigned = group.pool.splice(0, wanted.quantity);
      server.ipv4.push(...assigned);
      world.effect(request, server, `${assigned.join(', ')} assigned to ${naming(server)}`);
      return { status: 200, body: { data: assigned } };
    },
  },
  {
    method: 'POST',
    url: '/servers/:serverId/ipv4',
    answer(request, world) {
      const server = changingServer(request, world);
      const group = groupOfServer(server, world);
      const ips = listed(request.body, group.pool, 'is not free in the group of this server.');
      group.pool = without(group.pool, ips);
      server.ipv4.push(...ips);
      world.effect(request, server, `${ips.join(', ')} added to ${naming(server)}`);
      return { status: 204 };
    },
  },
  {
    method: 'DELETE',
    url: '/servers/:serverId/ipv4',
    answer(request, world) {
      const server = changingServer(request, world);
      const group = groupOfServer(server, world);
      const ips = listed(request.body, server.ipv4, 'is not assigned to this server.');
      server.ipv4 = without(server.ipv4, ips);
      group.pool.push(...ips);
      world.effect(request, server, `${ips.join(', ')} removed from ${naming(server)}`);
      return { status: 204 };
    },
  },
];
