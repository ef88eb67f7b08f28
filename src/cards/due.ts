import type { Card } from '../card.ts';
import type { ScheduleNow } from '../on-call/shift.ts';
import type { AlertCard } from '../runs/alerts.ts';
import type { Records } from '../runs/book.ts';
import type { EntryServer, Kind, NewEntry } from '../runs/entry.ts';
import type { FindingState } from '../runs/findings.ts';
import type { News } from '../runs/news.ts';
import type { Target, Where } from './messages.ts';
import type { Beside } from './render/index.ts';

/** A message as it was posted, and whom it pinged. `asOf`: the newest entry when it was drawn; of one found again, nobody knows. */
export type Posted = Where & { pings: readonly string[]; asOf?: number };

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
  entries(posted: Posted | undefined): NewEntry[];
}

/** The cards of announcements. Pure. */
export interface Wording {
  /** A message beside the card of an invocation. */
  beside(of: Beside, invocationId: string): Card | undefined;
  /** A reminder that nobody has said how an unreadable job ended. `n` counts these reminders from 1. */
  unread(run: string, n: number): Card | undefined;
  /** The handover at the change of a shift. */
  shift(of: ScheduleNow): Card;
  alert(open: readonly FindingState[], guild: string): Card;
  /** What other systems say, by the id of its card: the card; and that something of it fires that nobody acknowledged. */
  fired(card: string): Card | undefined;
  fires(card: string): Card | undefined;
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

/** Where alerts of other systems are shown, and whom they ping. */
export interface Alerting {
  guild: string;
  channel: string;
  /** In ms; no `remind`: nobody is reminded. */
  staleAfter: number;
  remind: number | undefined;
  /** Who is pinged about alerts on these servers. In the form of a ping. */
  pings(servers: readonly EntryServer[]): readonly string[];
  /** When something was heard last of what fires on a card, in ms: news, or the same again. */
  heard(card: AlertCard): number;
}

export interface AnnouncementParts {
  records: Records;
  /** Undefined: the policy shows no alerts of other systems. */
  alerting(): Alerting | undefined;
  /** Undefined: there is no channel for alerts. */
  alarm(): Alarm | undefined;
  wording: Wording;
  recipients: Recipients;
  /** Whom to ping of those who may approve on all of these servers; or for whoever asks for it, of those who may run a command there. */
  approvers(servers: readonly EntryServer[], asks?: { command: string; requester: string }): readonly string[];
  /** Whom to ping of those who may end a freeze, for whoever asks for that. */
  thawers(requester: string): readonly string[];
  /** The schedules whose change of shift is told, and whom that pings beside those who had it. */
  shifts(): readonly (ScheduleNow & { pings: readonly string[] })[];
  /** Whether the panel can read restore jobs, as far as the policy says. */
  readable(): boolean;
  /** When to remind people of an unreadable job, in ms after its start. */
  reminders: readonly number[];
  now(): number;
}

/** Where it was posted, as entries of no run have it. */
export const placeOf = (guild: string, posted: Posted | undefined) =>
  posted && { guild, channel: posted.channel, message: posted.message };
