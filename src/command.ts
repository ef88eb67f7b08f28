import type { CardFile, Markup } from './card.ts';
import type { Chart } from './chart/chart.ts';
import type { Access, SeveralContext, Team } from './command/access.ts';
import type { Before, Left, Look, Past, Verdict } from './command/look.ts';
import type { Step, ViewOffer } from './command/offer.ts';
import type { Tools } from './command/tools.ts';
import type { Actor, Answer, Danger, Outcome, RawOptions, Server } from './outcome.ts';
import type { Data, EndpointName, endpoints, Input } from './panel/endpoints.ts';
import type { Records } from './runs/book.ts';
import type { Effect } from './runs/effects.ts';
import type { FindingState } from './runs/findings.ts';
import type { Incident } from './runs/incident.ts';
import type { Kept, ReadRules } from './runs/kept.ts';

export type { Access, Names, Team } from './command/access.ts';
export { defineChange, defineLocal, defineRead } from './command/define.ts';
export type {
  ChangeDefinition,
  LocalContext,
  LocalDefinition,
  ReadDefinition,
  Spec,
  Undo,
} from './command/definition.ts';
export { described, exampleWith, lineOf, written } from './command/line.ts';
export type { Before, Left, Look, Past, Verdict } from './command/look.ts';
export type { Step, ViewOffer } from './command/offer.ts';
export type {
  Checked,
  Contradiction,
  Followed,
  FollowUpTools,
  Hindrance,
  IncidentTools,
  NewStop,
  StopTools,
  Strange,
  Tools,
  TrailLag,
  TrailTools,
  TrailTrouble,
} from './command/tools.ts';
export type { Kept, ReadRules } from './runs/kept.ts';

/** The context for parsing options. `find` takes a name, an id or an address. */
export interface ParseContext {
  now: number;
  team: Team;
  find(text: string): Server | undefined;
  /** Those of this actor that a mistyped name may have meant. */
  near?(text: string): readonly Server[];
  /** The guild members, without bots, that `user` options name. */
  people?: readonly Actor[];
}

/** The context for autocomplete. `may` is the policy's answer for this actor, this command and that server. */
export interface SuggestContext extends ParseContext, SeveralContext {
  may(server: Server): boolean;
  typed: string;
  options: RawOptions;
  suggest(typed: string): readonly Server[];
  /** The ids of all commands. */
  commands: readonly string[];
  /** Oldest first. */
  incidents: readonly Incident[];
  /** All findings in the trail, oldest first. */
  findings: readonly FindingState[];
  /** Where to look for what was done before. */
  records: Pick<Records, 'entries' | 'past' | 'outcomes'>;
  read: Read;
}

export interface Choice {
  name: string;
  value: string | number;
}

type Raw = string | number | boolean;

/** What Discord must know about an option. The value of a `user` is the user's id. */
export interface OptionSpec {
  type: 'string' | 'integer' | 'boolean' | 'user';
  description: string;
  /** It is a time: whoever types it must know of which zone. */
  isTime?: true;
  required?: boolean;
  choices?: readonly Choice[];
  min?: number;
  max?: number;
  /** A value for an example, where that of the command does not have the option. */
  example?: string;
  /** Of `server`: it takes several, with tiers, groups and globs; always, or where the policy allows it. */
  several?: 'always' | 'where-allowed';
  suggest?(context: SuggestContext): readonly Choice[] | Promise<readonly Choice[]>;
}

