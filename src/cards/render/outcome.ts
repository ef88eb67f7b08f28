import {
  type Card,
  joined,
  list,
  type Markup,
  md,
  moment,
  quote,
  type State,
  sentences,
  serverName,
  trusted,
} from '../../card.ts';
import type { PreparedChange } from '../../command.ts';
import { isUntouched, type Reason, reasons, sayerOf } from '../../reasons.ts';
import type { Records } from '../../runs/book.ts';
import { type Ended, endedBy } from '../../runs/history.ts';
import { isPending, isUnknown, isUnsent, mayStillRun, type RunState, wordOnEnd } from '../../runs/state.ts';
import { typedName } from '../../view/words.ts';
import {
  askedFor,
  base,
  cardLink,
  type Drawing,
  type Known,
  labelOf,
  type Offers,
  signature,
  warningLines,
} from './parts.ts';
import { thawing } from './thaw.ts';

/** The headline of several runs, worst first. What is in progress goes before what succeeded. */
const severity = [
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
  'did not happen',
  'accepted',
  'happened',
  'finished',
  'succeeded',
] as const satisfies State[];

export function wordOf(state: RunState): (typeof severity)[number] {
  const { outcome, followUp } = state;
  const end = followUp?.ended?.end;
  const said = wordOnEnd(state);
  if (said !== undefined && end !== 'finished' && end !== 'failed')
    return said.happened ? 'happened' : 'did not happen';
  // Stopping a follow-up does not stop the job.
  if (end !== undefined) return end === 'stopped' ? 'accepted' : end;
  if (followUp !== undefined) return 'accepted';
  return outcome?.outcome ?? 'unknown';
}

const worst = (states: readonly RunState[]): (typeof severity)[number] =>
  severity.find((word) => states.some((state) => wordOf(state) === word)) ?? 'unavailable';

/** The headline of several runs, without those that a later run has done since. */
export const headOf = (states: readonly RunState[], left: readonly RunState[]): (typeof severity)[number] =>
  worst(left.length === 0 ? states : left);

/** What the lines of a card say, from the fact to the next step. */
type Story = Pick<Card, 'body'> & Partial<Pick<Card, 'fact' | 'next'>>;

/** The card of a change that has ended on all its servers: how, and the next steps. */
export function endedCard(known: Known, offers: Offers, drawing: Drawing): Card {
  const { states, servers } = known;
  const state = headOf(states, offers.left);
  const [only] = states;
  const prepared = drawing.prepare(known);
  const asked = isTaken(state) || state === 'happened' || state === 'expired' ? [] : askedFor(prepared);
  // What did not happen, because nobody confirmed it, comes first.
  const expired = state === 'expired' && prepared !== undefined ? md`Not done: ${prepared.fullLabel}.` : undefined;
  // A question has shown them.
  const ended = endedLines(states, drawing.records);
  const warnings = only?.asked === undefined ? warningLines(states, drawing.records, ended.runs) : [];
  const {
    fact,
    body,
    next = [],
  } = servers.length <= 1 && only !== undefined
    ? story(only)
    : { fact: md`${labelOf(prepared, known)}: ${kindsOf(states, offers.left)}.`, body: linesOf(states) };
  return {
    ...base(known),
    state,
    fact: expired ?? fact ?? trusted(isTaken(state) ? 'The panel accepted it.' : 'Nothing more is known.'),
    body: [
      ...(expired && fact && servers.length <= 1 ? [fact] : []),
      ...body,
      ...asked,
      ...lookNotes(states),
      ...ended.lines,
      ...warnings,
      ...offers.body,
    ],
    next: [...next, ...offers.next, ...thawing(offers.left, drawing), ...nextSteps(offers.left)],
    small: signature(known, state === 'cancelled' || state === 'expired' ? 'Asked by' : 'By'),
    buttons: offers.buttons,
  };
}

const isTaken = (state: State): boolean => state === 'accepted' || state === 'succeeded';

const nothingYet = 'Under way; no result yet.';
type Asked = Pick<PreparedChange, 'fullLabel'>;

/** The card of a change in progress. `words` say why nothing is known yet. */
export function workingCard(known: Known, prepared: Asked | undefined, words = nothingYet): Card {
  const ended = known.states.filter(({ outcome }) => outcome !== undefined);
  const left = known.servers.length - ended.length;
  const asked = prepared?.fullLabel;
  const body =
    ended.length === 0 ? [trusted(words)] : [md`So far ${kindsOf(ended)}; ${left} still to do.`, ...linesOf(ended)];
  return {
    ...base(known),
    state: 'working',
    ...(asked === undefined ? { fact: body[0] ?? trusted(words), body: body.slice(1) } : { fact: asked, body }),
    next: nextSteps(ended),
    small: signature(known),
  };
}

/** What was odd right before a change, and what the look before it found, if there was no question to show it. */
const lookNotes = (states: readonly RunState[]): Markup[] =>
  states.flatMap(({ intent }) => (intent?.says ?? []).map(trusted));

/** "**It happened**, says @bob."; of what went on after that: "It was unknown until @bob said that it was under way." */
export const resolution = (resolved: RunState['resolved'] & object): Markup =>
  resolved.running === true
    ? md`It was unknown until <@${trusted(resolved.actor.id)}> said that it was under way.`
    : md`**${happened(resolved)}**, says <@${trusted(resolved.actor.id)}>.`;

/** "It happened, says @bob." */
export const saidBy = (resolved: RunState['resolved'] & object): Markup =>
  md`${happened(resolved)}, says <@${trusted(resolved.actor.id)}>.`;

