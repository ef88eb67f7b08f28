import { type Card, md, trusted } from '../card.ts';
import type { Command, PreparedChange } from '../command.ts';
import type { Kind } from '../runs/entry.ts';
import { expiryOf, isOpenRequest, type RunState } from '../runs/state.ts';
import { authorize, refusedPress } from './authorize.ts';
import { type Answer, answer, type Press, type Snapshot } from './decision.ts';
import { goneCard, note, outsideOf, typedName } from './notes.ts';
import { sealedBy } from './question.ts';
import type { Run } from './work.ts';

/** An open request: what somebody was denied, and asks others to run. */
export interface Request {
  invocationId: string;
  requested: Kind<'requested'>;
  states: readonly (RunState & { requested: Kind<'requested'> })[];
}

/** A request that this person may take on: the command is decided for them, as if they had typed it. */
export interface Acceptable extends Request {
  command: Command;
  prepared: PreparedChange;
}

export function requestOf(snapshot: Snapshot, press: Press, kind: 'accept' | 'decline'): Request | Answer {
  const sealed = sealedBy(snapshot, press, kind, 'requested');
  if (sealed === undefined) return answer(goneCard(undefined, 0));
  const { invocationId, first, states } = sealed;
  if (!states.every(isOpenRequest) || snapshot.now() >= expiryOf(first)) return answer(tooLate(first));
  return { invocationId, requested: first.requested, states };
}

const tooLate = ({ requested, asked }: RunState): Card => {
  const name = requested === undefined ? 'your click' : typedName(requested.command);
  const words =
    asked === undefined
      ? trusted('This request is no longer open. Your click changed nothing.')
      : md`<@${trusted(asked.actor.id)}> was faster. Your click changed nothing.`;
  return note('not-sent', name, words);
};

/** The request, if this person may run all of it as they stand now. */
export function acceptable(snapshot: Snapshot, press: Press, request: Request): Acceptable | Answer {
  const { actor, place } = press;
  const { command: id, options } = request.requested;
  const authorization = authorize(snapshot, { actor, place, command: id, options });
  if (authorization.kind === 'refused') return refusedPress(authorization, options);
  const { command, prepared } = authorization;
  const outside = outsideOf(press, command);
  if (outside !== undefined) return answer(outside);
  return prepared.kind === 'change' ? { ...request, command, prepared } : answer(goneCard(undefined, 0));
}

export const runsOf = ({ states }: Request): Run[] =>
  states.map(({ run, requested }) => ({ run, server: requested.server ?? { id: 0 } }));
