import type { Button, Card } from '../card.ts';
import type { Command } from '../command.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OpenCard } from '../ledger/open-cards.ts';
import type { Actor, Decision, Log, Place, RawOptions, Server } from '../outcome.ts';
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
}

/** Changes the card of a message, with whatever right still holds. Rejects when it is worth trying again; a card that is gone is no error. */
export interface CardDesk {
  edit(
    where: { channel: string; message?: string; interaction?: { id: string; token: string } },
    card: Card,
  ): Promise<void>;
}

/** Everything the corridor works with. */
export interface Parts {
  commands: readonly Command[];
  rules: Rules;
  panel: Panel;
  ledger: Pick<Ledger, 'append' | 'runs' | 'open'>;
  locks: Locks;
  questions: Questions;
  openCards: { put(card: OpenCard): void; remove(interaction: string): void; list(): OpenCard[] };
  desk: CardDesk;
  log: Log;
  now(): number;
  /** A random id of 128 bits, base64url. */
  newId(): string;
  /** How long a question is open, in ms: plain, and when something must be typed. */
  open: { plain: number; typed: number };
  /** Names this process in claims. */
  owner: string;
}

/** What became of a first answer: it is ours, somebody (perhaps we ourselves) answered before, or Discord does not know the interaction any more. */
export type Acknowledged = { kind: 'ours' | 'taken'; message: string } | { kind: 'gone' };

/** What was typed, and the way to answer it. */
export interface Invocation {
  interaction: { id: string; token: string };
  actor: Actor;
  place: Place;
  command: string;
  options: RawOptions;
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
  /** The custom id of the button or of the modal. */
  button: string;
  /** What was typed into the modal. */
  typed?: string;
  reply: ClickReply;
}

export interface ClickReply extends Reply {
  /** First answer: nothing changes yet. */
  defer(): Promise<Acknowledged>;
  /** After `defer`: seen by the actor alone. */
  whisper(card: Card): Promise<void>;
  /** First answer: asks for one line of text. `label` at most 45 characters. */
  ask(modal: { id: string; title: string; label: string }): Promise<void>;
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
const buttonKinds = ['confirm', 'cancel', 'again', 'apply', 'share', 'page', 'typed'] as const;
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
