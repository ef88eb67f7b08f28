import { pin, pinsOf, unpin } from '../pins.ts';
import { invalidForm } from '../refusal.ts';
import { messageObject } from '../wire.ts';
import type { Message, World } from '../world.ts';
import { type Call, done, ok, type Route } from './call.ts';
import { messageFor, placeFor } from './place.ts';
import { limitIn } from './query.ts';

const MOST = 50;

const wire = (world: World, message: Message) => messageObject(world, message, world.contentGranted);

function put(world: World, call: Call) {
  pin(world, messageFor(world, call, 'pin'), world.guild.bot);
  return done();
}

function take(world: World, call: Call) {
  unpin(world, messageFor(world, call, 'pin'));
  return done();
}

export const pinRoutes: Route[] = [
  {
    method: 'GET',
    path: '/channels/:channel/messages/pins',
    handle(world, call) {
      const limit = limitIn(call.query, MOST, MOST);
      const before = timeIn(call.query);
      const older = pinsOf(world, placeFor(world, call).id).filter(({ pinnedAt = 0 }) => pinnedAt < before);
      const items = older.slice(0, limit).map((message) => ({
        pinned_at: new Date(message.pinnedAt ?? 0).toISOString(),
        message: wire(world, message),
      }));
      return ok({ items, has_more: older.length > limit });
    },
  },
  { method: 'PUT', path: '/channels/:channel/messages/pins/:message', handle: put },
  { method: 'DELETE', path: '/channels/:channel/messages/pins/:message', handle: take },
  {
    method: 'GET',
    path: '/channels/:channel/pins',
    handle(world, call) {
      const pins = pinsOf(world, placeFor(world, call).id).slice(0, MOST);
      return ok(pins.map((message) => wire(world, message)));
    },
  },
  { method: 'PUT', path: '/channels/:channel/pins/:message', handle: put },
  { method: 'DELETE', path: '/channels/:channel/pins/:message', handle: take },
];

function timeIn(query: URLSearchParams): number {
  const before = query.get('before');
  if (before === null) return Number.POSITIVE_INFINITY;
  const time = Date.parse(before);
  if (!Number.isNaN(time)) return time;
  const error = { code: 'DATE_TIME_TYPE_PARSE', message: `Could not parse ${before}. Should be ISO8601.` };
  throw invalidForm({ before: { _errors: [error] } });
}
