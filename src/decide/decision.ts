import type { Card } from '../card.ts';
import type {
  Command,
  PreparedChange,
  PreparedLocal,
  PreparedRead,
  Preview,
  ReadFailed,
  TrailTools,
  Verdict,
} from '../command.ts';
import type { JobStatus } from '../follow-ups/seen.ts';
import type { Actor, Place, RawOptions, Ruling, Server } from '../outcome.ts';
import type { Records } from '../runs/book.ts';
import type { NewEntry } from '../runs/entry.ts';
import type { Kept } from '../runs/kept.ts';
import type { Rules } from './rules.ts';
import type { BreakGlass, Facts, InTurn, Work } from './work.ts';

/** All that a decision knows: what this process has in memory at one moment. */
export interface Snapshot {
  ledger: Records;
  rules: Rules;
  commands: readonly Command[];
  trail: Pick<TrailTools, 'troubles' | 'lag' | 'channel'>;
  followUps: {
    /** The deadline for a job that starts now, in ms. Undefined: such jobs are not followed, unless by hand. */
    deadline(follow: 'restore' | 'power', by?: 'by hand'): number | undefined;
    /** Whether the panel offers a read of such jobs, as far as known. */
    canLook(follow: 'restore' | 'power'): boolean;
  };
  seal: Sealing;
  limits: {
    /** How many open questions one person may have. */
    questions: number;
    /** How long a question stays open, in ms: plain, when it requires typing, and for an approval after Confirm. */
    open: { plain: number; typed: number; approval?: number };
    denials: {
      /** How long a person's denials are counted together after the first, in ms. */
      window: number;
      /** Until when, in ms, denials of this person get no entry of their own although they offer a way on. */
      countedUntil(actor: { id: string }): number | undefined;
    };
  };
  /** Recent interactions: of some is asked whether what was typed is meant. */
  recent: Pick<ReadonlyMap<string, Meant | true>, 'get'>;
  /** What this process works on, by invocation; and the person whose question it is about to ask. */
  unended: ReadonlyMap<string, { asker?: string | undefined }>;
  now(): number;
}

/** Proves that the bot offered exactly this button on that message. */
interface Sealing {
  of(kind: SealKind | 'reason', of: Sealed): string;
  matches(given: string, kind: SealKind, of: Sealed): boolean;
}
/** A question or a request as it was asked; of a form, what it is about. */
interface Sealed {
  hash: string;
  place: { message?: string };
}
export type SealKind = 'confirm' | 'typed' | 'cancel' | 'approve' | 'accept' | 'decline';

/** A button that somebody pressed, or the form behind it that they submitted. */
export interface Press {
  /** With the roles of now. */
  actor: Actor;
  place: Place & { message: string };
  /** What the button's id says after its verb. */
  payload: string;
  isPrivate: boolean;
  /** Whether the card really has that button: a modified client may press others. */
  offered: boolean;
  /** What was typed into the form; empty if it asks for no text. */
  typed?: string;
  chosen?: string;
  /** Whether the bot can edit and post there later, with its own token. */
  mayReturn: boolean;
  found: Found;
}

/** What a decision lacks, and is made again with. */
export type Lookup =
  /** The roles that these people have now. */
  | { kind: 'roles'; of: readonly string[] }
  /** What is set now on these servers. */
  | { kind: 'settings'; prepared: PreparedChange; servers: readonly Server[] }
  /** Whether a run that ended unknown was done. */
  | { kind: 'verdict'; prepared: PreparedChange; server: Server; before?: Facts; kept?: Kept }
  /** How the job of a run is. */
  | { kind: 'job'; run: string };

export interface Found {
  /** Undefined: Discord does not say. */
  roles?: ReadonlyMap<string, readonly string[] | undefined>;
  /** In the order of the servers, or why they could not be read. */
  settings?: readonly Preview[] | ReadFailed;
  verdict?: Verdict | ReadFailed;
  /** `none`: nothing of the kind is followed. */
  job?: JobStatus | 'none';
}

