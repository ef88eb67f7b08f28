import { memberWithUser, type Person, type Thread } from './guild.ts';
import { announcePlace, botHears, isThread, placeObject, placeOf, threadMember } from './places.ts';
import { Refusal } from './refusal.ts';
import type { ThreadChange } from './shapes.ts';
import { INTENTS, type Message, type World } from './world.ts';

/** In minutes, if neither the request nor the channel says. */
const DEFAULT_MINUTES = 4320;

const archivedRefusal = () => new Refusal(400, 50083, 'Thread is archived');

export interface NewThread {
  /** The id of the message it starts from, or a new one. */
  id: string;
  name: string;
  parentId: string;
  owner: Person;
  isPrivate?: boolean | undefined;
  minutes?: number | null | undefined;
  slowmode?: number | null | undefined;
}

/** Creates a thread and sends it to the bots that see it. */
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
  announcePlace(world, 'CREATE', thread);
  return thread;
}

/** Changes the members in the request. An archived thread allows only reopening. */
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
  announcePlace(world, 'UPDATE', thread);
  // Clients drop archived threads, so the bots get the reopened one whole.
  if (before.archived && !thread.archived && thread.members.has(world.guild.bot.id)) {
    notify(world, 'THREAD_MEMBER_UPDATE', threadMember(thread, world.guild.bot));
  }
  return thread;
}

/** Adds somebody to a thread. Without the members intent, bots get an event only for themselves. */
export function joinThread(world: World, thread: Thread, person: Person): void {
  if (thread.members.has(person.id)) return;
  thread.members.add(person.id);
  world.memory.touch('thread', thread.id);
  world.changed();
  if (person !== world.guild.bot || !botHears(world, thread.id)) return;
  const member = { ...threadMember(thread, person), member: memberWithUser(world.guild, person), presence: null };
  notify(world, 'THREAD_CREATE', placeObject(world, thread));
  notify(world, 'THREAD_MEMBERS_UPDATE', { ...countOf(thread), added_members: [member] });
}

export function leaveThread(world: World, thread: Thread, person: Person): void {
  if (!thread.members.delete(person.id)) return;
  world.memory.touch('thread', thread.id);
  world.changed();
  if (person === world.guild.bot) {
    notify(world, 'THREAD_MEMBERS_UPDATE', { ...countOf(thread), removed_member_ids: [person.id] });
  }
}

const countOf = ({ id, members }: Thread) => ({ id, member_count: Math.min(members.size, 50) });

function notify(world: World, t: string, data: object): void {
  const whole = { ...data, guild_id: world.guild.id };
  world.dispatch({ t, intent: INTENTS.guilds, data: () => whole });
}

/** Records that a message was sent: raises the count, adds its author, reopens an archived thread. */
export function noteSent(world: World, { channelId, author, cause }: Message): void {
  const place = placeOf(world.guild, channelId);
  if (!place || !isThread(place)) return;
  place.sent += 1;
  // Answering an interaction in a private thread needs no membership, and does not give it.
  if (!place.isPrivate || !cause) place.members.add(author.id);
  world.memory.touch('thread', place.id);
  if (place.archived) changeThread(world, place, { archived: false });
}

/** Nothing can be edited or pinned in an archived thread. */
export function refuseArchived(world: World, placeId: string): void {
  const place = placeOf(world.guild, placeId);
  if (place && isThread(place) && place.archived) throw archivedRefusal();
}
