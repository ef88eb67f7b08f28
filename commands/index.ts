import { alertCommands } from './alerts.ts';
import { auditCommands } from './audit.ts';
import { backup } from './backup.ts';
import { cpu } from './cpu.ts';
import { firewall } from './firewall.ts';
import { followUpCommands } from './follow-ups.ts';
import { freezeCommands } from './freeze.ts';
import { handoverCommands } from './handover.ts';
import { helpCommands } from './help.ts';
import { holdCommands } from './hold.ts';
import { hypervisors } from './hypervisors.ts';
import { incidentCommands } from './incident.ts';
import { ipv4 } from './ipv4.ts';
import { onCallCommands } from './oncall.ts';
import { panel } from './panel.ts';
import { powerCommands } from './power.ts';
import { serverCommands } from './server.ts';
import { trafficCommands } from './traffic.ts';
import { vlan } from './vlan.ts';
import { whitelist } from './whitelist.ts';

/** Every command, in the order of /help. */
export const commands = [
  ...panel,
  ...serverCommands,
  ...hypervisors,
  ...firewall,
  ...whitelist,
  ...ipv4,
  ...powerCommands,
  ...trafficCommands,
  ...backup,
  ...followUpCommands,
  ...handoverCommands,
  ...onCallCommands,
  ...cpu,
  ...vlan,
  ...freezeCommands,
  ...holdCommands,
  ...alertCommands,
  ...incidentCommands,
  ...auditCommands,
  ...helpCommands,
] as const;

/** Keys tables by command: a missing row does not compile. */
export type CommandId = (typeof commands)[number]['id'];
