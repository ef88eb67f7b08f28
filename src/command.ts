import type { ButtonLabel, CardFile, Markup } from './card.ts';
import type { Chart } from './chart/chart.ts';
import type { Tools } from './command/tools.ts';
import type { Actor, Answer, Danger, Decision, Outcome, RawOptions, Server } from './outcome.ts';
import type { Data, EndpointName, endpoints, Input } from './panel/endpoints.ts';
import type { Effect } from './runs/effects.ts';
import type { Entry } from './runs/entry.ts';
import type { FindingState } from './runs/findings.ts';
import type { Incident } from './runs/incident.ts';

export { defineChange, defineLocal, defineRead } from './command/define.ts';
export type {
  ChangeDefinition,
  LocalContext,
  LocalDefinition,
  ReadDefinition,
  Spec,
  Undo,
} from './command/definition.ts';
export type {
  Checked,
  Contradiction,
  Followed,
  FollowUpTools,
  Hindrance,
  IncidentTools,
  Strange,
  Tools,
  TrailTools,
  TrailTrouble,
} from './command/tools.ts';

/** What options are read against. `find` takes a name or an id. */
export interface ParseContext {
  now: number;
  find(text: string): Server | undefined;
  /** The members of the guild, no bots, whom `user` options name. */
  people?: readonly Actor[];
}

/** What autocomplete may use. `may` is the policy's answer for this actor, this command and that server. */
export interface SuggestContext extends ParseContext {
  may(server: Server): boolean;
  typed: string;
  options: RawOptions;
  suggest(typed: string): readonly Server[];
  /** The ids of all commands. */
  commands: readonly string[];
  /** Oldest first. */
  incidents: readonly Incident[];
  /** What was ever found in the trail, oldest first. */
  findings: readonly FindingState[];
  /** What is recorded, oldest first. */
  entries: readonly Entry[];
  read: Read;
}

export interface Choice {
  name: string;
  value: string | number;
}

type Raw = string | number | boolean;

/** What Discord has to know of an option. The value of a `user` is that user's id. */
export interface OptionSpec {
  type: 'string' | 'integer' | 'boolean' | 'user';
  description: string;
  required?: boolean;
  choices?: readonly Choice[];
  min?: number;
  max?: number;
  suggest?(context: SuggestContext): readonly Choice[] | Promise<readonly Choice[]>;
}

