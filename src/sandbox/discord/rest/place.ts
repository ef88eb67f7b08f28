import type { Place } from '../guild.ts';
import { publicMessage } from '../messages.ts';
import { botRights, isThread, placeOf } from '../places.ts';
import { missingPermissions, Refusal, unknownChannel } from '../refusal.ts';
import { RIGHTS } from '../rights.ts';
import type { Message, World } from '../world.ts';
import type { Call } from './call.ts';

/** The channel or thread of a request; refuses with 10003, 50001 (not visible), or 50013 (without the right). */
export function placeFor(world: World, { params }: Call, right?: 'send' | 'pin' | 'start'): Place {
  const place = placeOf(world.guild, params['channel']);
  if (!place) throw unknownChannel();
  const rights = botRights(world, place);
  if ((rights & RIGHTS.viewChannel) === 0n) throw new Refusal(403, 50001, 'Missing Access');
  const send = isThread(place) ? RIGHTS.sendInThreads : RIGHTS.sendMessages;
  const needed = { send, pin: RIGHTS.pinMessages, start: RIGHTS.createThreads };
  if (right && (rights & needed[right]) === 0n) throw missingPermissions();
  return place;
}

/** The message of a request, in its channel or thread. */
export function messageFor(world: World, call: Call, right?: 'pin' | 'start'): Message {
  return publicMessage(world, placeFor(world, call, right).id, call.params['message'] ?? '');
}
