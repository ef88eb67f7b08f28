import type { Card } from '../card.ts';
import { botActor } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import type { EntryServer, Kind, NewEntry, RunEntry } from '../runs/entry.ts';
import { type FindingState, toldUpTo } from '../runs/findings.ts';
import { deadlineOf, type FollowUp, followUpEntry, followUpOf, startedAt } from '../runs/follow-up.ts';
import { isStillOpen } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { isRecent, type News, newsOfJob, newsOfOutcome } from '../runs/news.ts';
import { awaitsReview, expiryOf, isCalled, isOver, type RunState, wantsOthers } from '../runs/state.ts';
import type { Target, Where } from './messages.ts';

/** A message that must be posted in a channel once. */
export interface Announcement {
  /** Undefined: it concerns no command's card. */
  invocationId?: string;
  /** A unique key, the same in every process. */
  key: string;
  to: Target;
  /** The message; undefined: post nothing, and record that. */
  card(): Card | undefined;
  /** Ids of users, and of roles with the prefix `&`. */
  pings: readonly string[];
  /** The earliest time at which it may have been posted, in ms. */
  since: number;
  /** The entries that record it as done. `posted`: the message, if any. */
  entries(posted: Where | undefined): NewEntry[];
}

/** The cards of announcements. Pure. */
export interface Wording {
  /** The end of all follow-ups of an invocation. */
  end(invocationId: string): Card | undefined;
  /** A reminder that nobody has said how an unreadable job ended. `n` counts these reminders from 1. */
  unread(run: string, n: number): Card | undefined;
  /** The call to those who may approve. */
  call(invocationId: string): Card | undefined;
  /** The outcome of an invocation, to whom it is news. */
  outcome(invocationId: string): Card | undefined;
  /** A reminder that somebody asked for. */
  reminder(invocationId: string): Card | undefined;
  /** Findings that nobody has acknowledged. */
  alert(open: readonly FindingState[], guild: string): Card;
}

/** Who is pinged about news of what `requester` ordered: ids of users, and of roles with the prefix `&`. */
type Recipients = (news: readonly News[], requester: string) => readonly string[];

/** The channel for alerts about findings, and the ids of the roles that may acknowledge them. */
export interface Alarm {
  guild: string;
  channel: string;
  roles: readonly string[];
  /** Seals the entry that records an alert. */
  seal(entry: Pick<Kind<'alerted'>, 'kind' | 'actor' | 'upTo'>): string;
}

export interface AnnouncementParts {
  records: Pick<
    Records,
    | 'runs'
    | 'open'
    | 'following'
    | 'reminders'
    | 'unpinged'
    | 'unreviewed'
    | 'run'
    | 'outcomes'
    | 'closed'
    | 'effects'
    | 'findings'
    | 'alerted'
  >;
  /** Undefined: there is no channel for alerts. */
  alarm(): Alarm | undefined;
  wording: Wording;
  recipients: Recipients;
  /** The ids of the roles that may approve on all of these servers; with a command's id, that may run it there. */
  approvers(servers: readonly EntryServer[], command?: string): readonly string[];
  /** Whether the panel can read restore jobs, as far as the policy says. */
  readable(): boolean;
  /** When to remind people of an unreadable job, in ms after its start. */
  reminders: readonly number[];
  now(): number;
}

/** All announcements that are due according to the ledger. */
export function announcements(parts: AnnouncementParts): Announcement[] {
  const { records } = parts;
  const readable = parts.readable();
  // There may be thousands at each entry. For a readable job nothing is due before it ends.
  const followed = records
    .following()
    .filter(({ followUp }) => !readable || followUp?.started.job === undefined || followUp.ended !== undefined);
  const ids = [
    ...followed,
    ...records.reminders(),
    ...records.open().filter(wantsOthers),
    ...records.unreviewed().filter((state) => !isCalled(state)),
    ...records.unpinged().filter((state) => isRecent(state, parts.now())),
  ].map(({ run }) => invocationOf(run));
  return [...alertOf(parts), ...[...new Set(ids)].flatMap((id) => announcementsOf(parts, id))];
}

