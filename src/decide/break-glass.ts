import { doneSince } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { isOnCardOrPing } from '../runs/pings.ts';
import { awaitsApproval, expiryOf, isBehindTrail, isOpenRequest, orderOf, type RunState } from '../runs/state.ts';
import { authorize, refusedPress } from './authorize.ts';
import type { Decision, Press, Snapshot, Typed } from './decision.ts';
import { continuationOf, denialOf, noDenial } from './denial.ts';
import { nothingLeft, titleOf, typedName, wordsIn } from './notes.ts';
import { onlyServers } from './undo.ts';

/** At most 100 characters. */
const hint = 'You confirm it next.';

/** What a person goes on with, and what waits for others until they do. */
type Way = Pick<Typed, 'command' | 'options' | 'undoes' | 'since'> & { over?: string };

/** Break glass: asks why, then asks the whole command again, with what the policy allows in an emergency. */
export function breakGlass(snapshot: Snapshot, press: Press): Decision {
  const states = snapshot.ledger.runs(press.payload);
  const way =
    afterDenial(snapshot, press) ?? whileWaiting(snapshot, press, states) ?? behindTrail(snapshot, press, states);
  if (way === undefined) return states.some(isCard) ? nothingLeft() : noDenial(snapshot, press);
  const { actor, place } = press;
  const { over, ...going } = way;
  const { command, options } = going;
  const authorization = authorize(snapshot, { actor, place, command, options, breakGlass: '' });
  if (authorization.kind === 'refused') return refusedPress(authorization, options);
  const title = titleOf(typedName(command), authorization.prepared.servers);
  const label = 'Why can it not wait? Reviewed afterwards';
  const why = wordsIn(press, { title, label, hint }, 'Say why. Nothing was sent.');
  if (typeof why !== 'string') return why;
  return { kind: 'command', command: { ...going, breakGlass: { why, over } } };
}

/** Whether it has a card: a denial has none. */
const isCard = ({ outcome }: RunState): boolean => outcome?.kind !== 'denied';

/** After a denial of theirs. A request that came of it, taken on or not, is closed by going on. */
function afterDenial(snapshot: Snapshot, press: Press): Way | undefined {
  const denied = denialOf(snapshot, press);
  if (denied === undefined) return undefined;
  const { run, command, options } = denied;
  const request = snapshot.ledger.open().find(({ requested }) => requested?.denied === run);
  return { command, options, over: request && invocationOf(request.run), ...continuationOf(denied) };
}

/** While what they asked for waits for others: only they may go on with it. */
function whileWaiting(
  { now, ledger }: Snapshot,
  { actor, place, payload }: Press,
  states: readonly RunState[],
): Way | undefined {
  const [first] = states;
  const order = first && orderOf(first);
  const waits = states.every((state) => awaitsApproval(state) || isOpenRequest(state));
  if (first === undefined || order === undefined || !waits || now() >= expiryOf(first)) return undefined;
  if (order.actor.id !== actor.id || !isOnCardOrPing(states, order.place, place)) return undefined;
  const { asked, requested } = first;
  const denied = requested === undefined ? undefined : ledger.run(requested.denied)?.outcome;
  // Of a request it is what its denial says; of a question, what it says itself.
  const from =
    denied === undefined ? { undoes: asked?.undoes, since: asked?.since ?? order.seq } : continuationOf(denied);
  return { command: order.command, options: order.options, over: payload, ...from };
}

/** Where changes wait for the audit channel. */
function behindTrail({ ledger }: Snapshot, { offered }: Press, states: readonly RunState[]): Way | undefined {
  const left = states.filter((state) => isBehindTrail(state) && doneSince(ledger, state) === undefined);
  const entry = left[0]?.outcome;
  if (entry === undefined || !offered) return undefined;
  const servers = left.flatMap(({ outcome }) => outcome?.server?.id ?? []);
  return { command: entry.command, options: onlyServers(entry.options, servers), since: entry.seq };
}
