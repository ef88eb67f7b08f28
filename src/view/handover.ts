import {
  capitalized,
  count,
  linkTo,
  list,
  type Markup,
  md,
  moment,
  quote,
  serverName,
  threadLink,
  trusted,
} from '../card.ts';
import type { Records } from '../runs/book.ts';
import type { Effect, OpenEffect } from '../runs/effects.ts';
import type { RunEntry } from '../runs/entry.ts';
import { begunAt } from '../runs/follow-up.ts';
import { freezesOf, type Stop } from '../runs/freezes.ts';
import { invocationOf } from '../runs/ids.ts';
import type { Incident } from '../runs/incident.ts';
import {
  awaitsApproval,
  expiryOf,
  isGlass,
  isOpenQuestion,
  isOpenRequest,
  isSettled,
  type RunState,
} from '../runs/state.ts';
import { stopLine, typedName } from './words.ts';

/** What can be open, one and several of it, in display order. */
const groups = {
  incidents: ['incident', 'incidents'],
  freezes: ['freeze in force', 'freezes in force'],
  holds: ['server held', 'servers held'],
  restores: ['restore running', 'restores running'],
  powering: ['power action under way', 'power actions under way'],
  unfollowed: ['job that may still run', 'jobs that may still run'],
  unknown: ['unknown outcome', 'unknown outcomes'],
  reviews: ['break-glass review open', 'break-glass reviews open'],
  'firewall-off': ['firewall disabled', 'firewalls disabled'],
  'no-rules': ['firewall left without rules', 'firewalls left without rules'],
  down: ['server shut down', 'servers shut down'],
  throttle: ['throttle set', 'throttles set'],
  unapplied: ['change stored and not applied', 'changes stored and not applied'],
  whitelist: ['network whitelisted for a while', 'networks whitelisted for a while'],
  questions: ['open question', 'open questions'],
} as const;
export type Group = keyof typeof groups;
// Its keys are the groups.
const inOrder = Object.keys(groups) as Group[];

type Server = NonNullable<RunEntry['server']>;

/** Something that the next person on call needs to know. */
export interface OpenItem {
  group: Group;
  /** None: it concerns no server, or all of them. */
  servers: readonly Server[];
  /** In ms. */
  since: number;
  /** What it is beyond its group: "job 9001". */
  detail?: Markup | undefined;
  /** "5 minutes ago by @bob · card"; of a freeze, a hold and an incident all that is to be said. */
  line: Markup;
}

/** What a change left. `entry`: the command with its options, and the actor. */
export interface LeftItem extends OpenItem {
  entry: RunEntry;
  effect?: Effect;
  /** Of a review: it is known how all of it ended. */
  isSettled?: boolean;
}

export const isLeft = (item: OpenItem): item is LeftItem => 'entry' in item;

/** Where to find what is open. */
export type OpenRecords = Pick<
  Records,
  'incidents' | 'freezes' | 'holds' | 'open' | 'following' | 'unfollowed' | 'unknown' | 'unreviewed' | 'effects' | 'run'
>;

/** All open incidents and freezes, and what is open on servers that this person may see: by group, oldest first. `now` in ms. */
export const gather = (records: OpenRecords, may: (server: Server) => boolean, now: number): OpenItem[] =>
  sorted([
    ...records.incidents().flatMap(incident),
    ...records.freezes(now).map((freeze) => stopItem('freezes', freeze)),
    ...onServers(records, may, now),
  ]);

/** What is open on one server, and the freezes that concern it: by group, oldest first. `now` in ms. */
export const gatherOnServer = (records: Omit<OpenRecords, 'incidents'>, server: Server, now: number): OpenItem[] =>
  sorted([
    ...freezesOf(records, server, now).map((freeze) => stopItem('freezes', freeze)),
    ...onServers(records, ({ id }) => id === server.id, now, server.id),
  ]);

const sorted = (items: readonly OpenItem[]): OpenItem[] =>
  inOrder.flatMap((group) => items.filter((item) => item.group === group).sort((a, b) => a.since - b.since));