/** One option: its appearance, how to parse typed input, and how to format a value that parses to itself. */
export interface Option<T> extends OptionSpec {
  read(raw: Raw | undefined, context: ParseContext & { refuse(rule: string): never }): T;
  write(value: T): Raw | undefined;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
/** The parsed input of a table of options. */
export type InputOf<O> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** The endpoints that only read. */
export type ReadEndpoint = {
  [E in EndpointName]: (typeof endpoints)[E]['method'] extends 'GET' ? E : never;
}[EndpointName];
/** Reads from the panel, or throws ReadFailed. */
export type Read<R extends ReadEndpoint = ReadEndpoint> = <E extends R>(
  endpoint: E,
  input: Input<E>,
) => Promise<NonNullable<Data<E>>>;
/** Sends one request. */
export type Call = <E extends EndpointName>(endpoint: E, input: Input<E>) => Promise<Answer<Data<E>>>;

/** A read returned no data. The answer says why. */
export class ReadFailed extends Error {
  readonly answer: Exclude<Answer<never>, { kind: 'yes' }>;
  /** Additional lines for the card. */
  readonly beside: readonly Markup[];
  constructor(answer: Exclude<Answer<never>, { kind: 'yes' }>, beside: readonly Markup[] = []) {
    super(`read failed: ${answer.reason}`);
    this.name = 'ReadFailed';
    this.answer = answer;
    this.beside = beside;
  }
}

/** A position in a longer list: the options for the next read and the part to show. */
export interface Position {
  options: RawOptions;
  part: number;
}

/** What a read shows. */
export interface View {
  /** Undefined: succeeded. `failed`: the check found a problem. */
  outcome?: Outcome | 'failed';
  /** The option that is to blame, if the outcome is `invalid`: the card marks it, and shows an example with it. */
  wrong?: string;
  fact?: Markup;
  body: readonly Markup[];
  /** What is only so if the whole answer was understood: that there is none of something. */
  ifWhole?: readonly Markup[];
  nextSteps?: readonly Markup[];
  files?: readonly CardFile[];
  /** It stays with the actor: it cannot be shared. */
  isPrivate?: true;
  /** Becomes a picture where possible; the body says enough without it. */
  chart?: Chart;
  previous?: Position;
  next?: Position;
  /** Next steps that this person may take. */
  offers?: readonly ViewOffer[];
  /** The ids of the commands whose answers it has parts of: whoever shares it must still be allowed to run them. */
  includes?: readonly string[];
}

/** What a yes of the panel means: done, or accepted but not done yet. */
export interface Done {
  outcome: 'succeeded' | 'accepted';
  says: Markup;
  /**
   * A job to follow: the id of the restore's job or of the item in the power queue. Without an id, only people can say
   * how it ended.
   */
  job?: { follow: 'restore' | 'power'; id?: number };
  /** How to undo it, if known. */
  undo?: Step;
}

/** The effects that a change opens on a server, and those that it closes. */
export interface Effects {
  opens?: readonly Effect[];
  closes?: readonly Effect[];
}

/** Another command that a card offers when an accepted change takes longer than `after`, in ms. */
export interface IfStuck {
  after: number;
  command: string;
  label: string;
  says: Markup;
}

export interface PreparedRead {
  kind: 'read';
  options: RawOptions;
  servers: readonly Server[];
  subject?: Markup;
  /** What its answer shows. */
  title: Markup;
  view(read: Read, access: Access, part: number, tools: Tools): Promise<View>;
}

export interface PreparedChange {
  kind: 'change';
  /** What it does, as a button says it; and with all that was asked for. */
  label: string;
  change: Markup;
  options: RawOptions;
  servers: readonly Server[];
  reason?: string;
  look?(server: Server, read: Read): Promise<Look>;
  question(looks: readonly Look[]): readonly Markup[];
  attempt(server: Server, call: Call, past?: Past): Promise<Answer<Done>>;
  /** Reads what a yes has set. */
  readBack?(server: Server, read: Read): Promise<ReadRules>;
  apply?: Step;
  /** `open`: effects that may be open on that server before. */
  effects(open: readonly Effect[]): Effects;
  /** What a yes without details means. */
  yes(server: Server): Done;
  /** How to undo it, as far as known without the panel's answer. */
  undo(server: Server, past?: Past): Step | undefined;
  /** The note for servers where a yes has no undo, and what it removed there. Undefined if nobody would expect one. */
  noUndo?(servers: readonly Server[], kept: readonly Kept[]): Markup;
  /** What a yes leaves that may need a look. `found`: what the looks before it found. */
  leaves?(found: readonly Before[]): Left;
  manualCheck(server: Server): Markup;
  /** Looks whether an unknown run was done. */
  checkNow?(server: Server, read: Read, before: Before | undefined, kept?: Kept): Promise<Verdict>;
  /** When to remind the actor of effects that are still open, in ms. */
  remind?: number;
}

/** A command that the bot executes without the panel. */
export interface PreparedLocal {
  kind: 'local';
  subject?: Markup;
  /** What its answer shows, if it changes nothing. */
  title?: Markup;
  options: RawOptions;
  servers: readonly Server[];
  act(tools: Tools, access: Access, part: number): Promise<View>;
}

export type Prepared = PreparedRead | PreparedChange | PreparedLocal;

/** An option with a limit: an amount, or a network, which is broader the shorter its prefix is. */
export interface Limited {
  option: string;
  by: 'amount' | 'prefix';
}

/** Another command about one server, and what it shows: "what is open there". */
export interface Instead {
  command: string;
  shows: string;
}

/** A command. `prepare` parses the options and throws Invalid with the option and the rule. */
export interface Command<Id extends string = string> {
  id: Id;
  danger: Danger;
  description: string;
  example: string;
  options: Readonly<Record<string, OptionSpec>>;
  /** The option that `limits` in the policy restricts, and how. */
  limited?: Limited;
  /** It never calls the panel, so it needs no confirmation, whatever its danger. */
  local?: true;
  /** Everyone may run it, whatever the policy says. */
  everyone?: true;
  /** Only its id gives it in the policy: no danger, no glob. */
  byName?: true;
  /** It ends freezes. */
  thaws?: true;
  /** It is answered in every channel, privately where the policy lists none. */
  anywhere?: true;
  /** The endpoints it reads. */
  reads?: readonly ReadEndpoint[];
  /** The ids of the commands whose answers it puts together, each for whoever may run it. */
  gathers?: readonly string[];
  /** The endpoint it sends to. */
  sends?: EndpointName;
  /** The id of the command that undoes it. */
  undoneBy?: string;
  /** It scans the whole ledger: one at a time, and only a few may wait. */
  walks?: true;
  /** A message menu command with this label, not typed. Its answer is private. */
  menu?: string;
  /** What it starts, for commands whose end is followed: "restart", "restore". */
  noun?: string;
  /** As what a job that it starts is followed. */
  follows?: 'restore' | 'power';
  /** The id of the command that reads what it changes: whoever may run that may check how an unknown run ended. */
  checkedBy?: string;
  ifStuck?: IfStuck;
  /** What answers a part of it, for who may not run this. */
  instead?: Instead;
  /** The card after the bot stopped in the middle of it: what is known by then. */
  resume?(tools: Tools): Promise<View>;
  prepare(raw: RawOptions, context: ParseContext): Prepared;
}
