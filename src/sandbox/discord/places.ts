import { type Channel, GUILD_ID, type Guild, type Place, permissionsOf, type Thread } from './guild.ts';
import { RIGHTS } from './rights.ts';
import { INTENTS, type World } from './world.ts';

/** Channels and threads: who may do what there, and what they look like on the wire. */

export function isThread(place: Place): place is Thread {
  return 'parentId' in place;
}

export function placeOf({ channels, threads }: Guild, id: string | undefined): Place | undefined {
  return channels.find((one) => one.id === id) ?? threads.find((one) => one.id === id);
}

/** The channel whose rights hold: a thread has none of its own. */
function channelFor(guild: Guild, place: Place): Channel | undefined {
  return isThread(place) ? guild.channels.find((one) => one.id === place.parentId) : place;
}

/** What the bot may do in a channel or thread, overwrites included. */
export function botRights(world: World, place: Place): bigint {
  const channel = channelFor(world.guild, place);
  return permissionsOf(world.guild, world.guild.bot) & ~(channel ? world.faults.denied(channel) : 0n);
}

/** Whether the bot is told what happens there. */
export function botHears(world: World, placeId: string): boolean {
  const place = placeOf(world.guild, placeId);
  return place !== undefined && (botRights(world, place) & RIGHTS.viewChannel) !== 0n;
}

/** The threads that are not archived and that the bot may see. */
export function activeThreads(world: World): Thread[] {
  return world.guild.threads.filter((thread) => !thread.archived && botHears(world, thread.id));
}

/** The newest message that everybody sees. */
function lastMessageId(world: World, place: Place): string | null {
  let last: string | null = null;
  for (const message of world.messages.values()) {
    if (message.channelId === place.id && !message.onlyFor) last = message.id;
  }
  return last;
}

/** When the newest pin was pinned, as ISO 8601. */
export function lastPinTime(world: World, placeId: string): string | null {
  let last = 0;
  for (const { channelId, pinnedAt = 0 } of world.messages.values()) {
    if (channelId === placeId) last = Math.max(last, pinnedAt);
  }
  return last === 0 ? null : new Date(last).toISOString();
}

/** A channel or a thread on the wire. */
export function placeObject(world: World, place: Place) {
  const common = {
    id: place.id,
    guild_id: GUILD_ID,
    name: place.name,
    last_message_id: lastMessageId(world, place),
    last_pin_timestamp: lastPinTime(world, place.id),
    flags: 0,
  };
  return isThread(place) ? { ...common, ...threadParts(world, place) } : { ...common, ...channelParts(world, place) };
}

function channelParts(world: World, channel: Channel) {
  const denied = world.faults.denied(channel);
  const overwrite = { id: world.guild.bot.id, type: 1, allow: '0', deny: denied.toString() };
  return {
    type: 0,
    topic: channel.topic,
    position: world.guild.channels.indexOf(channel),
    parent_id: null,
    nsfw: false,
    rate_limit_per_user: 0,
    permission_overwrites: denied === 0n ? [] : [overwrite],
  };
}

function threadParts({ guild, messages }: World, thread: Thread) {
  const inside = [...messages.values()].filter((one) => one.channelId === thread.id && !one.onlyFor);
  const members = new Set([thread.ownerId, ...inside.map((message) => message.author.id)]);
  const created = new Date(thread.createdAt).toISOString();
  return {
    type: 11,
    parent_id: thread.parentId,
    owner_id: thread.ownerId,
    rate_limit_per_user: thread.slowmode,
    message_count: inside.length,
    member_count: Math.min(members.size, 50),
    total_message_sent: thread.sent,
    thread_metadata: {
      archived: thread.archived,
      archive_timestamp: new Date(thread.archivedAt).toISOString(),
      auto_archive_duration: thread.minutes,
      locked: thread.locked,
      create_timestamp: created,
    },
    ...(members.has(guild.bot.id) && {
      member: { id: thread.id, user_id: guild.bot.id, join_timestamp: created, flags: 0 },
    }),
  };
}

/** Tells the bots of a channel or thread that is new, has changed or is gone. A thread that they may not see is kept from them. */
export function tellPlace(world: World, event: 'CREATE' | 'UPDATE' | 'DELETE', place: Place): void {
  if (isThread(place) && !botHears(world, place.parentId)) return;
  const whole = placeObject(world, place);
  const data = {
    CREATE: { ...whole, newly_created: true },
    UPDATE: whole,
    // Of a deleted thread Discord says no more.
    DELETE: isThread(place) ? { id: place.id, guild_id: GUILD_ID, parent_id: place.parentId, type: 11 } : whole,
  }[event];
  world.dispatch({ t: `${isThread(place) ? 'THREAD' : 'CHANNEL'}_${event}`, intent: INTENTS.guilds, data: () => data });
  world.changed();
}