/** One option: how it looks, how a value is read from what was typed, and how it is written so that it reads the same again. */
export interface Option<T> extends OptionSpec {
  read(raw: Raw | undefined, context: ParseContext & { refuse(rule: string): never }): T;
  write(value: T): Raw | undefined;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
/** The typed input that a table of options reads to. */
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

/** A read did not come back with data. The answer says why. */
export class ReadFailed extends Error {
  readonly answer: Exclude<Answer<never>, { kind: 'yes' }>;
  /** What is said beside that. */
  readonly beside: readonly Markup[];
  constructor(answer: Exclude<Answer<never>, { kind: 'yes' }>, beside: readonly Markup[] = []) {
    super(`read failed: ${answer.reason}`);
    this.name = 'ReadFailed';
    this.answer = answer;
    this.beside = beside;
  }
}

/** The policy's answer to "may this actor do this", as `help` and `can` show it. */
export interface Access {
  actor: Actor;
  commands: readonly Command[];
  /** A server by name or id, on which this actor may do anything at all. Others are never mentioned. */
  find(text: string): Server | undefined;
  decide(command: Command, server?: Server): Decision;
  requirements(command: Command): { confirm: boolean; typed: boolean; reason: boolean };
  /** What does not work as configured, in a sentence each. */
  troubles(): readonly string[];
  /** What holds all changes back now, and what to do about it, a line each. */
  holds(): Promise<readonly string[]>;
  /** What the policy calls a role, by the role's id. */
  roleName(id: string): string | undefined;
}

/** A place in a longer list: the options to read again and which part of that answer to show. */
export interface Position {
  options: RawOptions;
  part: number;
}

/** What a read shows. */
export interface View {
  /** Left out: succeeded. `failed`: what was checked is not as it must be. */
  outcome?: Outcome | 'failed';
  body: readonly Markup[];
  files?: readonly CardFile[];
  /** Becomes a picture, where there can be one: the body says the same. */
  chart?: Chart;
  previous?: Position;
  next?: Position;
}

/** What is set now for one server: `facts` must be the same when the change is sent; `says` is shown in the question. */
export interface Look {
  facts?: Readonly<Record<string, Raw>>;
  says: readonly Markup[];
}

/** What a yes of the panel means: done, or taken on and not done yet. */
export interface Done {
  outcome: 'succeeded' | 'accepted';
  says: Markup;
  /** What can be followed to its end: the id of the restore's job, or of the item in the power queue. Without an id, by people. */
  job?: { follow: 'restore' | 'power'; id?: number };
  /** How to take it back, where that is known. */
  undo?: Step;
}

/** What a change leaves open on a server when it is done, and what it closes. */
export interface Effects {
  opens?: readonly Effect[];
  closes?: readonly Effect[];
}

/** What a card offers when the panel accepted a change and it takes longer than `after`, in ms: another command. */
export interface IfStuck {
  after: number;
  command: string;
  label: ButtonLabel;
  says: Markup;
}

/** Another command with its options, for a button that goes the full way of that command. */
export interface Step {
  command: string;
  options: RawOptions;
}

export interface PreparedRead {
  kind: 'read';
  options: RawOptions;
  servers: readonly Server[];
  subject?: Markup;
  view(read: Read, access: Access, part: number): Promise<View>;
}

export interface PreparedChange {
  kind: 'change';
  options: RawOptions;
  servers: readonly Server[];
  reason?: string;
  look?(server: Server, read: Read): Promise<Look>;
  question(looks: readonly Look[]): readonly Markup[];
  /** `remembered`: the options of the last yes to this command on that server. */
  attempt(server: Server, call: Call, remembered?: RawOptions): Promise<Answer<Done>>;
  apply?: Step;
  /** `open`: what may be open on that server before. */
  effects(open: readonly Effect[]): Effects;
  /** What a yes means of which no more is known. */
  yes(server: Server): Done;
  /** How to take it back, as far as that can be told without the panel's answer. */
  undo(server: Server, remembered?: RawOptions): Step | undefined;
  /** Said of the servers where a yes has no undo; left out where nobody looks for one. */
  noUndo?(servers: readonly Server[]): Markup;
  manualCheck(server: Server): Markup;
  /** After how long the actor is reminded of what is still open, in ms. */
  remind?: number;
}

/** What the bot does by itself, without the panel. */
export interface PreparedLocal {
  kind: 'local';
  options: RawOptions;
  servers: readonly Server[];
  act(tools: Tools, access: Access, part: number): Promise<View>;
}

export type Prepared = PreparedRead | PreparedChange | PreparedLocal;

/** An option that is an amount, or a network, which is the broader the shorter its prefix is. */
export interface Limited {
  option: string;
  by: 'amount' | 'prefix';
}

/** What a person can type. `options` are read by `prepare`, which throws Invalid with the option and the rule. */
export interface Command<Id extends string = string> {
  id: Id;
  danger: Danger;
  description: string;
  example: string;
  options: Readonly<Record<string, OptionSpec>>;
  /** The option that `limits` in the policy bounds, and by what. */
  limited?: Limited;
  /** It never reaches the panel: whatever its danger, there is nothing to confirm. */
  local?: true;
  /** Everyone may run it, whatever the policy says. */
  everyone?: true;
  /** What it reads from the panel. */
  reads?: readonly ReadEndpoint[];
  /** What it sends to the panel. */
  sends?: EndpointName;
  /** The id of the command that takes it back. */
  undoneBy?: string;
  /** It goes through the whole ledger: one of these at a time, and a few may wait. */
  walks?: true;
  /** It is picked from a message's menu, under this label, and not typed. Its answer is private. */
  menu?: string;
  ifStuck?: IfStuck;
  /** What its card says when the bot stopped in the middle of it: what there is to know by then. */
  resume?(tools: Tools): Promise<View>;
  prepare(raw: RawOptions, context: ParseContext): Prepared;
}
