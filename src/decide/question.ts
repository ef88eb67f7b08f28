import { md, trusted } from '../card.ts';
import type { Command, PreparedChange } from '../command.ts';
import { shellChannel } from '../outcome.ts';
import type { Kind } from '../runs/entry.ts';
import { invocationOf } from '../runs/ids.ts';
import { isOnCardOrPing } from '../runs/pings.ts';
import { awaitsApproval, expiryOf, isOpenQuestion, isOpenRequest, type RunState } from '../runs/state.ts';
import { authorize, refusedPress } from './authorize.ts';
import { type Answer, answer, type Press, type SealKind, type Snapshot } from './decision.ts';
import { gone, notSent, outsideOf, typedName } from './notes.ts';
import type { Run, Work } from './work.ts';

export interface Question {
  invocationId: string;
  asked: Kind<'asked'>;
  states: readonly With<'asked'>[];
}

/** An open question whose command this person may run. */
export interface OpenQuestion extends Question {
  prepared: PreparedChange;
}

type With<K extends 'asked' | 'requested'> = RunState & { [name in K]-?: NonNullable<RunState[name]> };

const isWith = <K extends 'asked' | 'requested'>(state: RunState, name: K): state is With<K> =>
  state[name] !== undefined;

/** What a button is about. Undefined: its seal is not valid for that, or it is not on the message that the bot put it on. */
function sealedBy<K extends 'asked' | 'requested'>(
  { ledger, seal }: Snapshot,
  { place, payload }: Press,
  kind: SealKind,
  of: K,
): { invocationId: string; first: With<K>; states: readonly With<K>[] } | undefined {
  const [invocationId = '', given = ''] = payload.split('.');
  const states = ledger.runs(invocationId).filter((state) => isWith(state, of));
  const [first] = states;
  const entry = first?.[of];
  if (first === undefined || entry === undefined || !seal.matches(given, kind, { hash: entry.hash, place }))
    return undefined;
  return isOnCardOrPing(states, entry.place, place) ? { invocationId, first, states } : undefined;
}

export function questionOf(
  snapshot: Snapshot,
  press: Press,
  kind: 'confirm' | 'typed' | 'cancel' | 'approve',
): Question | Answer {
  const sealed =
    sealedBy(snapshot, press, kind, 'asked') ?? (kind === 'cancel' ? listedBy(snapshot, press) : undefined);
  if (sealed === undefined) return gone();
  const { invocationId, first, states } = sealed;
  const isMeant = kind === 'cancel' ? isOpenQuestion : kind === 'approve' ? awaitsApproval : isUnconfirmed;
  const now = snapshot.now();
  if (!states.every(isMeant) || now >= expiryOf(first)) return gone(first, now);
  return { invocationId, asked: first.asked, states };
}

/** Of a terminal's question only the run is known where it is listed, in an answer that only the bot can have posted. */
function listedBy({ ledger }: Snapshot, { payload, offered, isPrivate }: Press) {
  const invocationId = invocationOf(payload);
  const states = ledger.runs(invocationId).filter((state) => isWith(state, 'asked'));
  const first = states.find(({ run }) => run === payload);
  const isListed = first?.asked.place.channel === shellChannel && isPrivate && offered;
  return isListed ? { invocationId, first, states } : undefined;
}

const isUnconfirmed = (state: RunState): boolean => isOpenQuestion(state) && state.confirmed === undefined;

export const runOf = ({ run, asked: { server, facts } }: Question['states'][number]): Run => ({
  run,
  server: server ?? { id: 0 },
  facts,
});

/** The work of a question: exactly what was asked, with the facts read then. */
export function workOfQuestion({ invocationId, asked, states, prepared }: OpenQuestion): Work {
  const { command, actor, place, options, undoes, since, despite, glass: why } = asked;
  const targets = new Map(prepared.servers.map((server) => [server.id, server]));
  return {
    ...{ invocationId, command, actor, place, options, prepared, undoes, since },
    overriddenFreezes: despite,
    breakGlass: why === undefined ? undefined : { why },
    runs: states.flatMap((state): Run[] => {
      const server = targets.get(state.asked.server?.id ?? Number.NaN);
      return server === undefined ? [] : [{ ...runOf(state), server }];
    }),
  };
}

/** An open request: what somebody was denied, and asks others to run. */
export interface OpenRequest {
  invocationId: string;
  requested: Kind<'requested'>;
  states: readonly (RunState & { requested: Kind<'requested'> })[];
}

/** A request that this person may take on: the command is decided for them, as if they had typed it. */
export interface Acceptable extends OpenRequest {
  command: Command;
  prepared: PreparedChange;
}

export function requestOf(snapshot: Snapshot, press: Press, kind: 'accept' | 'decline'): OpenRequest | Answer {
  const sealed = sealedBy(snapshot, press, kind, 'requested');
  if (sealed === undefined) return gone();
  const { invocationId, first, states } = sealed;
  if (!states.every(isOpenRequest) || snapshot.now() >= expiryOf(first)) return tooLate(first);
  return { invocationId, requested: first.requested, states };
}

const tooLate = ({ requested, asked }: RunState): Answer =>
  notSent(
    requested === undefined ? 'your click' : typedName(requested.command),
    asked === undefined
      ? trusted('This request is no longer open. Your click changed nothing.')
      : md`<@${trusted(asked.actor.id)}> was faster. Your click changed nothing.`,
  );

/** What was asked, as if whoever pressed this had typed it here and now; or why they may not have. */
export function asTypedNow(
  snapshot: Snapshot,
  press: Press,
  { command: id, options, glass }: Pick<Kind<'asked'>, 'command' | 'options' | 'glass'>,
): Pick<Acceptable, 'command' | 'prepared'> | Answer {
  const { actor, place } = press;
  const authorization = authorize(snapshot, { actor, place, command: id, options, breakGlass: glass });
  if (authorization.kind === 'refused') return refusedPress(authorization, options);
  const { command, prepared } = authorization;
  const outside = outsideOf(press, command);
  if (outside !== undefined) return answer(outside);
  return prepared.kind === 'change' ? { command, prepared } : gone();
}

/** The request, if this person may run all of it as they stand now. */
export function acceptable(snapshot: Snapshot, press: Press, request: OpenRequest): Acceptable | Answer {
  const now = asTypedNow(snapshot, press, request.requested);
  return 'kind' in now ? now : { ...request, ...now };
}

export const runsOf = ({ states }: OpenRequest): Run[] =>
  states.map(({ run, requested }) => ({ run, server: requested.server ?? { id: 0 } }));