/** `only`: the one server's id, whose effects alone are then looked at: a thousand others may have some. */
function onServers(
  records: Omit<OpenRecords, 'incidents' | 'freezes'>,
  may: (server: Server) => boolean,
  now: number,
  only?: number,
): OpenItem[] {
  const all = [
    ...records.holds(now).map((hold) => stopItem('holds', hold, [hold.server])),
    ...records.following().flatMap(job),
    ...records.unfollowed().flatMap(unfollowed),
    ...records
      .unknown()
      .flatMap((state) =>
        state.outcome === undefined ? [] : [left('unknown', state.outcome, state, typed(state.outcome))],
      ),
    ...invocations(records.unreviewed()).flatMap(review),
    ...records.effects(only).flatMap((effect) => ofEffect(effect, records.run, now)),
    ...invocations(records.open().filter((state) => isOpenQuestion(state) && expiryOf(state) > now)).flatMap(question),
  ];
  return all.flatMap((item) => {
    const servers = item.servers.filter(may);
    return servers.length === 0 ? [] : [{ ...item, servers }];
  });
}

/** The title as text: the thread may be renamed, deleted, or closed to the reader. */
function incident({ id, title, opened, ended }: Incident): OpenItem[] {
  const since = Date.parse(opened.time);
  const thread = threadLink('thread', { guild: opened.place.guild, id });
  const line = md`${title}: ${moment(since)} by <@${trusted(opened.actor.id)}> · ${thread}`;
  return ended === undefined ? [{ group: 'incidents', servers: [], since, line }] : [];
}

const stopItem = (group: 'freezes' | 'holds', stop: Stop, servers: readonly Server[] = []): OpenItem => ({
  ...{ group, servers, since: Date.parse(stop.time) },
  line: md`${stopLine(stop)}${cardOf(stop.place)}`,
});

const cardOf = ({ guild, channel, message }: RunEntry['place']): Markup =>
  message === undefined ? trusted('') : md` · ${linkTo('card', { guild, channel, message })}`;

/** "5 minutes ago by @bob · card", or "… by @bob, with break-glass · card" */
export const byline = (at: number, { actor }: RunEntry, place: RunEntry['place'], alone: boolean): Markup =>
  md`${moment(at)} by <@${trusted(actor.id)}>${trusted(alone ? ', with break-glass' : '')}${cardOf(place)}`;

/** `state`: where its card is now. */
function left(
  group: Group,
  entry: RunEntry,
  state: Partial<Pick<RunState, 'followUp' | 'asked'>>,
  detail: Markup | undefined,
  { since = Date.parse(entry.time), servers = serversOf(entry) } = {},
): LeftItem {
  const card = state.followUp?.card;
  const place = card === undefined ? entry.place : { ...entry.place, message: card };
  return { group, servers, since, entry, detail, line: byline(since, entry, place, isGlass(state)) };
}

const serversOf = ({ server }: RunEntry): Server[] => (server === undefined ? [] : [server]);

const typed = ({ command }: RunEntry): Markup => trusted(typedName(command));

function job(state: RunState): LeftItem[] {
  const { followUp } = state;
  if (followUp === undefined || followUp.ended !== undefined) return [];
  const { started } = followUp;
  const since = begunAt(state, started);
  if (started.follow === 'restore') {
    const which = started.job === undefined ? 'job unknown, so its progress cannot be seen' : `job ${started.job}`;
    return [left('restores', started, state, trusted(which), { since })];
  }
  // The panel soon reports how a power action ended, unless a person had to say that it runs.
  if (state.resolved === undefined) return [];
  const item = started.job === undefined ? trusted('') : md`, queue item ${started.job}`;
  return [left('powering', started, state, md`${typed(started)}${item}`, { since })];
}

/** Why nobody follows it any more. */
function unfollowed(state: RunState): LeftItem[] {
  const { started, ended } = state.followUp ?? {};
  if (started === undefined || ended === undefined) return [];
  const at = moment(Date.parse(ended.time));
  const which = ended.job === undefined ? '' : `, ${ended.follow === 'power' ? 'queue item' : 'job'} ${ended.job}`;
  const why =
    ended.end === 'stopped'
      ? md`which <@${trusted(ended.actor.id)}> stopped following ${at}`
      : md`not seen to finish by ${at}`;
  const detail = md`${typed(started)}${trusted(which)}, ${why}`;
  return [left('unfollowed', started, state, detail, { since: begunAt(state, started) })];
}

/** The runs of each command, however many servers it covers. */
function invocations(states: readonly RunState[]): RunState[][] {
  const all = new Map<string, RunState[]>();
  for (const state of states) {
    const id = invocationOf(state.run);
    all.set(id, [...(all.get(id) ?? []), state]);
  }
  return [...all.values()];
}

