import { type Card, count, linkTo, type Markup, md, serverName, subjectOf, trusted } from '../../card.ts';
import type { Command, PreparedChange } from '../../command.ts';
import type { Actor, Outcome, RawOptions, Server } from '../../outcome.ts';
import type { Records } from '../../runs/book.ts';
import type { Kind } from '../../runs/entry.ts';
import type { News } from '../../runs/news.ts';
import { isUnknown, mayStillRun, messageOf, type RunState, warningsOf, wordOnEnd } from '../../runs/state.ts';
import { typedName } from '../../view/words.ts';

/** What was last seen of a job, since this process follows it. Times in ms. */
export interface JobSeen {
  /** The panel's word for the state, unchanged. */
  word?: string;
  /** From 0 to 100. */
  progress?: number;
  message?: string;
  /** When a look last found news, and when one last succeeded. */
  newsAt?: number;
  at?: number;
  /** Set until the first look, if another process followed it before: since when this one does. */
  since?: number;
}

/** `blind`: looks have failed for a while. `late`: it takes longer than usual. `no-read`: the panel cannot read such jobs. */
export type JobLook = 'no-read' | (JobSeen & { blind?: true; late?: true });

/** Everything that the card of one invocation is drawn from. */
export interface Known {
  invocationId: string;
  command: string;
  actor: Actor;
  options: RawOptions;
  servers: readonly Server[];
  /** Its runs from the ledger and the outbox. */
  states: readonly RunState[];
  /** The last look at the job of each followed run. */
  looks: ReadonlyMap<string, JobLook>;
}

export interface Drawing {
  records: Records;
  command(id: string): Command | undefined;
  /** Whether the panel offers a read of such jobs. */
  canLook(follow: 'restore' | 'power'): boolean;
  /** The command of an earlier run. Undefined if the policy or the command no longer accepts its options. */
  prepare(of: { command: string; options: RawOptions }): PreparedChange | undefined;
  /** Whom the policy pings about such news: ids of users, and of roles with the prefix `&`. */
  recipients(news: readonly News[], requester: string): readonly string[];
  /** Whether these roles may run the command with break-glass on all of these servers. */
  mayBreakGlass(roles: readonly string[], command: string, servers: readonly Server[]): boolean;
  /** The ids of the roles that may approve on all of these servers; with a command's id, that may run it there. */
  approvers(servers: readonly Server[], command?: string): readonly string[];
  thawers(): readonly string[];
  /** Their names, where the policy lets people ask others. */
  thawersToAsk(): readonly string[];
  /** The seal of a question's button: a keyed hash of the kind, the `asked` entry and its message. */
  seal(
    kind: 'confirm' | 'typed' | 'cancel' | 'approve' | 'accept' | 'decline',
    asked: Kind<'asked' | 'requested'>,
  ): string;
}

/** What can still be done about the runs of a card, or what happened to them since. */
export type Offer = Partial<Pick<Card, 'body' | 'next' | 'buttons'>>;

/** All offers of a card. `left`: runs that were not sent and not done since. `undone`: by whom all was undone. */
export interface Offers extends Required<Offer> {
  left: readonly RunState[];
  undone?: Markup | undefined;
}

/** A private card without a run: why something was not done, and what to do. */
export const note = (state: Outcome, command: string, fact: Markup, ...body: Markup[]): Card => ({
  state,
  command,
  fact,
  body,
});

/** The first line of an invocation's card, and its run. */
export function base({ command, servers, invocationId, states }: Known): Pick<Card, 'command' | 'subject' | 'run'> {
  const named = subjectOf(servers);
  const subject = named && glassOf(states) !== undefined ? md`${named} · break-glass` : named;
  return { command: typedName(command), run: invocationId, subject };
}

/** The small print: the reason, as the actor wrote it, and the actor, on one line of a phone where they fit. */
export function signature(known: Known, words = 'By'): Markup[] {
  const { reason } = known.options;
  const by = trusted(`${words} ${person(known.actor)}${takenOver(known)}${requestedBy(known)}${approvedBy(known)}`);
  return [...glassLines(known), typeof reason === 'string' ? md`Reason: ${reason} · ${by}` : by];
}

/** Why its requester went on with break-glass. */
const glassOf = ([first]: readonly RunState[]): string | undefined => first?.asked?.glass;

