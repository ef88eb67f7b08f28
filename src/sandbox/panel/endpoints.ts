import { z } from 'zod';
import { addresses } from './addresses.ts';
import { parse, refuse, refuseFields } from './answer.ts';
import { compute } from './compute.ts';
import { changingServer, type Endpoint, naming, serverOf, syncOf } from './endpoint.ts';
import { firewall } from './firewall.ts';
import { jobs } from './jobs.ts';
import { list } from './list.ts';
import { withOffset } from './periods.ts';
import { power } from './power.ts';
import { restore } from './restore.ts';
import type { NetworkInterface, Server } from './servers.ts';
import type { QueueItem } from './state.ts';

const throttleBody = z.object({ percent: z.int().min(0).max(100) });

const cpu: Endpoint[] = [
  {
    method: 'PUT',
    url: '/servers/:serverId/modify/cpuThrottle',
    answer(request, world) {
      const server = changingServer(request, world);
      const sync = syncOf(request);
      const { percent } = parse(throttleBody, request.body);
      server.cpuThrottle.stored = percent;
      if (sync) server.cpuThrottle.applied = percent;
      const limit = percent === 0 ? 'throttle removed' : `limited to ${percent} %`;
      world.effect(request, server, `CPU of ${naming(server)}, ${limit}, ${sync ? 'and applied' : 'stored only'}`);
      return { status: 201 };
    },
  },
];

/** In the words of real panels, with a trace that people must not see. */
function errorsOf({ action, problem }: QueueItem) {
  if (problem === undefined) return null;
  const trace = `#0 /opt/panel/app/Jobs/${action}.php(88): run()\n#1 /opt/panel/artisan(37): handle()`;
  return { exception: { message: problem, trace } };
}

/** Real panels have this read, and the document lacks it: a queued power action. `failed` decides once it ended. */
const queue: Endpoint[] = [
  {
    method: 'GET',
    url: '/queue/:queueId',
    answer({ params }, { state, queueReads }) {
      if (!queueReads) return refuse(404, 'This route does not exist.');
      const item = state.queue.find(({ queueId }) => String(queueId) === params['queueId']);
      if (!item) return refuse(404, `Queue item ${params['queueId']} was not found.`);
      const { queueId: id, action, serverId, hypervisorId, started, finished, progress, problem } = item;
      const data = {
        id,
        action,
        serverId,
        hypervisorId,
        started: withOffset(started),
        updated: withOffset(finished ?? started),
        finished: finished === undefined ? null : withOffset(finished),
        failed: problem !== undefined,
        progress,
        errors: errorsOf(item),
      };
      return { status: 200, body: { data } };
    },
  },
];

const mode = z.int().min(0).max(2);
const vlanBody = z.strictObject({ nativeMode: mode.optional(), trunk: mode.optional() });

function interfaceByRef(server: Server, ref: string | undefined): NetworkInterface {
  const { primary, secondary } = server.interfaces;
  if (ref === 'primary') return primary;
  const found = ref === 'secondary' ? secondary : [primary, secondary].find((each) => each?.tag === ref);
  return found ?? refuse(404, `Interface ${ref} was not found.`);
}

/** VLAN modes. `trunk` belongs to the interface, `nativeMode` to one entry of it. */
const vlan: Endpoint[] = [
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

const blockBody = z.object({ month: z.int(), amount: z.int().min(1) });

/** Traffic blocks. `month` is the number of a billing period. */
const traffic: Endpoint[] = [
  {
    method: 'POST',
    url: '/servers/:serverId/traffic/blocks',
    answer(request, world) {
      const server = changingServer(request, world);
      const { month, amount } = parse(blockBody, request.body);
      const { assigned, currentMonth, periods } = server.traffic;
      const period = periods.find((each) => each.month === month);
      if (!period) return refuseFields({ month: [`Month ${month} is not available.`] });
      assigned.push({
        ...period,
        id: assigned.length + 1,
        current: month === currentMonth,
        traffic: amount,
        added: withOffset(world.now()),
      });
      world.effect(request, server, `${amount} GB of traffic added to ${naming(server)} for month ${month}`);
      return { status: 201 };
    },
  },
  {
    method: 'GET',
    url: '/servers/:serverId/traffic/blocks',
    answer(request, world) {
      const { assigned, currentMonth, periods } = serverOf(request, world).traffic;
      const months = Object.fromEntries(periods.map((period) => [period.month, period]));
      const available = { total: periods.length, current: months[currentMonth], months };
      return { status: 200, body: { data: { assigned, available } } };
    },
  },
];

/** All endpoints of the panel's document, and four reads that it lacks. */
export const endpoints: Endpoint[] = [
  ...compute,
  ...firewall,
  ...addresses,
  ...power,
  ...traffic,
  ...restore,
  ...cpu,
  ...vlan,
  ...jobs,
  ...queue,
  ...list,
];
