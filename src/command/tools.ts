import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Place, Server } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import type { Finding, Note } from '../runs/entry.ts';
import type { FindingState } from '../runs/findings.ts';

/** A job that the panel accepted and that is watched. */
export interface Followed {
  /** `restore-101-9001`, `queue-77` */
  id: string;
  /** The command that started it. */
  command: string;
  server: Server;
  startedBy: Actor;
  /** Who is pinged at its end. */
  notify: Actor;
  /** Where its card is now. */
  card: { guild: string; channel: string; message: string };
  /** Since when, in ms. */
  since: number;
  /** What the last look that told something saw, and when, in ms. `word` is the panel's own. */
  seen?: { word: string; progress?: number; at: number };
  /** Since when looking fails, in ms. */
  blindSince?: number;
  /** Not seen since then, in ms: whether it was before is not kept. */
  watchedSince?: number;
  /** The panel offers no way to look at it. */
  unreadable?: true;
}

/**
 * What is watched, and what people may decide about that. What resolves is in the ledger. Rejects with LedgerUnavailable or
 * RedisUnavailable.
 */
export interface FollowUpTools {
  /** Of the server with this id, or of all; oldest first. */
  list(server?: number): Promise<readonly Followed[]>;
  /** Ends the watching. False: that has ended already. */
  stop(id: string, actor: Actor): Promise<boolean>;
  /** What nobody follows any more of the server with this id, and may still run; oldest first. */
  unfollowed(server: number): Promise<readonly Followed[]>;
  /** How such a thing ended, by a person's word. False: somebody has said so already. */
  end(id: string, how: 'finished' | 'failed', actor: Actor): Promise<boolean>;
  /** `to` is pinged at the end in place of whoever would be. False: that has ended already. */
  handOver(id: string, to: Actor, actor: Actor): Promise<boolean>;
}

/** Something in the audit channel that is not as it was posted. `from` and `to` are entries' `seq`. */
export interface Strange {
  finding: Finding;
  channel: string;
  message: string;
  from?: number;
  to?: number;
}

/** Messages of the audit channel that stand for what the ledger does not have, or has otherwise, all that there are now. */
export interface Contradiction {
  /** Those whose entries follow each other as one, the oldest first. */
  spans: readonly { first: Strange; last: Strange; messages: number }[];
  messages: number;
  /** Whether the ledger tells of all of it, and whether that was acknowledged. */
  state: 'new' | 'open' | 'acknowledged';
}

/** What a check of the ledger and of the trail came to. */
export interface Checked {
  /** The last entry that stands: its `seq`, and its hash in hex. */
  head: { seq: number; hash: string };
  /** The first entry that is not as it was written. */
  problem?: { seq: number; words: string };
  /** Every finding that the ledger ever recorded, with who acknowledged it. */
  findings: readonly FindingState[];
  /**
   * How many messages of the audit channel were compared, what of them contradicts the ledger, and what else is strange that the
   * ledger does not tell of yet; left out when there is no audit channel. `part`: there are more messages than are read.
   * `waiting`: how many entries are not in the channel yet.
   */
  channel?: {
    messages: number;
    contradiction?: Contradiction;
    strange: readonly Strange[];
    part?: true;
    waiting: number;
  };
}

/** Why nothing may change, and the same in a sentence that names the channel and what the bot lacks there. */
export interface TrailTrouble {
  reason: 'ledger-damaged' | 'trail-behind' | 'trail-closed' | 'trail-contradicted';
  words: string;
}

export interface TrailTools {
  /**
   * Why nothing may change, each thing that there is: the last check found the ledger broken where it is kept; the channel does not
   * keep up with the ledger, contradicts it, or cannot be written.
   */
  troubles(): readonly TrailTrouble[];
  /**
   * Reads the whole ledger from where it is kept, and the trail from its channel. Rejects when either cannot be read. Until a
   * later check finds the ledger whole, nothing may change once one finds it broken.
   */
  verify(): Promise<Checked>;
  /**
   * Records that these findings, by the `seq` of their entries, were looked into. False: somebody else was earlier with one of
   * them, and nothing was recorded. Rejects with LedgerUnavailable.
   */
  acknowledge(findings: readonly number[], why: string, actor: Actor, place: Place): Promise<boolean>;
}

/**
 * Why Discord did not do it. `lacks`: rights that the bot does not have there, as Discord calls them. `gone`: the channel, thread
 * or message is no more. `refused`: for a reason that Discord tells. `down`: it could not be reached, or met an error of its own.
 */
export type Hindrance =
  | { kind: 'lacks'; rights: readonly string[] }
  | { kind: 'gone' }
  | { kind: 'refused'; said: string }
  | { kind: 'down' };

/** An incident is known by the id of its thread, which is that of the card from which the thread starts. */
export interface IncidentTools {
  /**
   * Opens a thread at the card and binds it. 'unrecorded': the ledger did not take it, so that the thread, which is there, is that
   * of no incident.
   */
  start(title: string, actor: Actor, place: Place & { card: string }): Promise<'opened' | 'unrecorded' | Hindrance>;
  /** Posts into a thread that is bound what it is for, unless that is there. Never rejects. */
  greet(incident: string): Promise<void>;
  /** Keeps a message in the timeline. 'there': it is in it already. 'own': it is the bot's. 'over': the incident has ended. */
  note(incident: string, note: Note, actor: Actor, place: Place): Promise<'noted' | 'there' | 'own' | 'over'>;
  /**
   * Posts the timeline as a file into the thread, then the incident has ended. 'unposted': it has, and its thread is gone.
   * 'over': it had already. `message`: the card of the command.
   */
  end(
    incident: string,
    actor: Actor,
    place: Place & { message?: string },
  ): Promise<'ended' | 'unposted' | 'over' | Hindrance>;
}

/** What commands of the bot's own work with. Whatever asks them may reject with LedgerUnavailable or RedisUnavailable. */
export interface Tools {
  followUps: FollowUpTools;
  records: Records & Pick<Ledger, 'refresh'>;
  trail: TrailTools;
  incidents: IncidentTools;
  /** Where the command was typed. */
  place: Place;
  /** The message that is the command's card. */
  card?: string;
  /** On which it was picked from a message's menu. */
  message?: Note;
  /** In ms. */
  now: number;
}
