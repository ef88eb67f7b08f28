import type { DiscordFault } from './faults.ts';
import { BOT_ROLE_ID, roleObject } from './guild.ts';
import { announcePlace } from './places.ts';
import { INVITED, RIGHTS } from './rights.ts';
import { INTENTS, type World } from './world.ts';

/** Tells the bots that a right was taken or given back, as for any change of a channel or role. */
export function announceRights(world: World, fault: DiscordFault): void {
  if (fault.kind === 'forbid-channel') {
    const wanted = fault.channel.replace(/^#/, '');
    const channel = world.guild.channels.find((one) => one.id === wanted || one.name === wanted);
    if (channel) announcePlace(world, 'UPDATE', channel);
  }
  if (fault.kind === 'forbid-audit-log') setRole(world, INVITED & ~RIGHTS.viewAuditLog);
}

/** Allows again everything that was forbidden. */
export function announceLifted(world: World, faults: readonly DiscordFault[]): void {
  for (const fault of faults) {
    if (fault.kind === 'forbid-audit-log') setRole(world, INVITED);
    else announceRights(world, fault);
  }
}

function setRole(world: World, permissions: bigint): void {
  const role = world.guild.roles.find((one) => one.id === BOT_ROLE_ID);
  if (!role) return;
  role.permissions = permissions;
  world.dispatch({
    t: 'GUILD_ROLE_UPDATE',
    intent: INTENTS.guilds,
    data: () => ({ guild_id: world.guild.id, role: roleObject(world.guild, role) }),
  });
}
