import {
  type Card,
  count,
  joined,
  list,
  type Markup,
  md,
  moment,
  own,
  quote,
  serverName,
  subjectOf,
  whyNot,
} from '../card.ts';
import type { Command, ReadFailed } from '../command.ts';
import {
  type Actor,
  type Decision,
  LedgerUnavailable,
  type Outcome,
  RedisUnavailable,
  type Server,
} from '../outcome.ts';
import type { Taker } from '../questions/questions.ts';
import { afterRead, type Reason, reasons } from '../reasons.ts';
import { button } from './parts.ts';

/** "/firewall flush" */
export const typedName = (id: string): string => `/${id.replace('.', ' ')}`;

/** What a person calls a command: what is typed, or the label in a message's menu. */
export const nameOf = ({ id, menu }: Pick<Command, 'id' | 'menu'>): string => menu ?? typedName(id);

/** How one run ended, in what a card needs. `detail` is markup of ours, `said` the panel's own words. */
export interface Ended {
  run: string;
  server?: Server;
  outcome: Outcome;
  reason?: Reason;
  said?: string;
  detail?: Markup;
  /** Of what was unknown: how it ended, as a person said since. */
  resolved?: { happened: boolean; by: Actor; why: string };
}

/** What all cards of one invocation share. */
export interface About {
  command: string;
  actor: Actor;
  servers: readonly Server[];
  /** Why it is done, as the actor wrote it. */
  reason?: string;
  stem: string;
}

const by = ({ id }: Actor, state?: Outcome): Markup =>
  own(`${state === 'cancelled' || state === 'expired' ? 'Asked by' : 'By'} <@${id}>.`);
const because = (reason: string | undefined): Markup[] => (reason === undefined ? [] : [md`Reason: ${reason}`]);

function base({ command, servers, stem }: About): Pick<Card, 'command' | 'subject' | 'run'> {
  const subject = subjectOf(servers);
  return { command: typedName(command), run: stem, ...(subject === undefined ? {} : { subject }) };
}

/** A card without a run: why something was not done, privately. */
export const note = (state: Outcome, command: string, ...body: Markup[]): Card => ({ state, command, body });

export const workingCard = (about: About, words = 'Under way; nothing is known yet.'): Card => ({
  ...base(about),
  state: 'working',
  body: [own(words), ...because(about.reason), by(about.actor)],
});

/** While neither Redis nor the ledger answers: whether another process has the command cannot be known here. */
export const unclaimedCard = (about: About): Card => ({
  ...base(about),
  state: 'unavailable',
  body: [
    own('Redis cannot be reached, so nothing may change. From here, nothing was sent.'),
    own(
      'Bring Redis back: if another process of the bot took this before, the card will say how it ended. Reads go on.',
    ),
    ...because(about.reason),
    by(about.actor, 'unavailable'),
  ],
});

/** `nothing`: what did not come of it. */
export function deniedCard(
  command: Command,
  decision: Extract<Decision, { allowed: false }>,
  nothing = 'Nothing was sent.',
): Card {
  const subject = decision.server === undefined ? undefined : serverName(decision.server);
  return {
    state: 'denied',
    command: nameOf(command),
    ...(subject === undefined ? {} : { subject }),
    body: [own(reasons.denied.why), ...whyNot(decision), own(nothing)],
  };
}

/** What would happen, in `would`, and the buttons. `expires` in Unix seconds. */
export function questionCard(
  about: About,
  would: readonly Markup[],
  question: { payload: string; expires: number; typed?: string },
): Card {
  return {
    ...base(about),
    state: 'question',
    body: [
      ...would,
      ...because(about.reason),
      by(about.actor),
      ...(question.typed === undefined ? [] : [md`To confirm you will be asked to type ${question.typed}.`]),
      own(`Nothing is sent until <@${about.actor.id}> confirms. Runs out <t:${question.expires}:R>.`),
    ],
    buttons: [
      button('Confirm', question.typed === undefined ? 'confirm' : 'typed', question.payload),
      button('Cancel', 'cancel', question.payload),
    ],
  };
}

/** Worst first: what the headline of several runs says. */
const gravest: readonly Outcome[] = [
  'unknown',
  'rejected',
  'unavailable',
  'blocked',
  'not-sent',
  'denied',
  'invalid',
  'expired',
  'cancelled',
  'accepted',
  'succeeded',
];
const askable: readonly Outcome[] = ['not-sent', 'blocked', 'expired'];

/** The terminal card of a change: how each run ended, and what can be done about it. */
export function endCard(
  about: About,
  ended: readonly Ended[],
  offers: Pick<Card, 'body' | 'buttons'> = { body: [] },
  extra: readonly Markup[] = [],
): Card {
  const state = gravest.find((outcome) => ended.some((each) => each.outcome === outcome)) ?? 'unavailable';
  const buttons = [
    ...(ended.some((each) => askable.includes(each.outcome)) ? [button('Ask again', 'again', about.stem)] : []),
    ...(offers.buttons ?? []),
  ];
  const [only] = ended;
  const body = about.servers.length <= 1 && only !== undefined ? story(only) : several(ended);
  return {
    ...resolvedBase(about, ended),
    state,
    body: [...body, ...extra, ...offers.body, ...because(about.reason), by(about.actor, state)],
    ...(buttons.length === 0 ? {} : { buttons }),
  };
}

