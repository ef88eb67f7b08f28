import { memberWithUser, type Person, type Thread } from './guild.ts';
import { botHears, isThread, placeObject, placeOf, tellPlace, threadMember } from './places.ts';
import { Refusal } from './refusal.ts';
import type { ThreadChange } from './shapes.ts';
import { INTENTS, type Message, type World } from './world.ts';

/** Minutes, where neither the request nor the channel says. */
const DEFAULT_MINUTES = 4320;

const archivedRefusal = () => new Refusal(400, 50083, 'Thread is archived');

export interface NewThread {
  /** That of the message it starts from, or a fresh one. */
  id: string;
  name: string;
  parentId: string;
  owner: Person;
  isPrivate?: boolean | undefined;
  minutes?: number | null | undefined;
  slowmode?: number | null | undefined;
}

/** Makes a thread and tells the bots that see it. */
export function openThread(world: World, { owner, isPrivate, minutes, slowmode, ...what }: NewThread): Thread {
  const thread: Thread = {
    ...what,
    ownerId: owner.id,
    isPrivate: isPrivate ?? false,
    members: new Set([owner.id]),
    createdAt: world.now(),
    archived: false,
    locked: false,
    minutes: minutes ?? DEFAULT_MINUTES,
    slowmode: slowmode ?? 0,
    archivedAt: world.now(),
    sent: 0,
  };
  world.guild.threads.push(thread);
  world.memory.touch('thread', thread.id);
  tellPlace(world, 'CREATE', thread);
  return thread;
}

/** Changes what the request names. An archived thread takes nothing but being opened again. */
export function changeThread(world: World, thread: Thread, change: ThreadChange): Thread {
  if (thread.archived && change.archived !== false) throw archivedRefusal();
  const before = { ...thread };
  thread.name = change.name?.trim() ?? thread.name;
  thread.locked = change.locked ?? thread.locked;
  thread.minutes = change.auto_archive_duration ?? thread.minutes;
  thread.slowmode = change.rate_limit_per_user ?? thread.slowmode;
  thread.archived = change.archived ?? thread.archived;
  if (thread.archived !== before.archived || thread.minutes !== before.minutes) thread.archivedAt = world.now();
  world.memory.touch('thread', thread.id);
  tellPlace(world, 'UPDATE', thread);
  // Whoever is in it may not have had it in memory.
  if (before.archived && !thread.archived && thread.members.has(world.guild.bot.id)) {
    tell(world, 'THREAD_MEMBER_UPDATE', threadMember(thread, world.guild.bot));
  }
  return thread;
}

/**
 * Lets somebody into a thread. Without the members intent the bots hear of themselves alone: then, the whole thread is
 * news to them.
 */
export function joinThread(world: World, thread: Thread, person: Person): void {
  if (thread.members.has(person.id)) return;
  thread.members.add(person.id);
  world.memory.touch('thread', thread.id);
  world.changed();
  if (person !== world.guild.bot || !botHears(world, thread.id)) return;
  const member = { ...threadMember(thread, person), member: memberWithUser(world.guild, person), presence: null };
  tell(world, 'THREAD_CREATE', placeObject(world, thread));
  tell(world, 'THREAD_MEMBERS_UPDATE', { ...countOf(thread), added_members: [member] });
}

/** Takes somebody out of a thread. */
export function leaveThread(world: World, thread: Thread, person: Person): void {
  if (!thread.members.delete(person.id)) return;
  world.memory.touch('thread', thread.id);
  world.changed();
  if (person === world.guild.bot) {
    tell(world, 'THREAD_MEMBERS_UPDATE', { ...countOf(thread), removed_member_ids: [person.id] });
  }
}

const countOf = ({ id, members }: Thread) => ({ id, member_count: Math.min(members.size, 50) });

function tell(world: World, t: string, data: object): void {
  const whole = { ...data, guild_id: world.guild.id };
  world.dispatch({ t, intent: INTENTS.guilds, data: () => whole });
}

/**
 * A message was sent there: it counts, its author is in the thread from then on, and an archived one is opened again.
 */
export function noteSent(world: World, { channelId, author, cause }: Message): void {
  const place = placeOf(world.guild, channelId);
  if (!place || !isThread(place)) return;
  place.sent += 1;
  // Whoever answers an interaction needs not be in a private thread, and is not let in by that.
  if (!place.isPrivate || !cause) place.members.add(author.id);
  world.memory.touch('thread', place.id);
  if (place.archived) changeThread(world, place, { archived: false });
}

/** In an archived thread nothing is edited or pinned. */
export function refuseArchived(world: World, placeId: string): void {
  const place = placeOf(world.guild, placeId);
  if (place && isThread(place) && place.archived) throw archivedRefusal();
}
