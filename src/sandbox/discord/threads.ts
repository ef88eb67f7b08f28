import type { Person, Thread } from './guild.ts';
import { isThread, placeOf, tellPlace } from './places.ts';
import { Refusal } from './refusal.ts';
import type { ThreadChange } from './shapes.ts';
import type { World } from './world.ts';

/** Minutes, where neither the request nor the channel says. */
const DEFAULT_MINUTES = 4320;

const archivedRefusal = () => new Refusal(400, 50083, 'Thread is archived');

export interface NewThread {
  /** That of the message it starts from, or a fresh one. */
  id: string;
  name: string;
  parentId: string;
  owner: Person;
  minutes?: number | null | undefined;
  slowmode?: number | null | undefined;
}

/** Makes a public thread and tells the bots. */
export function openThread(world: World, { owner, minutes, slowmode, ...what }: NewThread): Thread {
  const thread: Thread = {
    ...what,
    ownerId: owner.id,
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
  return thread;
}

/** A message was sent there: it counts, and opens an archived thread again. */
export function noteSent(world: World, placeId: string): void {
  const place = placeOf(world.guild, placeId);
  if (!place || !isThread(place)) return;
  place.sent += 1;
  world.memory.touch('thread', place.id);
  if (place.archived) changeThread(world, place, { archived: false });
}

/** In an archived thread nothing is edited or pinned. */
export function refuseArchived(world: World, placeId: string): void {
  const place = placeOf(world.guild, placeId);
  if (place && isThread(place) && place.archived) throw archivedRefusal();
}
