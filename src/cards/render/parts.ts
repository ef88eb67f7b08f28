import { type Card, count, linkTo, type Markup, md, serverName, subjectOf, trusted } from '../../card.ts';
import type { PreparedChange } from '../../command.ts';
import { defined } from '../../defined.ts';
import type { Actor, Outcome } from '../../outcome.ts';
import type { Records } from '../../runs/book.ts';
import { isUnknown, mayStillRun, messageOf, type RunState, warningsOf, wordOnEnd } from '../../runs/state.ts';
import type { Known } from './known.ts';

/** "/firewall flush" */
export const typedName = (id: string): string => `/${id.replace('.', ' ')}`;

/** A private card without a run: why something was not done, and what to do. */
export const note = (state: Outcome, command: string, fact: Markup, ...body: Markup[]): Card => ({
  state,
  command,
  fact,
  body,
});

/** The first line of an invocation's card, and its run. */
export function base({ command, servers, invocationId }: Known): Pick<Card, 'command' | 'subject' | 'run'> {
  const subject = subjectOf(servers);
  return { command: typedName(command), run: invocationId, ...defined({ subject }) };
}

/** The small print: the reason, as the actor wrote it, and the actor. */
export function signature(known: Known, words = 'By'): Markup[] {
  const { reason } = known.options;
  return [
    ...(typeof reason === 'string' ? [md`Reason: ${reason}`] : []),
    trusted(`${words} ${person(known.actor)}${takenOver(known)}`),
  ];
}

const person = ({ id }: Actor): string => `<@${id}>`;

/** Who will be pinged at the end, if not the actor. */
function takenOver({ actor, states }: Known): string {
  const others = states.flatMap(({ followUp }) => followUp?.notify.id ?? []).filter((id) => id !== actor.id);
  return [...new Set(others)].map((id) => `, handed over to <@${id}>`).join('');
}

/** What was asked for, where the first line does not say all of it: disks, addresses, a percentage. */
export const askedFor = (prepared: PreparedChange | undefined): Markup[] =>
  prepared === undefined || prepared.change.markup === prepared.label ? [] : [md`Asked for: ${prepared.change}`];

/** A link to the card of a run, where its message is known; else the words alone. */
export function cardLink(words: string, state: RunState): Markup {
  const place = messageOf(state);
  return place === undefined ? trusted(words) : linkTo(words, place);
}

/** What is to be known before a change, as long as that is so; else how it ended since. */
export function warningLines(states: readonly RunState[], { run: stateOf }: Pick<Records, 'run'>): Markup[] {
  const all = states.flatMap(warningsOf);
  const lines = all.slice(0, maxWarnings).map(({ run, says }) => {
    const state = stateOf(run);
    if (state?.outcome === undefined || !isKnown(state)) return trusted(says);
    const { server, command } = state.outcome;
    const what = `${typedName(command)}${server === undefined ? '' : ` of ${serverName(server).markup}`}`;
    return md`${cardLink(what, state)} is known since: ${trusted(knownEnd(state))}.`;
  });
  const more = all.length - lines.length;
  return more === 0 ? lines : [...lines, trusted(`${count(more, 'more run')} there were not over: see /handover.`)];
}

/** On a phone: the newest matter no more than the others, and /handover has all. */
const maxWarnings = 3;

const isKnown = (state: RunState): boolean =>
  !isUnknown(state) && !mayStillRun(state) && (state.followUp === undefined || state.followUp.ended !== undefined);

function knownEnd(state: RunState): string {
  const said = wordOnEnd(state);
  if (said !== undefined) return said.happened ? 'it happened' : 'it did not happen';
  return `it ${state.followUp?.ended?.end ?? 'ended'}`;
}
