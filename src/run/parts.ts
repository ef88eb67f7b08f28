import type { Card } from '../card.ts';
import type { Cards } from '../cards/reconciler.ts';
import type { Opened } from '../cards/record.ts';
import type { Seal } from '../cards/seal.ts';
import type { Painter } from '../chart/index.ts';
import type { Command, FollowUpTools, IncidentTools, TrailTools } from '../command.ts';
import { defined } from '../defined.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Actor, Decision, End, Log, Place, RawOptions, Server } from '../outcome.ts';
import type { Panel } from '../panel/client.ts';
import type { Limit } from '../policy/schema.ts';
import type { Claim } from '../redis/claims.ts';
import type { Note } from '../runs/entry.ts';
import type { Denials } from './denials.ts';
import type { InTurn } from './in-turn.ts';
import type { Limits } from './limits.ts';
import type { Outbox } from './outbox.ts';

/** The policy, ready to be asked. */
export interface Rules {
  /** Where commands are answered, to name it; none: everywhere in the guild. */
  channels: readonly string[];
  answersIn(place: Place): boolean;
  decide(roles: readonly string[], command: Command, server?: Server): Decision;
  requirements(command: Command): { confirm: boolean; typed: boolean; reason: boolean };
  limit(command: Command): Limit | undefined;
  /** All that the policy names. */
  servers: readonly Server[];
  find(text: string): Server | undefined;
  suggest(text: string, may: (server: Server) => boolean): readonly Server[];
  /** What the policy calls a role, by the role's id. */
  roleName(id: string): string | undefined;
}

/** Jobs that the panel accepted, watched to their end. */
export interface Following extends FollowUpTools {
  /** Until when a job is followed from now on, in ms; undefined: it is not. */
  deadline(follow: 'restore' | 'power'): number | undefined;
  /** Ends the one of a run because a person says so. False: it is over already, or none of ours. */
  say(run: string, end: End, by: Actor): Promise<boolean>;
  troubles(): readonly string[];
}

/** Everything the pipeline works with. */
export interface Parts {
  commands: readonly Command[];
  rules: Rules;
  panel: Panel;
  ledger: Omit<Ledger, 'close'>;
  cards: Cards;
  outbox: Outbox;
  seal: Seal;
  trail: TrailTools;
  incidents: IncidentTools;
  claim: Claim;
  followUps: Following;
  paint: Painter;
  /** For commands that go through the whole ledger. */
  walks: InTurn;
  log: Log;
  now(): number;
  /** How long a question is open, in ms: plain, and when something must be typed. */
  open: { plain: number; typed: number };
  /** What differs from the usual ones. */
  limits?: Partial<Limits> | undefined;
  /** Names this process in claims, intents and cards. */
  processId: string;
  /** Whether what several processes share can be reached, as far as is known. */
  isReachable(): boolean;
  /** Whether no other process can have taken this one for dead yet. */
  isTrusted(): boolean;
  /** Which of these processes, not this one, live. Rejects with RedisUnavailable when that cannot be told. */
  alive(processIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What one process remembers while it runs. */
interface Memory {
  /** Interactions that came here lately: what is delivered again is not done again. */
  handled: Set<string>;
  /** Invocations that are being done here. */
  inProgress: Set<string>;
  /** What processes that are no more left, or a fault cut short while the ledger was away, until it is closed; and why it is. */
  leftOver: Map<string, { opened?: Opened; why: CutShort }>;
  /** Commands without runs of which is not known yet whether they were done. */
  unclaimed: Map<string, Opened>;
  /** Invocations that are about to ask, by whose they are. */
  asking: Map<string, string>;
  /** How many questions may wait for one person. */
  mostQuestions: number;
  denials: Denials;
}

/** Why nobody goes on with a command. `ledger-replaced`: what the ledger had of it is lost. */
export type CutShort = 'bot-restarted' | 'bot-fault' | 'discord-broke' | 'ledger-replaced';

export type RunParts = Parts & Memory;

/**
 * What became of a first answer: it is ours; somebody, perhaps we ourselves, gave it before; or Discord does not know the interaction
 * any more. `message` is asked by whoever has the claim: which message the card is, undefined when the person was told something else.
 */
export type Acknowledged = { kind: 'ours' | 'taken'; message(): Promise<string | undefined> } | { kind: 'gone' };

/** What was typed, and the way to answer it. */
export interface Invocation {
  interaction: { id: string; token: string };
  actor: Actor;
  place: Place;
  command: string;
  options: RawOptions;
  /** The invocation that it is to undo. */
  undoes?: string;
  /** The members of the guild, no bots, whom the options name. */
  people?: readonly Actor[];
  /** The message in whose menu it was picked. */
  message?: Note;
  mayReturn: MayReturn;
  reply: Reply;
}

/**
 * Whether the bot can edit and post there by its own right, later. It cannot in a private thread that it was not let
 * into.
 */
type MayReturn = () => Promise<boolean>;

export interface Reply {
  /** First answer and last: seen by the actor alone. 'taken': what stands there is no refusal, so that another process goes on. */
  refuse(card: Card): Promise<'answered' | 'taken' | 'gone'>;
  /** First answer: the card, as it will be edited. */
  acknowledge(card: Card, audience: 'private' | 'public'): Promise<Acknowledged>;
}

/** A pressed button, or a submitted modal that a button opened. */
export interface Click {
  interaction: { id: string; token: string };
  actor: Actor;
  place: Place & { message: string };
  /** Whether the clicked card is seen by this person alone. */
  isPrivate: boolean;
  /** The custom id of the button or of the modal. */
  button: string;
  /** Whether the clicked card has that button: an app may press one that is not there. */
  offered: boolean;
  /** What was typed into the modal. */
  typed?: string;
  mayReturn: MayReturn;
  reply: ClickReply;
}

export interface ClickReply extends Reply {
  /** First answer: nothing changes yet. */
  defer(): Promise<Acknowledged>;
  /** After `defer`: seen by the actor alone. */
  whisper(card: Card): Promise<void>;
  /** First answer: asks for one line of text, of 100 characters unless said otherwise. `label` at most 45 characters. */
  ask(modal: { id: string; title: string; label: string; longest?: number }): Promise<void>;
  /** Whether the clicked card stands in its channel for everybody already, as far as that can be told in time. */
  isShared(): Promise<boolean>;
  /** First answer: the clicked card again, for everybody, without buttons, and who shared it. */
  share(actor: Actor): Promise<void>;
}

/** Text in an option that is being typed. */
export interface Typing {
  actor: Actor;
  place: Place;
  command: string;
  option: string;
  typed: string;
  options: RawOptions;
}

/** A server as ledger and cards keep it. */
export const kept = ({ id, name, tier }: Server): { id: number; name?: string; tier?: string } => ({
  id,
  ...defined({ name, tier }),
});
