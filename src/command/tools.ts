import type { ScheduleNow } from '../on-call/shift.ts';
import type { Actor, Place, Server } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import type { Entry, Finding, IncidentRead, Kind, NewEntry, Note } from '../runs/entry.ts';
import type { FindingState } from '../runs/findings.ts';

export interface Followed {
  /** `restore-101-9001`, `queue-77` */
  id: string;
  command: string;
  server: Server;
  startedBy: Actor;
  notify: Actor;
  card: { guild: string; channel: string; message: string };
  /** When it started, in ms. */
  since: number;
  isGlass?: boolean;
  /** What the last successful look saw, and when, in ms. `word` is the panel's own. */
  seen?: { word: string; progress?: number; at: number };
  /** When looks began to fail, in ms. */
  blindSince?: number;
  /** When watching resumed, in ms, if nothing is known from before. */
  watchedSince?: number;
  /** The panel cannot read such jobs. */
  unreadable?: true;
}

/** Follow-ups, and what people may decide about them. Whatever resolves is in the ledger. */
export interface FollowUpTools {
  /** Follow-ups of one server, or of all; oldest first. */
  list(server?: number): Promise<readonly Followed[]>;
  /** Stops a follow-up. False: it has already ended. */
  stop(id: string, actor: Actor): Promise<boolean>;
  /** Stopped follow-ups of a server whose jobs may still run; oldest first. */
  unfollowed(server: number): Promise<readonly Followed[]>;
  /** Records how such a job ended, as a person says. False: somebody has already said so. */
  end(id: string, how: 'finished' | 'failed', actor: Actor): Promise<boolean>;
  /** Makes `to` the person to ping at the end. False: it has already ended. */
  handOver(id: string, to: Actor, actor: Actor): Promise<boolean>;
}

/** A difference between the audit channel and the ledger. `from` and `to` are `seq` of entries. */
export interface TrailDifference {
  finding: Finding;
  channel: string;
  message: string;
  from?: number;
  to?: number;
}

/** All messages of the audit channel whose entries the ledger lacks or has differently. */
export interface Contradiction {
  /** Runs of messages with consecutive entries, oldest first. */
  spans: readonly { first: TrailDifference; last: TrailDifference; messages: number }[];
  messages: number;
  /** Whether the ledger reports all of them, and whether somebody acknowledged that. */
  state: 'new' | 'open' | 'acknowledged';
}

export interface Checked {
  /** The last valid entry: its `seq`, and its hash in hex. */
  head: { seq: number; hash: string };
  problem?: { seq: number; words: string };
  /** All findings that the ledger ever recorded, with the people who acknowledged them. */
  findings: readonly FindingState[];
  /**
   * The comparison with the audit channel: the number of messages, what contradicts the ledger, and other differences
   * that the ledger does not report yet. Undefined without an audit channel. `part`: there are more messages than the
   * limit. `unread`: messages whose files Discord did not give, so that their lines were not compared. `waiting`: how
   * many entries are not in the channel yet.
   */
  channel?: {
    messages: number;
    contradiction?: Contradiction;
    strange: readonly TrailDifference[];
    part?: true;
    unread?: readonly { message: string; from: number; to: number }[];
    waiting: number;
  };
}

/** Why nothing may change, also as a sentence that names the channel and the missing permissions. */
export interface TrailTrouble {
  reason: 'ledger-damaged' | 'trail-behind' | 'trail-closed' | 'trail-contradicted';
  words: string;
}

/** Why the audit channel does not have all that was recorded. Whether changes wait for it is the policy's. */
export interface TrailLag extends TrailTrouble {
  reason: 'trail-behind' | 'trail-closed';
}

