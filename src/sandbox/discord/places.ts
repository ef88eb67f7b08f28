import { type Channel, type Guild, type Person, type Place, permissionsOf, type Thread } from './guild.ts';
import { IN_TIME_OUT, RIGHTS } from './rights.ts';
import { INTENTS, type World } from './world.ts';

/** Channels and threads: permissions in them, and their wire forms. */

export function isThread(place: Place): place is Thread {
  return 'parentId' in place;
}

export function placeOf({ channels, threads }: Guild, id: string | undefined): Place | undefined {
  return channels.find((one) => one.id === id) ?? threads.find((one) => one.id === id);
}

/** The channel whose permissions apply: a thread has none of its own. */
function channelFor(guild: Guild, place: Place): Channel | undefined {
  return isThread(place) ? guild.channels.find((one) => one.id === place.parentId) : place;
}

/** The bot's permissions in a channel and its threads. Ignores that a private thread needs membership. */
export function channelRights(world: World, place: Place): bigint {
  const channel = channelFor(world.guild, place);
  return rightsOf(world, world.guild.bot) & ~(channel ? world.faults.denied(channel) : 0n);
}

export function rightsOf(world: World, person: Person): bigint {
  const rights = permissionsOf(world.guild, person);
  return isInTimeOut(world, person) && (rights & RIGHTS.administrator) === 0n ? rights & IN_TIME_OUT : rights;
}

export const isInTimeOut = ({ now }: World, { timeOut = 0 }: Person): boolean => timeOut > now();

/** Whether messages are written in it: not in a category, a directory, a forum or a media channel. */
export const holdsMessages = (place: Place): boolean => isThread(place) || ![4, 14, 15, 16].includes(place.type ?? 0);

/** The bot's permissions there; none in a private thread it is not in. */
export function botRights(world: World, place: Place): bigint {
  const rights = channelRights(world, place);
  return isLetIn(place, world.guild.bot, rights) ? rights : 0n;
}

export function sees({ guild }: World, person: Person, place: Place): boolean {
  return isLetIn(place, person, permissionsOf(guild, person));
}

function isLetIn(place: Place, { id }: Person, rights: bigint): boolean {
  return !isThread(place) || !place.isPrivate || place.members.has(id) || (rights & RIGHTS.manageThreads) !== 0n;
}

/** Whether the bot gets events of the place. */
export function botHears(world: World, placeId: string): boolean {
  const place = placeOf(world.guild, placeId);
  return place !== undefined && (botRights(world, place) & RIGHTS.viewChannel) !== 0n;
}

/** Threads that are not archived and that the bot may see. */
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

/** The time of the newest pin, as ISO 8601. */
export function lastPinTime(world: World, placeId: string): string | null {
  let last = 0;
  for (const { channelId, pinnedAt = 0 } of world.messages.values()) {
    if (channelId === placeId) last = Math.max(last, pinnedAt);
  }
  return last === 0 ? null : new Date(last).toISOString();
}

export function placeObject(world: World, place: Place) {
  const common = {
    id: place.id,
    guild_id: world.guild.id,
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
    type: channel.type ?? 0,
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
  const created = new Date(thread.createdAt).toISOString();
  return {
    type: thread.isPrivate ? 12 : 11,
    parent_id: thread.parentId,
    owner_id: thread.ownerId,
    rate_limit_per_user: thread.slowmode,
    message_count: inside.length,
    member_count: Math.min(thread.members.size, 50),
    total_message_sent: thread.sent,
    thread_metadata: {
      archived: thread.archived,
      archive_timestamp: new Date(thread.archivedAt).toISOString(),
      auto_archive_duration: thread.minutes,
      locked: thread.locked,
      create_timestamp: created,
      ...(thread.isPrivate && { invitable: true }),
    },
    ...(thread.members.has(guild.bot.id) && { member: threadMember(thread, guild.bot) }),
  };
}

export function threadMember(thread: Thread, { id }: Person) {
  return { id: thread.id, user_id: id, join_timestamp: new Date(thread.createdAt).toISOString(), flags: 0 };
}

/** Sends the bots a new, changed or deleted channel or thread, unless they may not see it. */
export function announcePlace(world: World, event: 'CREATE' | 'UPDATE' | 'DELETE', place: Place): void {
  if (isThread(place) && !botHears(world, place.id)) return;
  const whole = placeObject(world, place);
  const data = {
    CREATE: { ...whole, newly_created: true },
    UPDATE: whole,
    // Discord sends no more than this of a deleted thread.
    DELETE: isThread(place)
      ? { id: place.id, guild_id: world.guild.id, parent_id: place.parentId, type: whole.type }
      : whole,
  }[event];
  world.dispatch({ t: `${isThread(place) ? 'THREAD' : 'CHANNEL'}_${event}`, intent: INTENTS.guilds, data: () => data });
  world.changed();
}
