import { type Person, type Place, permissionsOf, type Thread } from './guild.ts';
import { forget, remove, removeMany } from './messages.ts';
import { visible } from './people.ts';
import { announcePlace, isThread, placeOf, sees } from './places.ts';
import { ClientRefusal } from './refusal.ts';
import { RIGHTS } from './rights.ts';
import { isFailureFor } from './seen.ts';
import type { ThreadChange } from './shapes.ts';
import { changeThread, openThread } from './threads.ts';
import type { World } from './world.ts';

const MOST_AT_ONCE = 100;

function moderates(world: World, person: Person): boolean {
  return (permissionsOf(world.guild, person) & RIGHTS.manageMessages) !== 0n;
}

/** A person deletes their own message, dismisses an ephemeral one, or moderates another's if their roles allow it. */
export function deleteMessage(world: World, person: Person, messageId: string): void {
  if (dismissFailure(world, person, messageId)) return;
  const message = visible(world, person, messageId);
  const dismissed = message.onlyFor === person.id;
  const foreign = message.author !== person && !dismissed;
  if (foreign && !moderates(world, person)) {
    throw new ClientRefusal(`${person.name} may delete only their own messages.`);
  }
  remove(world, message);
}

/** A failure notice is not a message: it has the interaction's id, and disappears from this person's screen only. */
function dismissFailure(world: World, person: Person, id: string): boolean {
  const failed = [...world.interactions.values()].find((one) => one.id === id);
  if (!failed || !isFailureFor(world, failed, person)) return false;
  failed.dismissed = true;
  world.memory.touch('interaction', failed.token);
  world.changed();
  return true;
}

/** A moderator deletes up to 100 messages at once, per channel; a single one in a channel is deleted normally. */
export function deleteMessages(world: World, person: Person, messageIds: readonly string[]): void {
  const messages = [...new Set(messageIds)].map((id) => visible(world, person, id));
  if (messages.length > MOST_AT_ONCE)
    throw new ClientRefusal(`At most ${MOST_AT_ONCE} messages can be deleted at once.`);
  if (messages.length > 1 && !moderates(world, person)) {
    throw new ClientRefusal(`${person.name} may not delete several messages at once.`);
  }
  if (messages.some((message) => message.onlyFor !== undefined)) {
    throw new ClientRefusal('A message that only one person sees is dismissed, not deleted.');
  }
  for (const channelId of new Set(messages.map((message) => message.channelId))) {
    const ids = messages.filter((message) => message.channelId === channelId).map((message) => message.id);
    const [id] = ids;
    if (ids.length === 1 && id !== undefined) {
      deleteMessage(world, person, id);
    } else {
      removeMany(world, channelId, ids);
    }
  }
}

/** A person closes, locks or reopens a thread. Its owner may do all but lock; managing threads allows everything. */
export function moderateThread(world: World, person: Person, thread: Place, change: ThreadChange): void {
  if (!isThread(thread)) throw new ClientRefusal(`#${thread.name} is not a thread.`);
  const manages = (permissionsOf(world.guild, person) & RIGHTS.manageThreads) !== 0n;
  const isLock = change.locked === true || thread.locked;
  if (!manages && (isLock || thread.ownerId !== person.id)) {
    throw new ClientRefusal(`${person.name} may not close, lock or open #${thread.name}.`);
  }
  changeThread(world, thread, change);
}

/** A person starts a thread in a channel. Members and those who manage threads see a private one. */
export function startThread(world: World, owner: Person, parent: Place, name: string, isPrivate: boolean): Thread {
  if (isThread(parent)) throw new ClientRefusal(`#${parent.name}: a thread cannot have threads.`);
  return openThread(world, { id: world.nextId(), name, parentId: parent.id, owner, isPrivate });
}

/** The thread, if the person may add or remove members: its members and those who manage threads may. */
export function threadOf(world: World, person: Person, thread: Place): Thread {
  if (!isThread(thread)) throw new ClientRefusal(`#${thread.name} is not a thread.`);
  if (!sees(world, person, thread)) throw new ClientRefusal(`${person.name} does not see #${thread.name}.`);
  return thread;
}

/** The server's owner deletes a channel with its threads, or one thread; their messages go without events. */
export function deletePlace(world: World, id: string): void {
  const place = placeOf(world.guild, id);
  if (!place) return;
  announcePlace(world, 'DELETE', place);
  const deleted = new Set([id, ...world.guild.threads.filter((one) => one.parentId === id).map((one) => one.id)]);
  if (!isThread(place)) world.guild.gone.push(place);
  for (const one of deleted) world.memory.touch(one === id && !isThread(place) ? 'gone' : 'thread', one);
  world.guild.channels = world.guild.channels.filter((one) => !deleted.has(one.id));
  world.guild.threads = world.guild.threads.filter((one) => !deleted.has(one.id));
  for (const message of world.messages.values()) if (deleted.has(message.channelId)) forget(world, message.id);
  for (const [person, modal] of world.modals) if (deleted.has(modal.channelId)) world.modals.delete(person);
  world.changed();
}