export interface TrailTools {
  channel?: string;
  /** Why nothing may change: the ledger is damaged; the channel lags, contradicts it, or cannot be written. */
  troubles(): readonly TrailTrouble[];
  /** Why the audit channel is behind the ledger, where the policy lets changes go on all the same. */
  lag(): TrailLag | undefined;
  /** Reads the whole ledger and the trail. If the ledger is damaged, nothing may change until it is found whole. */
  verify(): Promise<Checked>;
  /** Acknowledges findings by their `seq`. False: somebody else was faster with one, and nothing was recorded. */
  acknowledge(findings: readonly number[], why: string, actor: Actor, place: Place): Promise<boolean>;
}

/** Why Discord failed. `lacks`: permissions, by Discord's names. `gone`: channel or message. `refused`: why. `down`. */
export type Hindrance =
  | { kind: 'lacks'; rights: readonly string[] }
  | { kind: 'gone' }
  | { kind: 'refused'; said: string }
  | { kind: 'down' };

/** An incident's id is that of its thread, which is also the id of the card that starts the thread. */
export interface IncidentTools {
  /**
   * Opens a thread at the card and binds it. 'unrecorded': the thread exists, but the ledger does not have it. `alert`: the card
   * of alerts with which it begins.
   */
  start(
    title: string,
    actor: Actor,
    place: Place & { card: string },
    alert?: string,
  ): Promise<'opened' | 'unrecorded' | Hindrance>;
  /** Posts the introduction into a bound thread, unless it is already there. Never rejects. */
  greet(incident: string): Promise<void>;
  /** Says that an incident has ended where it was opened, unless it says so already. Never rejects. */
  announceEnd(incident: string): Promise<void>;
  /** Adds a message to the timeline. 'there': it has it already. 'own': it is the bot's. 'over': it has ended. */
  note(incident: string, note: Note, actor: Actor, place: Place): Promise<'noted' | 'there' | 'own' | 'over'>;
  /** Records a read that was shown in the thread. Never rejects: reads do without the ledger. */
  recordRead(incident: string, look: IncidentRead, actor: Actor, place: Place): Promise<void>;
  /**
   * Posts the timeline as a file into the thread, then ends the incident. 'unposted': it ended, but its thread is gone.
   * 'over': it had already ended. `message`: the card of the command.
   */
  end(
    incident: string,
    actor: Actor,
    place: Place & { message?: string },
  ): Promise<'ended' | 'unposted' | 'over' | Hindrance>;
}

/** A freeze or a hold, or the end of one. */
export type NewStop = Extract<NewEntry, { kind: 'frozen' | 'thawed' | 'held' | 'released' }>;

export interface StopTools {
  /** Records it. `refused`: somebody was faster, by that entry; nothing was recorded. */
  record(entry: NewStop): Promise<'recorded' | { refused: Entry | undefined }>;
  /** Changes under way there, which go on. */
  underWay(tier: string | undefined): readonly Kind<'intent'>[];
}

/**
 * What came of reading the panel's list of servers. `changed`: how many are not what they were when somebody last accepted the
 * list; `since`: of when the list is that the bot has, in ms.
 */
export type ListRefreshed =
  | { kind: 'taken'; servers: number; difference: readonly string[]; changed: number; digest: string }
  | { kind: 'odd'; words: string; digest: string; since: number | undefined }
  | { kind: 'failed'; words: string; since: number | undefined }
  | { kind: 'off' };

export interface InventoryTools {
  /** Reads it now. `accept`: the digest of one that counts as it is, and why. */
  refresh(actor: Actor, accepting?: { accept: string; why: string }): Promise<ListRefreshed>;
}

export interface OnCallTools {
  /** Who is on call, by the schedules of the policy. */
  now(): readonly ScheduleNow[];
}

/** The tools of local commands. Calls may reject with LedgerUnavailable or RedisUnavailable. */
export interface Tools {
  followUps: FollowUpTools;
  records: Records;
  trail: TrailTools;
  incidents: IncidentTools;
  stops: StopTools;
  inventory: InventoryTools;
  onCall: OnCallTools;
  /** The card of alerts whose button it was. */
  alert?: string | undefined;
  place: Place;
  card?: string;
  /** The message whose menu was used. */
  message?: Note;
  /** In ms. */
  now: number;
}