/** One announcement for all findings that nobody was pinged about. */
export function alertOf({ records, wording, ...parts }: AnnouncementParts): Announcement[] {
  const alarm = parts.alarm();
  const before = toldUpTo(records.alerted());
  const open = records.findings().filter(({ acknowledged }) => acknowledged === undefined);
  const newest = open.findLast(({ found }) => found.seq > before)?.found;
  if (newest === undefined || alarm === undefined) return [];
  const { guild, channel, roles, seal } = alarm;
  const told = { kind: 'alerted', actor: botActor, upTo: newest.seq } as const;
  return [
    {
      key: `findings up to ${newest.seq}`,
      to: { channel },
      card: () => wording.alert(open, guild),
      pings: roles.map((id) => `&${id}`),
      since: Date.parse(newest.time),
      entries: (posted) => [{ ...told, place: posted && { guild, ...posted }, seal: seal(told) }],
    },
  ];
}

/** The announcements that are due for one invocation. */
export function announcementsOf(parts: AnnouncementParts, id: string): Announcement[] {
  const states = parts.records.runs(id);
  const followed = states.flatMap((state) => followUpOf(state) ?? []);
  return [
    ...followed.flatMap((each) => ended(parts, each, states) ?? []),
    ...followed.flatMap((each) => unread(parts, each) ?? []),
    ...[outcome(parts, id, states), reminder(parts, id, states), call(parts, id, states)].flatMap((each) => each ?? []),
  ];
}

const aboutCard = ({ run, followUp: { started, card } }: FollowUp) => ({
  invocationId: invocationOf(run),
  to: { channel: started.place.channel, message: card },
});

/** The fields to record, with the message that announced it, in whatever channel. */
const saidIn = ({ followUp }: FollowUp, posted: Where | undefined) => {
  const entry = followUpEntry(followUp, botActor, posted?.message);
  return posted === undefined ? entry : { ...entry, place: { ...entry.place, channel: posted.channel } };
};

const unique = <T>(all: readonly T[]): T[] => [...new Set(all)];

/**
 * For several servers on one card, the last to end triggers the announcement. What is no news pings nobody, and nor does
 * a stopped follow-up.
 */
function ended(
  { wording, recipients, now }: AnnouncementParts,
  each: FollowUp,
  states: readonly RunState[],
): Announcement | undefined {
  const { started, ended: end, announced } = each.followUp;
  if (end === undefined || announced !== undefined) return undefined;
  // Other servers of the command have not ended yet.
  if (!isOver(states, started.options) && now() < deadlineOf(started)) return undefined;
  const all = states.flatMap(({ followUp }) => followUp ?? []);
  const isLast = all.every((other) => (other.ended?.seq ?? Number.POSITIVE_INFINITY) <= end.seq);
  const pings = unique(
    states.flatMap((state) => recipients(newsOfJob(state), state.followUp?.notify.id ?? started.actor.id)),
  );
  const about = aboutCard(each);
  return {
    ...about,
    key: `${each.run} announced`,
    card: () => (isLast && pings.length > 0 ? wording.end(about.invocationId) : undefined),
    pings,
    since: Date.parse(end.time),
    entries: (posted) => [{ ...saidIn(each, posted), step: 'announced' }],
  };
}

/**
 * For an unreadable job: reminders at growing intervals, until somebody says how it ended. Missed reminders become one.
 */
function unread({ wording, readable, reminders, now }: AnnouncementParts, each: FollowUp): Announcement | undefined {
  const { started, ended: end, reminded } = each.followUp;
  const isRead = started.job !== undefined && (readable() || started.follow !== 'restore');
  if (isRead || end !== undefined || now() >= deadlineOf(started)) return undefined;
  const begun = startedAt(started);
  const n = reminders.filter((ms) => begun + ms <= now()).length;
  if (n <= reminded) return undefined;
  return {
    ...aboutCard(each),
    key: `${each.run} reminded ${n}`,
    card: () => wording.unread(each.run, n),
    pings: [],
    since: begun + (reminders[n - 1] ?? 0),
    entries: (posted) => [{ ...saidIn(each, posted), step: 'reminded', n }],
  };
}