function review(states: readonly RunState[]): LeftItem[] {
  const [state] = states;
  const { intent, asked } = state ?? {};
  if (state === undefined || intent === undefined || asked?.glass === undefined) return [];
  const servers = states.flatMap((each) => each.intent?.server ?? []);
  const item = left('reviews', intent, state, md`${typed(intent)}, because ${asked.glass}`, { servers });
  return [{ ...item, isSettled: states.every(isSettled) }];
}

/** "waits for @alice to confirm, runs out in 2 minutes" */
function question(states: readonly RunState[]): LeftItem[] {
  const asked = states.flatMap((state) => state.asked ?? state.requested ?? []);
  const [[state], [entry]] = [states, asked];
  if (state === undefined || entry === undefined) return [];
  const who = isOpenRequest(state)
    ? trusted('somebody who may run it')
    : awaitsApproval(state)
      ? trusted('an approval')
      : md`<@${trusted(entry.actor.id)}> to confirm`;
  // At a terminal, a card cannot be clicked: people type the run.
  const run = trusted(invocationOf(state.run));
  const detail = md`${typed(entry)}, run ${run}, waits for ${who}, runs out ${moment(expiryOf(state))}`;
  return [left('questions', entry, state, detail, { servers: asked.flatMap(serversOf) })];
}

/** For how long a flush is listed, in ms: rules that somebody sets in the panel would not end it. */
const listedFor = 24 * 3_600_000;

/** What is left on servers by runs typed there: "Left there: firewall left without rules, web-1 (101), by @bob · card". */
export const leftBy = ({ effects, run }: Pick<Records, 'effects' | 'run'>, channel: string, after: number): Markup[] =>
  effects()
    .filter(({ since }) => since.place.channel === channel && since.seq > after)
    .map(({ effect, server, since }) => {
      return md`${trusted(capitalized(groups[effect.kind][0]))}: ${serverName(server)}, ${byline(Date.parse(since.time), since, since.place, isGlass(run(since.run) ?? {}))}`;
    });

type Run = Records['run'];
function ofEffect({ effect, server, since, remind }: OpenEffect, run: Run, now: number): LeftItem[] {
  // Whitelisting a network may be permanent, unless somebody set a reminder.
  if (effect.kind === 'whitelist' && remind === undefined) return [];
  if (effect.kind === 'no-rules' && now - Date.parse(since.time) > listedFor) return [];
  return [{ ...left(effect.kind, since, run(since.run) ?? {}, wordsOf(effect, since), { servers: [server] }), effect }];
}

function wordsOf(effect: Effect, entry: RunEntry): Markup | undefined {
  switch (effect.kind) {
    case 'firewall-off':
    case 'no-rules':
      return trusted(`${effect.interface} interface`);
    case 'throttle': {
      const { percent } = entry.options;
      return typeof percent === 'number' ? trusted(`limited to ${percent} %`) : undefined;
    }
    case 'whitelist':
      return quote(`${effect.interface} ${effect.network}`);
    default:
      return typed(entry);
  }
}

/** "2 firewalls disabled and 1 open question"; undefined when nothing is open. */
export function counts(items: readonly OpenItem[]): Markup | undefined {
  const texts = inOrder.flatMap((group) => {
    const n = items.filter((item) => item.group === group).length;
    const [one, several] = groups[group];
    return n === 0 ? [] : [trusted(count(n, one, several))];
  });
  return texts.length === 0 ? undefined : list(texts);
}

const capital = (words: string): Markup => trusted(`**${capitalized(words)}**`);

/** "**Firewalls disabled**" */
export const heading = (group: Group): Markup => capital(groups[group][1]);

/** How many servers of one question to name. */
const mostNamed = 3;

/** What is open, since when, by whom, and where its card is. */
export function openItemLine({ servers, detail, line }: OpenItem): Markup {
  if (servers.length === 0) return line;
  const more = servers.length - mostNamed;
  const names = servers.slice(0, mostNamed).map(serverName);
  const about = detail === undefined ? trusted('') : md`, ${detail}`;
  return md`${list(more > 0 ? [...names, trusted(`${more} more`)] : names)}${about}: ${line}`;
}

/** Like `openItemLine`, on a card about that server: "**Firewall disabled** primary interface: 5 minutes ago by @bob · card" */
export function openHereLine(item: OpenItem): Markup {
  if (!isLeft(item)) return item.line;
  const about = item.detail === undefined ? trusted('') : md` ${item.detail}`;
  return md`${capital(groups[item.group][0])}${about}: ${item.line}`;
}