/** The first line says of what was unknown how it ended, when that is known of all of it. */
function resolvedBase(about: About, ended: readonly Ended[]): ReturnType<typeof base> {
  const card = base(about);
  const unknown = ended.filter(({ outcome }) => outcome === 'unknown');
  const [first] = unknown;
  if (first?.resolved === undefined || unknown.some(({ resolved }) => resolved?.happened !== first.resolved?.happened))
    return card;
  const words = first.resolved.happened ? 'it happened' : 'it did not happen';
  return { ...card, subject: md`${card.subject ?? own('')}: ${own(words)}` };
}

/** "It happened, says @bob: `reason`. It was unknown: The panel met an error of its own. It answered 500." */
export function resolution({ happened, by, why }: NonNullable<Ended['resolved']>, before: readonly Markup[]): Markup {
  const words = own(happened ? 'It happened' : 'It did not happen');
  const told = before.length === 0 ? own('') : md` It was unknown: ${joined(before, ' ')}`;
  return md`**${words}**, says <@${own(by.id)}>: ${why}.${told}`;
}

const maybe = 'It may have been done, or not.';

/** Why nobody knew. */
const causes = ({ reason, detail }: Ended): Markup[] => [
  ...(reason === undefined ? [] : [own(reasons[reason].why)]),
  ...(detail === undefined ? [] : [detail]),
];

/** One run in sentences: what happened, why, what the panel said, what to do next. */
export function story(ended: Ended): Markup[] {
  const { outcome, reason, said, detail, resolved } = ended;
  const words = reason === undefined ? undefined : reasons[reason];
  if (resolved !== undefined) return [resolution(resolved, causes(ended))];
  return [
    ...(words === undefined ? [] : [own(words.why)]),
    ...(detail === undefined ? [] : [detail]),
    ...(outcome === 'unknown' ? [own(maybe)] : []),
    ...(said === undefined ? [] : [md`The panel says: ${said}`]),
    ...(words === undefined || words.next === '' ? [] : [own(words.next)]),
  ];
}

/** Several runs: a summary, a line each, and what to do next once. */
function several(ended: readonly Ended[]): Markup[] {
  const kinds = [...new Set(ended.map(({ outcome }) => outcome))];
  const summary = list(kinds.map((kind) => own(`${ended.filter(({ outcome }) => outcome === kind).length} ${kind}`)));
  const nexts = [
    ...new Set(
      ended.flatMap(({ reason, resolved }) =>
        reason === undefined || resolved !== undefined ? [] : [reasons[reason].next],
      ),
    ),
  ].filter((next) => next !== '');
  return [md`${own(count(ended.length, 'server'))}: ${summary}.`, ...ended.map(line), ...nexts.map(own)];
}

function line(ended: Ended): Markup {
  const { server, outcome, reason, said, detail, resolved } = ended;
  const name = server === undefined ? own('this') : serverName(server);
  if (resolved !== undefined)
    return md`**${own(outcome.toUpperCase())}** ${name}: ${resolution(resolved, causes(ended))}`;
  const words = reason === undefined ? [] : [own(reasons[reason].why)];
  const doubt = outcome === 'unknown' ? [own(maybe)] : [];
  const heard = said === undefined ? [] : [md`The panel says: ${quote(said, 120)}`];
  return joined(
    [
      md`**${own(outcome.toUpperCase())}** ${name}:`,
      ...words,
      ...(detail === undefined ? [] : [detail]),
      ...doubt,
      ...heard,
    ],
    ' ',
  );
}

/** A read that failed: why, and what to do. */
export function readFailedBody({ answer }: ReadFailed): Markup[] {
  return [
    own(reasons[answer.reason].why),
    ...('said' in answer && answer.said !== undefined ? [md`The panel says: ${answer.said}`] : []),
    own(afterRead(answer)),
  ];
}

/** The end of a run that the ledger or Redis would not take. */
export function unavailable(error: unknown): {
  outcome: 'unavailable';
  reason: 'ledger-unavailable' | 'redis-unavailable';
} {
  if (error instanceof LedgerUnavailable) return { outcome: 'unavailable', reason: 'ledger-unavailable' };
  if (error instanceof RedisUnavailable) return { outcome: 'unavailable', reason: 'redis-unavailable' };
  throw error;
}

/** Why a question is not there: who was faster, in words. */
export function goneCard(command: string | undefined, by: Taker | undefined): Card {
  const body: Markup =
    by === undefined
      ? own('This question is not open any more. Your click changed nothing. Type the command again.')
      : by.what === 'expired'
        ? md`This question ran out ${moment(by.at)}. Nothing was sent. To ask anew, type the command again.`
        : md`${by.who} ${own(by.what)} this ${moment(by.at)}. Your click changed nothing.`;
  return note(
    by?.what === 'expired' ? 'expired' : 'not-sent',
    command !== undefined ? typedName(command) : by?.what === 'expired' ? 'this question' : 'your click',
    body,
  );
}
