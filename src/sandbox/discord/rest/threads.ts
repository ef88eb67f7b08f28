import { announce, isNote, note } from '../messages.ts';
import { activeThreads, botRights, isThread, placeObject } from '../places.ts';
import { invalidForm, missingPermissions, Refusal, systemMessage, wrongPlace } from '../refusal.ts';
import { RIGHTS } from '../rights.ts';
import { newThreadShape, read, threadChangeShape } from '../shapes.ts';
import { changeThread, openThread } from '../threads.ts';
import { checkNewThread, checkThreadChange, type FieldErrors } from '../validate/index.ts';
import { NOTE, type World } from '../world.ts';
import { type Call, ok, type Route } from './call.ts';
import { messageFor, placeFor } from './place.ts';

const PUBLIC = 11;
/** Discord's default for a request without a type. */
const PRIVATE = 12;

export const threadRoutes: Route[] = [
  {
    method: 'POST',
    path: '/channels/:channel/threads',
    handle: (world, call) => ({ status: 201, body: startAlone(world, call) }),
  },
  {
    method: 'POST',
    path: '/channels/:channel/messages/:message/threads',
    handle: (world, call) => ({ status: 201, body: startFrom(world, call) }),
  },
  {
    method: 'PATCH',
    path: '/channels/:channel',
    handle(world, call) {
      const place = placeFor(world, call);
      // The bot may not manage channels.
      if (!isThread(place)) throw missingPermissions();
      refuse(checkThreadChange(call.body ?? {}));
      const change = read(threadChangeShape, call.body);
      // The owner of a thread may change everything but its lock.
      const manages = (botRights(world, place) & RIGHTS.manageThreads) !== 0n;
      if (!manages && (change.locked !== undefined || place.locked || place.ownerId !== world.guild.bot.id))
        throw missingPermissions();
      return ok(placeObject(world, changeThread(world, place, change)));
    },
  },
  {
    method: 'GET',
    path: '/guilds/:guild/threads/active',
    handle(world, call) {
      if (call.params['guild'] !== world.guild.id) throw new Refusal(404, 10004, 'Unknown Guild');
      const threads = activeThreads(world).map((thread) => placeObject(world, thread));
      const members = threads.flatMap((thread) => ('member' in thread && thread.member ? [thread.member] : []));
      return ok({ threads: threads.reverse(), members, has_more: false });
    },
  },
];

function refuse(errors: FieldErrors | undefined): void {
  if (errors) throw invalidForm(errors);
}

function bodyOf(call: Call) {
  refuse(checkNewThread(call.body ?? {}));
  const { name, type, auto_archive_duration: minutes, rate_limit_per_user: slowmode } = read(newThreadShape, call.body);
  return { type: type ?? PRIVATE, what: { name: name.trim(), minutes, slowmode } };
}

function startAlone(world: World, call: Call) {
  const parent = placeFor(world, call, 'start');
  if (isThread(parent)) throw wrongPlace();
  const { type, what } = bodyOf(call);
  if (type === PRIVATE) throw missingPermissions();
  if (type !== PUBLIC) throw wrongPlace();
  const owner = world.guild.bot;
  const thread = openThread(world, { ...what, id: world.nextId(), parentId: parent.id, owner });
  note(world, {
    channelId: parent.id,
    author: owner,
    type: NOTE.thread,
    content: thread.name,
    about: { channelId: thread.id },
  });
  return placeObject(world, thread);
}

function startFrom(world: World, call: Call) {
  const message = messageFor(world, call, 'start');
  if (isThread(placeFor(world, call))) throw wrongPlace();
  if (isNote(message)) throw systemMessage();
  const { what } = bodyOf(call);
  if (world.guild.threads.some((one) => one.id === message.id)) {
    throw new Refusal(400, 160004, 'A thread has already been created for this message');
  }
  const thread = openThread(world, {
    ...what,
    id: message.id,
    parentId: message.channelId,
    owner: world.guild.bot,
  });
  announce(world, 'MESSAGE_UPDATE', message);
  return placeObject(world, thread);
}
