import type { Person } from './guild.ts';
import { begin } from './interactions.ts';
import { offeredTo } from './options.ts';
import { channelOf, refuseClosed, visible } from './people.ts';
import { ClientRefusal } from './refusal.ts';
import { messageObject } from './wire.ts';
import type { World } from './world.ts';

/** A person uses an entry of a message's "Apps" menu. Returns the interaction's id. */
export function useMenu(world: World, person: Person, messageId: string, name: string): string {
  const message = visible(world, person, messageId);
  if (message.onlyFor !== undefined) throw new ClientRefusal('A message that only one person sees has no Apps menu.');
  const offered = offeredTo(world, person, 3);
  const command = offered.find((one) => one.name === name);
  if (!command) {
    const known = offered.map((one) => one.name).join(', ');
    throw new ClientRefusal(`${name}: there is no such app. The apps are: ${known === '' ? 'none yet' : known}.`);
  }
  const channel = channelOf(world, message.channelId);
  refuseClosed(channel, 'command');
  const data = {
    id: command.id,
    name: command.name,
    type: 3,
    guild_id: world.guild.id,
    target_id: message.id,
    // With its content whatever the intents: the person passes it on.
    resolved: { messages: { [message.id]: messageObject(world, message, true) } },
  };
  return begin(world, { type: 2, person, channel, name: command.name, data, targetId: message.id }).id;
}
