import { trusted, typedText } from '../card.ts';
import type { RawOptions } from '../outcome.ts';
import { doneSince } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { awaitsApproval, expiryOf, isBehindTrail, isOpenRequest, orderOf, type RunState } from '../runs/state.ts';
import { denialOf, goingOn, refuseDenial } from './after-denial.ts';
import { authorize } from './authorize.ts';
import { maxReasonLength, titleOf } from './form.ts';
import { note, typedName } from './notes.ts';
import type { Click, Invocation, RunParts } from './parts.ts';
import { onlyServers, runsNow, sayGone, startCommand } from './press.ts';
import { refuse } from './refuse.ts';

/** At most 100 characters. */
const hint = 'You confirm it next, then it runs at once.';

/** What a person goes on with, and what waits for others until they do. */
interface Way extends Pick<Invocation, 'undoes' | 'since'> {
  command: string;
  options: RawOptions;
  over?: string;
}

/** Break glass: asks why, then asks the whole command again, with what the policy allows in an emergency. */
export async function breakGlass(parts: RunParts, clicked: Click, id: string): Promise<void> {
  const states = await runsNow(parts, id);
  const way = wayOn(parts, clicked, id, states);
  if (way === undefined) return states.some(isCard) ? sayGone(clicked) : refuseDenial(parts, clicked, id);
  const { actor, place, typed, reply } = clicked;
  const { command, options, over, undoes, since } = way;
  const authorization = authorize(parts, { actor, place, command, options, glass: '' });
  if (authorization.kind === 'refused') return void (await refuse(parts, { ...clicked, options }, authorization));
  if (typed === undefined) {
    const title = titleOf(typedName(command), authorization.prepared.servers);
    const label = 'Why can it not wait? Reviewed afterwards';
    return reply.ask({ id: clicked.button, title, label, hint, longest: maxReasonLength });
  }
  const why = typedText(typed, maxReasonLength);
  if (why === '') return sayWhy(clicked);
  await startCommand(parts, clicked, command, options, {
    glass: { why, over },
    undoes,
    since,
  });
}

async function sayWhy({ reply }: Click): Promise<void> {
  await reply.refuse(note('invalid', 'your click', trusted('Say why. Nothing was sent.')));
}

/** Whether it has a card: a denial has none. */
const isCard = ({ outcome }: RunState): boolean => outcome?.kind !== 'denied';

const wayOn = (parts: RunParts, clicked: Click, id: string, states: readonly RunState[]): Way | undefined =>
  afterDenial(parts, clicked, id) ?? whileWaiting(parts, clicked, id, states) ?? behindTrail(parts, clicked, states);

/** After a denial of theirs. A request that came of it, taken on or not, is closed by going on. */
function afterDenial(parts: RunParts, clicked: Click, id: string): Way | undefined {
  const denied = denialOf(parts, clicked, id);
  if (denied === undefined) return undefined;
  const { run, command, options } = denied;
  const request = parts.ledger.open().find(({ requested }) => requested?.denied === run);
  const over = request && invocationOf(request.run);
  return { command, options, over, ...goingOn(denied) };
}

/** While what they asked for waits for others: only they may go on with it. */
function whileWaiting(
  { now, ledger }: RunParts,
  { actor, place }: Click,
  id: string,
  states: readonly RunState[],
): Way | undefined {
  const [first] = states;
  const order = first && orderOf(first);
  const waits = states.every((state) => awaitsApproval(state) || isOpenRequest(state));
  if (first === undefined || order === undefined || !waits || now() >= expiryOf(first)) return undefined;
  if (order.actor.id !== actor.id || order.place.message !== place.message) return undefined;
  const { asked, requested } = first;
  const denied = requested === undefined ? undefined : ledger.run(requested.denied)?.outcome;
  // Of a request it is what its denial says; of a question, what it says itself.
  const from = denied === undefined ? { undoes: asked?.undoes, since: asked?.since ?? order.seq } : goingOn(denied);
  return { command: order.command, options: order.options, over: id, ...from };
}

/** Where changes wait for the audit channel. */
function behindTrail({ ledger }: RunParts, { offered }: Click, states: readonly RunState[]): Way | undefined {
  const left = states.filter((state) => isBehindTrail(state) && doneSince(ledger, state) === undefined);
  const entry = left[0]?.outcome;
  if (entry === undefined || !offered) return undefined;
  const servers = left.flatMap(({ outcome }) => outcome?.server?.id ?? []);
  return { command: entry.command, options: onlyServers(entry.options, servers), since: entry.seq };
}
