import type { Place } from '../guild.ts';
import type { Limits } from '../limits.ts';
import { edit, isNote, post, remove } from '../messages.ts';
import { botRights, isThread, placeObject } from '../places.ts';
import { invalidForm, missingPermissions, Refusal, threadLocked, unreadableReply } from '../refusal.ts';
import { RIGHTS } from '../rights.ts';
import { type Draft, messageShape, read } from '../shapes.ts';
import { byAge } from '../snowflake.ts';
import { checkMessage } from '../validate/index.ts';
import { messageObject } from '../wire.ts';
import type { Message, World } from '../world.ts';
import { type Call, done, ok, type Route } from './call.ts';
import { messageFor, placeFor } from './place.ts';
import { limitIn } from './query.ts';

const HOUR_MS = 3_600_000;

export const channelRoutes: Route[] = [
  {
    method: 'GET',
    path: '/channels/:channel',
    handle: (world, call) => ok(placeObject(world, placeFor(world, call))),
  },
  {
    method: 'POST',
    path: '/channels/:channel/typing',
    handle(world, call) {
      placeFor(world, call, 'send');
      return done();
    },
  },
  {
    method: 'GET',
    path: '/channels/:channel/messages',
    handle: (world, call) => ok(history(world, placeFor(world, call), call.query).map((one) => wire(world, one))),
  },
  {
    method: 'POST',
    path: '/channels/:channel/messages',
    limit: 'posts',
    handle: (world, call) => ok(wire(world, create(world, placeFor(world, call, 'send'), call))),
  },
  {
    method: 'GET',
    path: '/channels/:channel/messages/:message',
    handle: (world, call) => ok(wire(world, messageFor(world, call))),
  },
  {
    method: 'PATCH',
    path: '/channels/:channel/messages/:message',
    limit: 'edits',
    handle(world, call, limits) {
      const message = messageFor(world, call);
      if (message.author !== world.guild.bot) {
        throw new Refusal(403, 50005, 'Cannot edit a message authored by another user');
      }
      const draft = readDraft(call.body);
      countLateEdit(world, message, limits);
      return ok(wire(world, edit(world, message, draft, call.files)));
    },
  },
  {
    method: 'DELETE',
    path: '/channels/:channel/messages/:message',
    handle(world, call) {
      const message = messageFor(world, call);
      if (message.author !== world.guild.bot) throw missingPermissions();
      remove(world, message);
      return done();
    },
  },
];

const wire = (world: World, message: Message) => messageObject(world, message, world.contentGranted);

function readDraft(body: unknown): Draft {
  const errors = checkMessage(body ?? {});
  if (errors) throw invalidForm(errors);
  return read(messageShape, body);
}

function create(world: World, channel: Place, call: Call): Message {
  const rights = botRights(world, channel);
  if (isThread(channel) && channel.locked && (rights & RIGHTS.manageThreads) === 0n) throw threadLocked();
  const draft = readDraft(call.body);
  const replyTo = draft.message_reference?.message_id;
  if (replyTo !== undefined && (rights & RIGHTS.readHistory) === 0n) throw unreadableReply();
  const target = replyTo === undefined ? undefined : world.messages.get(replyTo);
  const missing = replyTo !== undefined && (target?.channelId !== channel.id || target.onlyFor !== undefined);
  if (missing && draft.message_reference?.fail_if_not_exists !== false) {
    const error = { code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' };
    throw invalidForm({ message_reference: { _errors: [error] } });
  }
  if (target && !missing && isNote(target)) {
    const error = { code: 'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE', message: 'Cannot reply to a system message' };
    throw invalidForm({ message_reference: { _errors: [error] } });
  }
  return post(world, {
    channelId: channel.id,
    author: world.guild.bot,
    draft,
    files: call.files,
    ...(replyTo !== undefined && !missing && { replyTo }),
  });
}

/** Newest first; empty without the right to read history. `around` returns half before and half after. */
function history(world: World, channel: Place, query: URLSearchParams): Message[] {
  if ((botRights(world, channel) & RIGHTS.readHistory) === 0n) return [];
  const limit = limitIn(query, 100, 50);
  const all = [...world.messages.values()].filter((one) => one.channelId === channel.id && !one.onlyFor);
  const [around, before, after] = [query.get('around'), query.get('before'), query.get('after')];
  let found = all.slice(-limit);
  if (around !== null) {
    const half = Math.floor(limit / 2);
    const older = all.filter((one) => byAge(one.id, around) < 0);
    const rest = all.filter((one) => byAge(one.id, around) >= 0);
    found = [...(half > 0 ? older.slice(-half) : []), ...rest.slice(0, limit - half)];
  } else if (before !== null) found = all.filter((one) => byAge(one.id, before) < 0).slice(-limit);
  else if (after !== null) found = all.filter((one) => byAge(one.id, after) > 0).slice(0, limit);
  return found.reverse();
}

function countLateEdit(world: World, message: Message, limits: Required<Limits>): void {
  const now = world.now();
  if (limits.lateEdits === false || now - message.createdAt <= HOUR_MS) return;
  const { count, ms } = limits.lateEdits;
  const recent = message.lateEdits.filter((at) => now - at < ms);
  if (recent.length >= count) {
    const wait = ((recent[0] ?? now) + ms - now) / 1000;
    throw new Refusal(
      429,
      30046,
      'Maximum number of edits to messages older than 1 hour reached. Try again later.',
      { retry_after: wait, global: false },
      // As with Discord, the headers describe the route's bucket, not this limit: a client that trusts them retries
      // for ever.
      { 'retry-after': '1', 'x-ratelimit-scope': 'shared' },
    );
  }
  message.lateEdits = [...recent, now];
}
