import { z } from 'zod';
import { parse, refuse, refuseFields } from './answer.ts';
import { changingServer, type Endpoint, naming } from './endpoint.ts';
import type { NetworkInterface, Server } from './servers.ts';

const mode = z.int().min(0).max(2);
const vlanBody = z.strictObject({ nativeMode: mode.optional(), trunk: mode.optional() });

function interfaceByRef(server: Server, ref: string | undefined): NetworkInterface {
  const { primary, secondary } = server.interfaces;
  if (ref === 'primary') return primary;
  const found = ref === 'secondary' ? secondary : [primary, secondary].find((each) => each?.tag === ref);
  return found ?? refuse(404, `Interface ${ref} was not found.`);
}

/** VLAN modes. `trunk` belongs to the interface, `nativeMode` to one entry of it. */
export const vlan: Endpoint[] = [
  {
    silent: true,
    method: 'PUT',
    url: '/servers/:serverId/interfaces/:interfaceRef/vlans/:vlanId',
    answer(request, world) {
      const server = changingServer(request, world);
      const side = interfaceByRef(server, request.params['interfaceRef']);
      const entry = side.vlans.find((each) => String(each.id) === request.params['vlanId']);
      if (!entry) return refuse(404, `VLAN entry ${request.params['vlanId']} was not found.`);
      const { nativeMode, trunk } = parse(vlanBody, request.body);
      if (nativeMode === undefined && trunk === undefined) {
        refuseFields({ nativeMode: ['Required without trunk.'], trunk: ['Required without nativeMode.'] });
      }
      entry.nativeMode = nativeMode ?? entry.nativeMode;
      side.trunk = trunk ?? side.trunk;
      const modes = `nativeMode ${entry.nativeMode}, trunk ${side.trunk}`;
      world.effect(request, server, `VLAN entry ${entry.id} of ${naming(server)}, interface ${side.tag}, ${modes}`);
      const { id, vlanId } = entry;
      return { status: 200, body: { data: { id, vlanId, trunk: side.trunk, nativeMode: entry.nativeMode } } };
    },
  },
];
