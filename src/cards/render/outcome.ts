import { type Card, count, joined, list, type Markup, md, quote, serverName, trusted } from '../../card.ts';
import type { End, Outcome } from '../../outcome.ts';
import { reasons } from '../../reasons.ts';
import { mayStillRun, type RunState, wordOnEnd } from '../../runs/state.ts';
import type { Known, Offers } from './known.ts';
import { base, signature } from './parts.ts';

/** Worst first: what the headline of several runs says. What is still under way goes before what went well. */
const gravest = [
  'unknown',
  'failed',
  'rejected',
  'unavailable',
  'blocked',
  'not-sent',
  'denied',
  'invalid',
  'expired',
  'cancelled',
  'accepted',
  'finished',
  'succeeded',
] as const satisfies (Outcome | End)[];

/** How one run stands. */
export const wordOf = ({ outcome, followUp }: RunState): (typeof gravest)[number] => {
  const end = followUp?.ended?.end;
  // To stop following does not stop what is followed.
  if (end !== undefined) return end === 'stopped' ? 'accepted' : end;
  if (followUp !== undefined) return 'accepted';
  return outcome?.outcome ?? 'unknown';
};

export const worst = (states: readonly RunState[]): (typeof gravest)[number] =>
  gravest.find((word) => states.some((state) => wordOf(state) === word)) ?? 'unavailable';

/** The card of a change that has ended on all its servers: how, and what can be done about it. */
export function endedCard(known: Known, offers: Offers): Card {
  const { states, servers } = known;
  const state = worst(states);
  const [only] = states;
  const body =
    servers.length <= 1 && only !== undefined
      ? story(only, offers.left)
      : [summary(states), ...states.map(line), ...nextSteps(offers.left)];
  return {
    ...resolvedBase(known),
    state,
    body: [
      ...body,
      ...beside(states),
      ...offers.body,
      ...signature(known, state === 'cancelled' || state === 'expired' ? 'Asked by' : 'By'),
    ],
    buttons: offers.buttons,
  };
}

/** The card of a change that is under way; `words` say why nothing is known yet. */
export function workingCard(known: Known, words = 'Under way; nothing is known yet.'): Card {
  const ended = known.states.filter(({ outcome }) => outcome !== undefined);
  const left = known.servers.length - ended.length;
  const body =
    ended.length === 0
      ? [trusted(words)]
      : [summary(ended), ...ended.map(line), ...nextSteps(ended), trusted(`${left} still to do.`)];
  return { ...base(known), state: 'working', body: [...body, ...signature(known)] };
}

/** What the look before a change told, where there was no question to tell it. */
const beside = (states: readonly RunState[]): Markup[] =>
  states.flatMap(({ intent }) => (intent?.says ?? []).map(trusted));

/** The first line says of what was unknown how it ended, when that is known of all of it. */
export function resolvedBase(known: Known): ReturnType<typeof base> {
  const card = base(known);
  const words = known.states.filter((state) => wordOf(state) === 'unknown').map(wordOnEnd);
  const [first] = words;
  if (first === undefined || words.some((word) => word?.happened !== first.happened)) return card;
  return {
    ...card,
    subject: md`${card.subject ?? trusted('')}: ${trusted(first.happened ? 'it happened' : 'it did not happen')}`,
  };
}

/** "It happened, says @bob: `reason`. It was unknown: The panel met an error of its own. It answered 500." */
export function resolution(resolved: RunState['resolved'] & object, before: readonly Markup[]): Markup {
  const words = trusted(resolved.happened ? 'It happened' : 'It did not happen');
  const was = before.length === 0 ? trusted('') : md` It was unknown: ${joined(before, ' ')}`;
  return md`**${words}**, says <@${trusted(resolved.actor.id)}>: ${resolved.why}.${was}`;
}

const maybe = 'It may have been done, or not.';

/** Why it ended so, in our words. The ledger is ours, and its detail was markup when it was recorded. */
const causes = ({ outcome }: RunState): Markup[] => [
  ...(outcome?.reason === undefined ? [] : [trusted(reasons[outcome.reason].why)]),
  ...(outcome?.detail === undefined ? [] : [trusted(outcome.detail)]),
];

const resolvedOf = (state: RunState): RunState['resolved'] =>
  state.outcome?.outcome === 'unknown' ? state.resolved : undefined;

/** One run in sentences: what happened, why, what the panel said, what to do next. */
function story(state: RunState, left: readonly RunState[]): Markup[] {
  const { outcome } = state;
  const resolved = resolvedOf(state);
  if (resolved !== undefined) return [resolution(resolved, causes(state))];
  return [
    ...causes(state),
    ...(outcome?.outcome === 'unknown' ? [trusted(maybe)] : []),
    ...(outcome?.said === undefined ? [] : [md`The panel says: ${outcome.said}`]),
    ...nextSteps(left),
  ];
}

/** "3 servers: 2 succeeded and 1 unknown." */
function summary(states: readonly RunState[]): Markup {
  const words = states.map(({ outcome }) => outcome?.outcome ?? 'unknown');
  const kinds = [...new Set(words)].map((kind) => trusted(`${words.filter((word) => word === kind).length} ${kind}`));
  return md`${trusted(count(states.length, 'server'))}: ${list(kinds)}.`;
}

/** One of several runs. */
function line(state: RunState): Markup {
  const { outcome } = state;
  const server = outcome?.server;
  const head = md`**${trusted(wordOf(state).toUpperCase())}** ${server === undefined ? trusted('this') : serverName(server)}:`;
  const resolved = resolvedOf(state);
  if (resolved !== undefined) return md`${head} ${resolution(resolved, causes(state))}`;
  const doubt = outcome?.outcome === 'unknown' ? [trusted(maybe)] : [];
  return md`${joined([head, ...causes(state), ...doubt], ' ')}${says(outcome?.said)}`;
}

/** What the panel said, on the line of one of several servers. */
export const says = (said: string | undefined): Markup =>
  said === undefined ? trusted('') : md` The panel says: ${quote(said, 120)}`;

/** What to do next, each sentence once. */
export function nextSteps(states: readonly RunState[]): Markup[] {
  const steps = states.flatMap((state) => {
    const { outcome, resolved } = state;
    if (mayStillRun(state)) return ['What was not seen to finish may still run: look in the panel.'];
    if (resolved !== undefined) return [];
    return outcome?.reason === undefined ? [] : [reasons[outcome.reason].next];
  });
  return [...new Set(steps)].filter((step) => step !== '').map(trusted);
}
