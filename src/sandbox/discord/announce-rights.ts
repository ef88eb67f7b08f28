import type { DiscordFault } from './faults.ts';
import { announcePlace } from './places.ts';
import type { World } from './world.ts';

/** Tells the bots that a right in a channel was taken or given back, as for any change of a channel. */
export function announceRights(world: World, fault: DiscordFault): void {
  if (fault.kind !== 'forbid-channel') return;
  const wanted = fault.channel.replace(/^#/, '');
  const channel = world.guild.channels.find((one) => one.id === wanted || one.name === wanted);
  if (channel) announcePlace(world, 'UPDATE', channel);
}
