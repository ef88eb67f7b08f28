import type { Person } from './guild.ts';
import { announce, isNote, note } from './messages.ts';
import { botHears, lastPinTime } from './places.ts';
import { Refusal, systemMessage } from './refusal.ts';
import { refuseArchived } from './threads.ts';
import { INTENTS, type Message, NOTE, type World } from './world.ts';

const MAX_PINS = 250;

/** The pinned messages of a channel or thread, newest pin first. */
export function pinsOf(world: World, placeId: string): Message[] {
  return [...world.messages.values()]
    .filter((message) => message.channelId === placeId && message.pinnedAt !== undefined)
    .sort((a, b) => (b.pinnedAt ?? 0) - (a.pinnedAt ?? 0));
}

/** Pins a message and posts the system message; does nothing if it is pinned. */
export function pin(world: World, message: Message, person: Person): void {
  if (isNote(message)) throw systemMessage();
  refuseArchived(world, message.channelId);
  if (message.pinnedAt !== undefined) return;
  const pins = pinsOf(world, message.channelId);
  if (pins.length >= MAX_PINS) {
    throw new Refusal(400, 30003, `Maximum number of pins reached for the channel (${MAX_PINS})`);
  }
  // Strictly increasing, because pages of pins are requested by time.
  message.pinnedAt = Math.max(world.now(), (pins[0]?.pinnedAt ?? 0) + 1);
  tellPins(world, message);
  note(world, {
    channelId: message.channelId,
    author: person,
    type: NOTE.pinned,
    about: { channelId: message.channelId, messageId: message.id },
  });
}

/** Unpins a message; does nothing if it is not pinned. */
export function unpin(world: World, message: Message): void {
  refuseArchived(world, message.channelId);
  if (message.pinnedAt === undefined) return;
  delete message.pinnedAt;
  tellPins(world, message);
}

function tellPins(world: World, message: Message): void {
  announce(world, 'MESSAGE_UPDATE', message);
  const { channelId } = message;
  if (!botHears(world, channelId)) return;
  const data = { guild_id: world.guild.id, channel_id: channelId, last_pin_timestamp: lastPinTime(world, channelId) };
  world.dispatch({ t: 'CHANNEL_PINS_UPDATE', intent: INTENTS.guilds, data: () => data });
}
