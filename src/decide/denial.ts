import { trusted } from '../card.ts';
import type { Kind } from '../runs/entry.ts';
import { invocationOf, runIdOf } from '../runs/ids.ts';
import type { RunState } from '../runs/state.ts';
import { type Answer, answer, type Press, type Snapshot, type Typed } from './decision.ts';
import { note } from './notes.ts';
import { onlyServers } from './undo.ts';

/** How long a denial offers to ask others or to break glass, and how long a request waits, in ms. */
export const requestTime = 15 * 60_000;

const minutes = (ms: number): number => Math.round(ms / 60_000);

/** The record of this person's denial. Denials that are only counted have none of their own. */
function recordOf({ ledger }: Snapshot, { actor, payload }: Press): Kind<'denied'> | undefined {
  const denied = ledger.run(runIdOf(payload, 1))?.outcome;
  const isTheirs = denied?.kind === 'denied' && denied.folded === undefined && denied.actor.id === actor.id;
  return isTheirs ? denied : undefined;
}

/** The denial whose button this person pressed, while its buttons work: about the servers that were meant then. */
export function denialOf(snapshot: Snapshot, press: Press): Kind<'denied'> | undefined {
  const denied = recordOf(snapshot, press);
  if (denied === undefined || snapshot.now() - Date.parse(denied.time) > requestTime) return undefined;
  return { ...denied, options: onlyServers(denied.options, denied.meant ?? []) };
}

/** Why a button of a denial no longer works, and how to get one that does. */
export function noDenial(snapshot: Snapshot, press: Press): Answer {
  const words =
    recordOf(snapshot, press) === undefined
      ? `The bot has no separate record of this denial: after several in a short time it only counts them. Wait ${minutes(snapshot.limits.denials.window)} minutes, type the command again, and press the button of the new answer. Until then, ask in the channel.`
      : `This denial is more than ${minutes(requestTime)} minutes old. Type the command again, and press the button of the new answer.`;
  return answer(note('not-sent', 'this button', trusted(`${words} Nothing was sent.`)));
}

/** Since when what was denied may have been done, and what a denied Undo would have undone, whoever goes on with it. */
export function continuationOf(denied: RunState['outcome']): Pick<Typed, 'undoes' | 'since'> {
  const pressed = denied?.kind === 'denied' ? denied.pressed : undefined;
  return { since: denied?.seq, undoes: pressed?.button === 'undo' ? invocationOf(pressed.run) : undefined };
}
