import { trusted } from '../card.ts';
import type { Kind } from '../runs/entry.ts';
import { invocationOf, runIdOf } from '../runs/ids.ts';
import type { RunState } from '../runs/state.ts';
import { defaultLimits } from './limits.ts';
import { note } from './notes.ts';
import type { Click, Invocation, RunParts } from './parts.ts';

/** How long a denial offers to ask others or to break glass, and how long a request waits, in ms. */
export const requestTime = 15 * 60_000;

const minutes = (ms: number): number => Math.round(ms / 60_000);

/** The record of this person's denial. Denials that are only counted have none of their own. */
function recordOf({ ledger }: Pick<RunParts, 'ledger'>, { actor }: Click, id: string): Kind<'denied'> | undefined {
  const denied = ledger.run(runIdOf(id, 1))?.outcome;
  const isTheirs = denied?.kind === 'denied' && denied.folded === undefined && denied.actor.id === actor.id;
  return isTheirs ? denied : undefined;
}

/** The denial whose button this person pressed, while its buttons work. */
export function denialOf(parts: RunParts, clicked: Click, id: string): Kind<'denied'> | undefined {
  const denied = recordOf(parts, clicked, id);
  return denied !== undefined && parts.now() - Date.parse(denied.time) <= requestTime ? denied : undefined;
}

/** Says why a button of a denial no longer works, and how to get one that does. */
export async function refuseDenial(parts: RunParts, clicked: Click, id: string): Promise<void> {
  const { window } = { ...defaultLimits, ...parts.limits }.denials;
  const words =
    recordOf(parts, clicked, id) === undefined
      ? `The bot has no separate record of this denial: after several in a short time it only counts them. Wait ${minutes(window)} minutes, type the command again, and press the button of the new answer. Until then, ask in the channel.`
      : `This denial is more than ${minutes(requestTime)} minutes old. Type the command again, and press the button of the new answer.`;
  await clicked.reply.refuse(note('not-sent', 'this button', trusted(`${words} Nothing was sent.`)));
}

/** Since when what was denied may have been done, and what a denied Undo would have undone, whoever goes on with it. */
export function goingOn(denied: RunState['outcome']): Pick<Invocation, 'undoes' | 'since'> {
  const pressed = denied?.kind === 'denied' ? denied.pressed : undefined;
  return {
    since: denied?.seq,
    ...(pressed?.button === 'undo' ? { undoes: invocationOf(pressed.run) } : {}),
  };
}