function happened({ running, happened: isSo }: RunState['resolved'] & object): Markup {
  if (running === true) return trusted('It is under way');
  return trusted(isSo ? 'It happened' : 'It did not happen');
}

const maybe = 'It may or may not have been done.';

/** Why it ended, in the bot's words. The ledger is trusted, and its `detail` was markup when recorded. */
export const causesOf = ({ outcome }: RunState): Markup[] => [
  ...(outcome?.reason === undefined ? [] : [trusted(reasons[outcome.reason].why)]),
  ...(outcome?.outcome === 'rejected' && outcome.reason !== undefined && isUntouched(outcome.reason)
    ? [trusted('Nothing was changed.')]
    : []),
  ...(outcome?.detail === undefined ? [] : [trusted(outcome.detail)]),
];

const resolvedOf = (state: RunState): RunState['resolved'] =>
  state.outcome?.outcome === 'unknown' ? state.resolved : undefined;

/** One run: what happened, why, what the panel said. */
function story(state: RunState): Story {
  const { outcome } = state;
  const resolved = resolvedOf(state);
  const why = causesOf(state);
  const said = outcome?.said === undefined ? [] : [md`${trusted(sayerOf(outcome.reason))}: ${outcome.said}`];
  if (resolved !== undefined) return { fact: saidBy(resolved), body: [] };
  if (outcome?.outcome === 'unknown')
    return { fact: trusted(maybe), body: [...(why.length === 0 ? [] : [joined(why, ' ')]), ...said] };
  const [first, ...others] = why;
  if (first === undefined) return { body: said };
  const [fact, ...rest] = sentences(first);
  return { fact, body: [...rest, ...others, ...said] };
}

/** "2 succeeded and 1 unknown". What is not among those that are left was done by a later run. */
export function kindsOf(states: readonly RunState[], left = states): Markup {
  const words = states.map((state) => (left.includes(state) ? wordOf(state) : 'done since'));
  return list([...new Set(words)].map((kind) => trusted(`${words.filter((word) => word === kind).length} ${kind}`)));
}

/** A line for each of several runs, and one for all that were not sent for the same reason. */
function linesOf(states: readonly RunState[]): Markup[] {
  const words = new Map<string, { word: string; names: Markup[]; said: Markup }>();
  for (const state of states) {
    const [word, said] = [wordOf(state).toUpperCase(), after(state)];
    const key = isUnsent(state) ? `${word} ${said.markup}` : state.run;
    const one = words.get(key) ?? { word, names: [], said };
    words.set(key, one);
    const server = state.outcome?.server;
    one.names.push(server === undefined ? trusted('this') : serverName(server));
  }
  return [...words.values()].map(({ word, names, said }) => md`**${trusted(word)}** ${list(names)}${said}`);
}

/** What stands behind the name of one of several servers. */
function after(state: RunState): Markup {
  const { outcome } = state;
  const resolved = resolvedOf(state);
  if (resolved !== undefined) return md`, says <@${trusted(resolved.actor.id)}>.`;
  const doubt = outcome?.outcome === 'unknown' ? [trusted(maybe)] : [];
  return md`: ${joined([...causesOf(state), ...doubt], ' ')}${says(outcome?.said, outcome?.reason)}`;
}

/** What the panel said, on the line of one of several servers. */
export const says = (said: string | undefined, reason?: Reason): Markup =>
  said === undefined ? trusted('') : md` ${trusted(sayerOf(reason))}: ${quote(said, 120)}`;

/** What to do next, each sentence once. */
export function nextSteps(states: readonly RunState[]): Markup[] {
  const steps = states.flatMap((state) => {
    const { outcome, resolved } = state;
    if (mayStillRun(state)) return ['Anything not seen to finish may still be running.'];
    if (resolved !== undefined) return [];
    if (outcome?.reason === 'earlier-unknown' && !states.some(isUnknown)) return ['Ask again for the rest.'];
    return outcome?.reason === undefined ? [] : [reasons[outcome.reason].next];
  });
  return [...new Set(steps)].filter((step) => step !== '').map(trusted);
}

interface EndedLines {
  /** The runs of which they tell. */
  runs: readonly string[];
  lines: readonly Markup[];
}

/** On a phone. */
const most = 3;

/** What others had left on the servers, or what ended unknown there, and these runs ended: who, when, and where its card is. */
function endedLines(states: readonly RunState[], records: Pick<Records, 'outcomes' | 'closed' | 'run'>): EndedLines {
  const all = states.flatMap((by) =>
    endedBy(records, by).flatMap((ended) =>
      isUnknown(ended.state) || ended.state.outcome?.actor.id !== by.outcome?.actor.id ? [{ by, ended }] : [],
    ),
  );
  return {
    runs: all.map(({ ended }) => ended.state.run),
    lines: all.slice(-most).map(({ by, ended }) => line(ended, by, states.length > 1)),
  };
}

function line({ state, how }: Ended, by: RunState, isOfSeveral: boolean): Markup {
  const { outcome } = state;
  if (outcome === undefined) return trusted('');
  const of = isOfSeveral && outcome.server !== undefined ? md` of ${serverName(outcome.server)}` : trusted('');
  const what = md`${cardLink(typedName(outcome.command), state)}${of}`;
  const who = md`by <@${trusted(outcome.actor.id)}> ${moment(Date.parse(outcome.time))}`;
  if (isUnknown(state))
    return md`**${what} ${who} ended unknown**: whether it was done or not, this was sent after it. What a look shows is this change: if you know how that one ended, say so on its card.`;
  if (how === 'applied') return md`This applied what was only stored: ${what} ${who}.`;
  return md`${trusted(isPending(by) ? 'Once it is done, this ends' : 'This ended')}: ${what} ${who}.`;
}