/** Once the command has ended on all its servers, whatever is news of what is not followed. */
function outcome(
  { wording, recipients, now }: AnnouncementParts,
  id: string,
  states: readonly RunState[],
): Announcement | undefined {
  const news = states.filter((state) => newsOfOutcome(state).length > 0 && isRecent(state, now()));
  const outcomes = news.flatMap((state) => state.outcome ?? []);
  const [first] = outcomes;
  const { asked, intent } = news[0] ?? {};
  const order = asked ?? intent;
  if (first === undefined || order === undefined || !isOver(states, order.options)) return undefined;
  const pings = unique(news.flatMap((state) => recipients(newsOfOutcome(state), order.actor.id)));
  if (pings.length === 0) return undefined;
  const { channel, message } = first.place;
  return {
    invocationId: id,
    key: `${id} pinged`,
    to: { channel, message },
    card: () => wording.outcome(id),
    pings,
    since: Math.max(...outcomes.map(({ time }) => Date.parse(time))),
    entries: (posted) => outcomes.map((each) => stepEntry('pinged', each, posted)),
  };
}

/** What waits for others, or went on without them: once, to the roles that may approve it, or that may run what somebody asks for. */
function call(
  { wording, approvers, now }: AnnouncementParts,
  id: string,
  states: readonly RunState[],
): Announcement | undefined {
  const waits = (state: RunState): boolean => wantsOthers(state) && expiryOf(state) > now();
  const isDue = states.every((state) => !isCalled(state)) && (states.every(waits) || states.some(awaitsReview));
  const asked = isDue ? states.flatMap((state) => state.asked ?? state.requested ?? []) : [];
  const [first] = asked;
  if (first === undefined) return undefined;
  const servers = asked.flatMap(({ server }) => server ?? []);
  const pings = (first.kind === 'asked' ? approvers(servers) : approvers(servers, first.command)).map(
    (role) => `&${role}`,
  );
  if (pings.length === 0) return undefined;
  const { channel, message } = first.place;
  return {
    invocationId: id,
    key: `${id} called ${first.kind}`,
    to: { channel, message },
    card: () => wording.call(id),
    pings,
    since: Math.max(...states.map((state) => Date.parse((state.confirmed ?? state.requested)?.time ?? ''))),
    entries: (posted) => asked.map((each) => stepEntry('called', each, posted)),
  };
}

const dueAt = ({ remind }: RunState): number => Date.parse(remind ?? '');

/** Several servers share a reminder, which is due with the last of them. Nothing is posted about closed effects. */
function reminder(
  { records, wording, now }: AnnouncementParts,
  id: string,
  states: readonly RunState[],
): Announcement | undefined {
  const waiting = states.filter(({ remind, reminded }) => remind !== undefined && reminded === undefined);
  const times = waiting.map(dueAt);
  const first = waiting[0]?.outcome;
  if (first === undefined || Math.max(...times) > now()) return undefined;
  const { channel, message: answer } = first.place;
  const message = waiting.flatMap(({ followUp }) => followUp?.card ?? [])[0] ?? answer;
  const isOpen = (): boolean => waiting.some((state) => isStillOpen(records, state));
  return {
    invocationId: id,
    key: `${id} reminded`,
    to: { channel, message },
    card: () => (message !== undefined && isOpen() ? wording.reminder(id) : undefined),
    pings: [first.actor.id],
    since: Math.min(...times),
    entries: (posted) =>
      waiting.flatMap(({ outcome }) => (outcome === undefined ? [] : stepEntry('reminded', outcome, posted))),
  };
}

const stepEntry = (
  kind: 'reminded' | 'pinged' | 'called',
  { run, command, server, place }: RunEntry,
  posted: Where | undefined,
): NewEntry => ({
  ...{ run, kind, actor: botActor, command, options: {} },
  server,
  place: { guild: place.guild, channel: place.channel, ...posted },
});