/** What is asked for: the first answer to a press. Discord takes 45 characters of a title and a label, 100 of the others. */
export interface Form {
  title: string;
  /** Asks for one of 2 to 25, before the text. */
  choice?: { label: string; options: readonly { value: string; label: string }[] };
  label?: string;
  hint?: string;
  longest?: number;
  /** The id of the form; that of the button if left out. */
  id?: string;
}

/** A denial as the ledger records it for auditors. */
export interface Denial<Of = Command> {
  command: Of;
  decision: Extract<Ruling, { allowed: false }>;
  /** The ids of the servers that its buttons go on with. */
  meant?: readonly number[];
}

/** Nothing comes of the press but this private answer. */
export interface Answer {
  kind: 'answer';
  card: Card;
  /** It was a press without the right, and is recorded as that; with the options that it was about. */
  denial?: Denial<Pick<Command, 'id'>>;
  options?: RawOptions;
  /** The command that its button goes on with. */
  meant?: Meant;
  /** The card shows something that is no longer so. */
  isOutdated?: true;
  /** It is about something open: once that is closed, the answer is taken back. */
  isAside?: true;
}

/** What comes of a command or a press. */
export type Decision =
  | Answer
  | { kind: 'form'; form: Form; meant?: Meant }
  /** More must be known. */
  | { kind: 'lookup'; lookup: Lookup }
  /** Goes into the ledger, in one append. `says`: what the person hears beside the card. `work`: is executed then. */
  | { kind: 'append'; entries: readonly NewEntry[]; says?: Card; work?: Work }
  /** Goes on as if the person had typed this, `of` an earlier interaction. */
  | { kind: 'command'; command: Typed; once?: Once; of?: string }
  /** Shows what is read. `part`: of a longer answer. */
  | { kind: 'read'; command: Command; prepared: PreparedRead | PreparedLocal; audience: Audience; part: number }
  /** Posts the card for everybody, once. */
  | { kind: 'share' }
  /** Says what a command would ask and send. */
  | { kind: 'trial'; command: Pick<Typed, 'command' | 'options'> }
  /** The card is posted; then decideChange goes on, or the command acts by itself. `asks`: with a question first. */
  | Start;

export interface Start {
  kind: 'start';
  command: Command;
  prepared: PreparedChange | PreparedLocal;
  audience: Audience;
  asks: boolean;
}

type Audience = 'private' | 'public';

export interface Typed {
  command: string;
  options: RawOptions;
  undoes?: string;
  /** `seq` of the entry whose button began it: what was done since is not done again. */
  since?: number;
  /** The denial, by its run, after which its actor asks others who may run it. */
  denied?: string;
  breakGlass?: BreakGlass;
  inTurn?: InTurn;
  /** Somebody pressed the button that asked whether it is meant. */
  isMeant?: true;
  /** Nobody typed it: a card suggested it, so it asks, whatever its danger. */
  isSuggested?: true;
  /** The card of alerts whose button it was. */
  alert?: string;
}

/** A command that waits for its button, or for its form, which asks for `option`; until then in ms. */
export interface Meant {
  command: Typed;
  option?: string;
  person: string;
  channel: string;
  until: number;
}

/** A typed command, or one that a button stands for. */
export interface Request extends Typed, Pick<Press, 'typed' | 'mayReturn'> {
  interaction: { id: string };
  actor: Actor;
  place: Place;
  /** The guild members, without bots, that the options name. */
  people?: readonly Actor[];
  /** The button that stands for it, by its custom id. */
  button?: string;
}

/** What is done at most once, however often it is pressed at the same time; and what the others are told. */
interface Once {
  key: string;
  otherwise: Card;
  /** Also later, once a card came of it. */
  isFinal?: true;
}

export type Decide = (snapshot: Snapshot, press: Press) => Decision;

export const answer = (card: Card, more: Omit<Answer, 'kind' | 'card'> = {}): Answer => ({
  kind: 'answer',
  card,
  ...more,
});
