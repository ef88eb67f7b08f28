import type { Card } from '../card.ts';
import { defined } from '../defined.ts';
import { botActor } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import type { Kind, NewEntry, RunEntry } from '../runs/entry.ts';
import { type FindingState, toldUpTo } from '../runs/findings.ts';
import { deadlineOf, type FollowUp, followUpEntry, followUpOf, startedAt } from '../runs/follow-up.ts';
import { isStillOpen } from '../runs/history.ts';
import { invocationOf } from '../runs/ids.ts';
import { isOver, type RunState } from '../runs/state.ts';
import type { Target, Where } from './messages.ts';

/** What is due to be said in a channel, once. */
export interface Announcement {
  /** Left out: it is about no command's card. */
  invocationId?: string;
  /** What tells it from others, whoever derives it. */
  key: string;
  to: Target;
  /** What is posted; undefined: nothing, and that is recorded. */
  card(): Card | undefined;
  /** Users' ids, and of roles `&` and the id. */
  pings: readonly string[];
  /** Since when it may have been posted, in ms. */
  since: number;
  /** What says that it is done, and by which message; undefined: by none. */
  entries(posted: Where | undefined): NewEntry[];
}

/** The cards of announcements. Pure. */
export interface Wording {
  /** The end of all that an invocation has followed. */
  end(invocationId: string): Card | undefined;
  /** Nobody has said how a job ended that cannot be read; `n` counts these reminders from 1. */
  unread(run: string, n: number): Card | undefined;
  /** What somebody wanted to be reminded of. */
  reminder(invocationId: string): Card | undefined;
  /** Findings that nobody has looked into. */
  alert(open: readonly FindingState[], guild: string): Card;
}

/** Where findings in the trail are reported, and the roles that may acknowledge them, by id. */
export interface Alarm {
  guild: string;
  channel: string;
  roles: readonly string[];
  /** Vouches for it that people were told. */
  seal(entry: Pick<Kind<'alerted'>, 'kind' | 'actor' | 'upTo'>): string;
}

export interface AnnouncementParts {
  records: Pick<
    Records,
    'runs' | 'following' | 'reminders' | 'run' | 'outcomes' | 'closed' | 'effects' | 'findings' | 'alerted'
  >;
  /** Left out: there is no channel for it. */
  alarm?: Alarm | undefined;
  wording: Wording;
  /** Whether the panel offers a read of restores. */
  readable: boolean;
  /** When people are reminded of a job that cannot be read, in ms after its start. */
  reminders: readonly number[];
  now(): number;
}

/** All that is due by the ledger. */
export function announcements(parts: AnnouncementParts): Announcement[] {
  const { records, readable } = parts;
  // There may be thousands, at each entry: of what can be read nothing is due before it ends.
  const followed = records
    .following()
    .filter(({ followUp }) => !readable || followUp?.started.job === undefined || followUp.ended !== undefined);
  const ids = [...followed, ...records.reminders()].map(({ run }) => invocationOf(run));
  return [...alertOf(parts), ...[...new Set(ids)].flatMap((id) => announcementsOf(parts, id))];
}

/** All findings that nobody was pinged about, in one. */
export function alertOf({ records, alarm, wording }: AnnouncementParts): Announcement[] {
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
      entries: (posted) => [{ ...told, ...defined({ place: posted && { guild, ...posted } }), seal: seal(told) }],
    },
  ];
}

/** What is due of one invocation. */
export function announcementsOf(parts: AnnouncementParts, id: string): Announcement[] {
  const states = parts.records.runs(id);
  const followed = states.flatMap((state) => followUpOf(state) ?? []);
  return [
    ...followed.flatMap((each) => ended(parts, each, states) ?? []),
    ...followed.flatMap((each) => unread(parts, each) ?? []),
    ...[reminder(parts, id, states)].flatMap((each) => each ?? []),
  ];
}

const aboutCard = ({ run, followUp: { started, card } }: FollowUp) => ({
  invocationId: invocationOf(run),
  to: { channel: started.place.channel, message: card },
});

/** What of it is recorded, with the message that said it, wherever that stands. */
const saidIn = ({ followUp }: FollowUp, posted: Where | undefined) => {
  const entry = followUpEntry(followUp, botActor, posted?.message);
  return posted === undefined ? entry : { ...entry, place: { ...entry.place, channel: posted.channel } };
};

/** Of several servers on one card, the last to end speaks for all. Nobody is pinged about what nobody follows. */
function ended(
  { wording, now }: AnnouncementParts,
  each: FollowUp,
  states: readonly RunState[],
): Announcement | undefined {
  const { started, ended: end, announced } = each.followUp;
  if (end === undefined || announced !== undefined) return undefined;
  // Other servers of the command are still to come.
  if (!isOver(states, started.options) && now() < deadlineOf(started)) return undefined;
  const all = states.flatMap(({ followUp }) => followUp ?? []);
  const isLast = all.every((other) => (other.ended?.seq ?? Number.POSITIVE_INFINITY) <= end.seq);
  const pings = [...new Set(all.flatMap((other) => (other.ended?.end === 'stopped' ? [] : other.notify.id)))];
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

/** Where it cannot be read: at growing intervals, until somebody says how it ended. What was slept through is one reminder. */
function unread({ wording, readable, reminders, now }: AnnouncementParts, each: FollowUp): Announcement | undefined {
  const { started, ended: end, reminded } = each.followUp;
  const isRead = (readable && started.job !== undefined) || started.follow !== 'restore';
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

const dueAt = ({ remind }: RunState): number => Date.parse(remind ?? '');

/** Several servers share a reminder: it is due with the last of them. Nothing is posted about what is not open any more. */
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
    to: { channel, ...defined({ message }) },
    card: () => (message !== undefined && isOpen() ? wording.reminder(id) : undefined),
    pings: [first.actor.id],
    since: Math.min(...times),
    entries: (posted) =>
      waiting.flatMap(({ outcome }) => (outcome === undefined ? [] : remindedEntry(outcome, posted))),
  };
}

const remindedEntry = ({ run, command, server, place }: RunEntry, posted: Where | undefined): NewEntry => ({
  ...{ run, kind: 'reminded', actor: botActor, command, options: {} },
  ...defined({ server }),
  place: { guild: place.guild, channel: place.channel, ...posted },
});
