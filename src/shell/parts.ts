import type { LRUCache } from 'lru-cache';
import type { Card, State } from '../card.ts';
import type { TakeBack } from '../cards/asides.ts';
import type { Cards } from '../cards/reconciler.ts';
import type { Opened } from '../cards/record.ts';
import type { Seal } from '../cards/seal.ts';
import type { Paint } from '../chart/index.ts';
import type { CheckInside } from '../check/inside.ts';
import type {
  Backups,
  Call,
  Command,
  FollowUpTools,
  IncidentTools,
  InventoryTools,
  OnCallTools,
  TrailTools,
} from '../command.ts';
import type { Form, Meant, Press, Request, Snapshot } from '../decide/decision.ts';
import type { Rules } from '../decide/rules.ts';
import type { JobStatus } from '../follow-ups/seen.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Observe } from '../metrics/observe.ts';
import type { Actor, Log, Place, RawOptions, Server } from '../outcome.ts';
import type { Caller } from '../panel/budget.ts';
import type { Panel } from '../panel/client.ts';
import type { Note } from '../runs/entry.ts';
import type { Interruption } from './fault.ts';
import type { Limiters, OneByOne } from './limits.ts';
import type { Outbox } from './outbox.ts';

/** Follow-ups: jobs that the panel accepted, watched to their end. */
export type Following = FollowUpTools &
  Snapshot['followUps'] & {
    /** One look at the job of a run. Undefined: there is no such follow-up. */
    look(run: string, caller: Caller): Promise<JobStatus | undefined>;
    troubles(): readonly string[];
  };

/** What commands are given to work with, beside what the shell works with itself. */
export interface ForCommands {
  version?: string;
  /** The command as Discord makes a link of it; undefined while it is not registered. */
  mention?(command: Command): string | undefined;
  incidents: IncidentTools;
  check: CheckInside;
  inventory: InventoryTools;
  onCall: OnCallTools;
  /** When a server's backups were made. */
  backups(server: Server, caller: Caller): Promise<Backups>;
  paint: Paint;
  /** A request as it would stand on the wire: method, path and body. */
  written(...request: Parameters<Call>): string;
  /** Serializes commands that scan the whole ledger. */
  walks: OneByOne;
}

export interface Parts {
  commands: readonly Command[];
  forCommands: ForCommands;
  rules: Rules;
  panel: Panel;
  /** With what it could not take yet. */
  ledger: Omit<Ledger, 'close'> & Outbox;
  cards: Cards;
  seal: Seal;
  trail: TrailTools;
  followUps: Following;
  observe: Observe;
  log: Log;
  now(): number;
}

interface Memory {
  limits: Limiters;
  /** Recent interactions, to ignore repeated deliveries; of some is asked whether what was typed is meant. */
  recent: LRUCache<string, Meant | true>;
  /** Invocations that this process has to bring to an end. */
  unended: Map<string, InProgress | Left>;
}

interface InProgress {
  /** The person whose question it is about to ask. */
  asker?: string | undefined;
  /** Answers a read, or ends a change in the ledger, at once. */
  stop(): Promise<unknown>;
}

/** Recovery closes it: left by an earlier process, or interrupted while the ledger was down. */
interface Left {
  asker?: undefined;
  why: Interruption;
  opened?: Opened;
}

export type RunParts = Parts & Memory;

/** What a person was told; `recorded`: what the ledger has. Undefined: nothing by this command, or a form asks. */
export type Told = State | 'recorded' | undefined;

/** A typed command, and the way to answer it. */
export interface Invocation extends Omit<Request, 'mayReturn'> {
  interaction: { id: string; token: string };
  /** The message whose menu was used. */
  message?: Note;
  mayReturn: MayReturn;
  reply: Reply;
}

/** Whether the bot can come back with its own token: not in a private thread that it has not joined. */
type MayReturn = () => Promise<boolean>;

export interface Reply {
  /** The first and only answer, visible to the actor alone. */
  refuse(card: Card): Promise<void>;
  /** First answer of a read: Discord's own "thinking…", until `show`. False: Discord no longer knows the interaction. */
  think(audience: 'private' | 'public'): Promise<boolean>;
  /**
   * Replaces the first answer, or the clicked message. Tries again until its token expires, without files once they are
   * refused. `gone`: Discord has no answer, or it was deleted. `archived`: its thread is closed.
   */
  show(card: Card): Promise<'shown' | 'archived' | 'gone'>;
  /** First answer: the card. Returns its message; undefined if Discord has another answer, or no such interaction. */
  acknowledge(card: Card, audience: 'private' | 'public'): Promise<string | undefined>;
  /** First answer: a form. Of text it takes 100 characters, unless it says otherwise. */
  ask(form: Form & { id: string }): Promise<void>;
}

/** A pressed button, or a submitted form. */
export interface Click extends Omit<Press, 'payload' | 'mayReturn' | 'found'> {
  interaction: { id: string; token: string };
  /** The custom id of the button or of the form. */
  button: string;
  mayReturn: MayReturn;
  /** The roles that somebody has now. Rejects where Discord does not say. */
  rolesNow(person: string): Promise<readonly string[]>;
  reply: ClickReply;
}

export interface ClickReply extends Reply {
  /** First answer: changes nothing yet. False: as for `acknowledge`, and nothing may come of the click. */
  defer(): Promise<boolean>;
  /** After `defer`: a message visible to the actor alone, and how to take it back. */
  whisper(card: Card): Promise<TakeBack>;
  /** After a private `refuse`: deletes it. */
  takeBack: TakeBack;
  /** Whether the clicked card is already shared in its channel, as far as can be found out in time. */
  isShared(): Promise<boolean>;
  /** First answer: posts the clicked card for everybody, without buttons and with the name of the sharer. */
  share(actor: Actor): Promise<void>;
}

export interface Typing {
  actor: Actor;
  place: Place;
  command: string;
  option: string;
  typed: string;
  options: RawOptions;
}
