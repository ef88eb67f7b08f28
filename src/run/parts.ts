import type { Button, Card } from '../card.ts';
import type { Painter } from '../chart/index.ts';
import type { Command, FollowUpsFace, IncidentsFace, TrailFace } from '../command.ts';
import type { NewRunEntry, Note } from '../ledger/entry.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OpenCardStore } from '../ledger/open-cards.ts';
import type { Actor, Decision, End, Log, Place, RawOptions, Server } from '../outcome.ts';
import type { Panel } from '../panel/client.ts';
import type { Questions } from '../questions/questions.ts';
import type { Locks } from '../redis/locks.ts';

/** The policy, ready to be asked. */
export interface Rules {
  /** Where commands are answered, to name it; none: everywhere in the guild. */
  channels: readonly string[];
  answersIn(place: Place): boolean;
  decide(roles: readonly string[], command: Command, server?: Server): Decision;
  requirements(command: Command): { confirm: boolean; typed: boolean; reason: boolean };
  limit(command: Command): number | undefined;
  find(text: string): Server | undefined;
  suggest(text: string, may: (server: Server) => boolean): readonly Server[];
  /** What the policy calls a role, by the role's id. */
  roleName(id: string): string | undefined;
}

/** Changes the card of a message, with whatever right still holds. Rejects when it is worth trying again; a card that is gone is no error. */
export interface CardDesk {
  /** `answers`: the interaction that the card answers, for everybody to see; where no message is known, it is found by that. */
  edit(
    where: { channel: string; message?: string; answers?: string; interaction?: { id: string; token: string } },
    card: Card,
  ): Promise<void>;
}

/** Jobs that the panel accepted, watched to their end. */
export interface Following extends FollowUpsFace {
  /** Until when a job is followed that begins now, in ms; undefined: such jobs are not followed. */
  deadline(follow: 'restore' | 'power'): number | undefined;
  /** Watches what the ledger says is followed. Never rejects. */
  reconcile(): Promise<void>;
  /** Ends the one of a run because a person says so. False: it is over already, or none of ours. */
  say(run: string, end: End, by: Actor): Promise<boolean>;
  /** The card of what an invocation has followed, as it is now; undefined: it has nothing. */
  card(stem: string): Promise<Card | undefined>;
  troubles(): readonly string[];
}

/** The ledger, posted to the audit channel. */
export interface Trail extends TrailFace {
  /** Why nothing may change: the channel does not keep up with the ledger, or cannot be written. */
  trouble(): 'trail-behind' | 'trail-closed' | undefined;
  /** The same in a sentence that names the channel, and what the bot lacks there. */
  words(): string | undefined;
}

/** Everything the corridor works with. */
export interface Parts {
  commands: readonly Command[];
  rules: Rules;
  panel: Panel;
  ledger: Omit<Ledger, 'head' | 'close'>;
  trail: Trail;
  incidents: IncidentsFace;
  locks: Locks;
  questions: Questions;
  openCards: OpenCardStore;
  desk: CardDesk;
  followUps: Following;
  paint: Painter;
  log: Log;
  now(): number;
  /** A random id of 128 bits, base64url. */
  newId(): string;
  /** How long a question is open, in ms: plain, and when something must be typed. */
  open: { plain: number; typed: number };
  /** Names this process in claims, intents and open cards. */
  owner: string;
  /** Which of these processes, not this one, live. Rejects with RedisUnavailable when that cannot be told. */
  alive(owners: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What one process remembers while it runs. */
export interface Memory {
  /** Interactions under way here: nobody sweeps them. */
  active: Set<string>;
  /** Interactions that came here lately: what is delivered again is not done again. */
  handled: Set<string>;
  /** By their stem, runs that are being done here, and for which interaction: nobody else settles, sweeps or restores them. */
  hands: Map<string, string>;
  /** Cards that could not be brought to rest, and when that is tried again. */
  pauses: Map<string, { until: number; ms: number }>;
  /** Outcomes that the ledger could not take yet. */
  owed: NewRunEntry[];
  /** Cards of what is decided without a run, of which Redis could not tell whether another process has them; and whether this one spoke. */
  unclaimed: Map<string, 'spoken' | 'silent'>;
  /** Stems of cards of which the ledger may have taken more than it said. */
  doubted: Set<string>;
}

export type RunParts = Parts & Memory;

/** What became of a first answer: it is ours, somebody (perhaps we ourselves) answered before, or Discord does not know the interaction any more. */
export type Acknowledged = { kind: 'ours' | 'taken'; message: string } | { kind: 'gone' };

/** What was typed, and the way to answer it. */
export interface Invocation {
  interaction: { id: string; token: string };
  actor: Actor;
  place: Place;
  command: string;
  options: RawOptions;
  /** The stem of the invocation that it is to undo. */
  undoes?: string;
  /** The members of the guild, no bots, whom the options name. */
  people?: readonly Actor[];
  /** The message in whose menu it was picked. */
  message?: Note;
  reply: Reply;
}

export interface Reply {
  /** First answer and last: seen by the actor alone. */
  refuse(card: Card): Promise<Acknowledged>;
  /** First answer: the card, as it will be edited. */
  acknowledge(card: Card, audience: 'private' | 'public'): Promise<Acknowledged>;
  /** Edits that card. */
  show(card: Card): Promise<void>;
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
  reply: ClickReply;
}

export interface ClickReply extends Reply {
  /** First answer: nothing changes yet. */
  defer(): Promise<Acknowledged>;
  /** After `defer`: seen by the actor alone. */
  whisper(card: Card): Promise<void>;
  /** First answer: asks for one line of text, of 100 characters unless said otherwise. `label` at most 45 characters. */
  ask(modal: { id: string; title: string; label: string; longest?: number }): Promise<void>;
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

/** What the custom id of a button or modal begins with; `typed` opens a modal whose submission is a `confirm`. */
const buttonKinds = [
  'confirm',
  'cancel',
  'again',
  'apply',
  'undo',
  'happened',
  'not-happened',
  'share',
  'page',
  'typed',
  'follow',
  'off',
] as const;
export type ButtonKind = (typeof buttonKinds)[number];
export const isButtonKind = (text: string): text is ButtonKind => buttonKinds.some((kind) => kind === text);

export const button = (label: Button['label'], kind: ButtonKind, payload: string): Button => ({
  label,
  id: `${kind}:${payload}`,
});

/** A server as ledger, questions and open cards keep it. */
export const kept = ({ id, name, tier }: Server): { id: number; name?: string; tier?: string } => ({
  id,
  ...(name === undefined ? {} : { name }),
  ...(tier === undefined ? {} : { tier }),
});
