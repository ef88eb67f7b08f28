import { addresses } from './addresses.ts';
import { compute } from './compute.ts';
import { cpu } from './cpu.ts';
import type { Endpoint } from './endpoint.ts';
import { firewall } from './firewall.ts';
import { jobs } from './jobs.ts';
import { list } from './list.ts';
import { power } from './power.ts';
import { queue } from './queue.ts';
import { restore } from './restore.ts';
import { traffic } from './traffic.ts';
import { vlan } from './vlan.ts';

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