/** For all to see as long as the card is. */
function glassLines({ states }: Known): Markup[] {
  const why = glassOf(states);
  const reviewed = states.find((state) => state.reviewed !== undefined)?.reviewed;
  return [
    ...(why === undefined ? [] : [md`Break-glass: ${why}`]),
    ...(reviewed === undefined ? [] : [md`Reviewed by <@${trusted(reviewed.actor.id)}>: ${reviewed.why}`]),
  ];
}

/** Whoever asked for it without the right to run it. */
function requestedBy({ actor, states: [first] }: Known): string {
  const requested = first?.requested;
  return requested === undefined || requested.actor.id === actor.id ? '' : `, for ${person(requested.actor)}`;
}

/** Whoever approved it, for all to see as long as the card is. */
function approvedBy({ states: [first] }: Known): string {
  const ids = (first?.approved ?? []).map(({ actor }) => person(actor));
  return ids.length === 0 ? '' : `, approved by ${ids.join(' and ')}`;
}

const person = ({ id }: Actor): string => `<@${id}>`;

/** Who will be pinged at the end, if not the actor. */
function takenOver({ actor, states }: Known): string {
  const others = states.flatMap(({ followUp }) => followUp?.notify.id ?? []).filter((id) => id !== actor.id);
  return [...new Set(others)].map((id) => `, handed over to <@${id}>`).join('');
}

/** "3 servers (2 production, 1 lab)". Undefined for a single one, which is named with its tier. */
export function tiersOf(servers: readonly Server[]): Markup | undefined {
  if (servers.length < 2) return undefined;
  const tiers = servers.map(
    ({ name, tier }) => tier ?? (name === undefined ? "not in the policy's list" : 'without a tier'),
  );
  const counts = [...new Set(tiers)].map((tier) => `${tiers.filter((each) => each === tier).length} ${tier}`);
  return trusted(`${servers.length} servers (${counts.join(', ')})`);
}

/** What a command does, as its button says it: "Power off 3 servers". */
export const labelOf = (prepared: Pick<PreparedChange, 'label'> | undefined, { command }: Known): Markup =>
  trusted(prepared?.label ?? typedName(command));

/** What was asked for, where the first line does not say all of it: disks, addresses, a percentage. */
export const askedFor = (prepared: PreparedChange | undefined): Markup[] =>
  prepared === undefined || prepared.fullLabel.markup === prepared.label ? [] : [md`Asked for: ${prepared.fullLabel}.`];

/** A link to the card of a run, where its message is known; else the words alone. */
export function cardLink(words: string, state: RunState): Markup {
  const place = messageOf(state);
  return place === undefined ? trusted(words) : linkTo(words, place);
}

/** What is to be known before a change, as long as that is so; else how it ended since. */
export function warningLines(
  states: readonly RunState[],
  { run: stateOf }: Pick<Records, 'run'>,
  told: readonly string[],
  most = maxWarnings,
): Markup[] {
  const all = states.flatMap(warningsOf).filter(({ run }) => !told.includes(run));
  const lines = all.slice(0, all.length > most ? most - 1 : most).map(({ run, says }) => {
    const state = stateOf(run);
    if (state?.outcome === undefined || !isKnown(state)) return trusted(says);
    const { server, command } = state.outcome;
    const what = `${typedName(command)}${server === undefined ? '' : ` of ${serverName(server).markup}`}`;
    return md`${cardLink(what, state)} is no longer open: ${trusted(knownEnd(state))}.`;
  });
  const more = all.length - lines.length;
  return more === 0 ? lines : [...lines, trusted(`${count(more, 'more run')} there had not ended: see /handover.`)];
}

/** On a phone: the newest matter no more than the others, and /handover has all. */
const maxWarnings = 3;

const isKnown = (state: RunState): boolean =>
  !isUnknown(state) &&
  !mayStillRun(state) &&
  (state.followUp === undefined || (state.followUp.ended !== undefined && state.followUp.ended.end !== 'stopped'));

function knownEnd(state: RunState): string {
  const said = wordOnEnd(state);
  if (said !== undefined) return said.happened ? 'it happened' : 'it did not happen';
  return `it ${state.followUp?.ended?.end ?? 'ended'}`;
}
