import type { CardFile, Markup } from '../card.ts';
import type { Chart } from '../chart/chart.ts';
import type { Line } from '../check/line.ts';
import type { Actor, CallResult, Danger, Outcome, Place, RawOptions, Ruling, Server } from '../outcome.ts';
import type { EndpointName } from '../panel/endpoints.ts';
import type { PanelAnswers } from '../panel/probe.ts';
import type { Requirements } from '../policy/decide.ts';
import type { Records } from '../runs/book.ts';
import type { Effect } from '../runs/effects.ts';
import type { Kept, ReadRules } from '../runs/kept.ts';
import type { Before, Call, Past, Preview, Read, ReadBackups, ReadEndpoint, Step, Verdict, ViewOffer } from './look.ts';
import type { OptionSpec, ParseContext } from './option.ts';
import type { Tools } from './tools.ts';

/** The policy's answer to "may this actor do this", as `help` and `can` show it. */
export interface Access {
  actor: Actor;
  version?: string;
  commands: readonly Command[];
  /** The command as Discord makes a link of it; undefined while it is not registered. */
  mention(command: Command): string | undefined;
  /** The time zone of what people type. */
  zone: string;
  /** A server by name, id or address, if this actor may do anything on it. Others are never mentioned. */
  find(text: string): Server | undefined;
  /** With `emergency`: whether with break-glass. */
  decide(command: Command, server?: Server, emergency?: boolean): Ruling;
  /** Whether they may approve on that server, and so close reviews there. */
  mayApprove(server: Server): boolean;
  /** Whether they may change anything on it, and so cancel questions about it. */
  mayChange(server: Server): boolean;
  requirements(command: Command, servers?: readonly Server[]): Requirements;
  /** What does not work as configured, one sentence each. */
  troubles(): readonly string[];
  /** What blocks all changes now, or is not in the audit channel yet, and the next step, a line each. */
  holds(): Promise<readonly string[]>;
  roleName(id: string): string | undefined;
  /** Whether the actor alone sees the answer. */
  isPrivate: boolean;
  /** Everything the bot needs, looked at. `told`: what the panel has just said. */
  check(told: PanelAnswers): Promise<readonly Line[]>;
}

/** A position in a longer list: the options for the next read and the part to show. */
export interface Position {
  options: RawOptions;
  part: number;
}

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
  /** A job to follow: of a restore or in the power queue. Without an id, only people can say how it ended. */
  job?: { follow: 'restore' | 'power'; id?: number };
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

/** What is asked of a change is said at ChangeDefinition. */
export interface PreparedChange {
  kind: 'change';
  label: string;
  fullLabel: Markup;
  options: RawOptions;
  servers: readonly Server[];
  reason?: string;
  look?(server: Server, read: Read, backups?: ReadBackups): Promise<Preview>;
  question(looks: readonly Preview[]): readonly Markup[];
  details(found: readonly Before[]): readonly Markup[];
  attempt(server: Server, call: Call, past?: Past): Promise<CallResult<Done>>;
  readBack?(server: Server, read: Read): Promise<ReadRules>;
  apply?: Step;
  effects(open: readonly Effect[]): Effects;
  /** What a yes without details means. */
  yes(server: Server): Done;
  /** How to undo it, as far as known without the panel's answer. */
  undo(server: Server, past?: Past): Step | undefined;
  noUndo?(servers: readonly Server[], kept: readonly Kept[]): Markup;
  leaves?(found: readonly Before[]): Markup | undefined;
  manualCheck(server: Server): Markup;
  checkNow?(server: Server, read: Read, before: Before | undefined, kept?: Kept): Promise<Verdict>;
  remind?: number;
}

/** Whether something is meant that reaches far. `choice`: a form asks for the value of an option instead. */
export interface Asks {
  label: string;
  fact: Markup;
  next: readonly Markup[];
  choice?: { label: string; option: string; all: string; values: readonly string[] };
}

/** A command that the bot executes without the panel. */
export interface PreparedLocal {
  kind: 'local';
  subject?: Markup;
  /** What its answer shows, if it changes nothing. */
  title?: Markup;
  options: RawOptions;
  servers: readonly Server[];
  /** What is asked first, in private, where it is typed: whether that is meant. */
  asks?(records: Records, place: Place, now: number): Asks | undefined;
  act(tools: Tools, access: Access, part: number): Promise<View>;
}

export type Prepared = PreparedRead | PreparedChange | PreparedLocal;

/** An option with a limit: an amount, or a network, which is broader the shorter its prefix is. */
export interface Limited {
  option: string;
  by: 'amount' | 'prefix';
}

/** Another command about one server, and what it shows: "what is open there". */
interface Instead {
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
  everyone?: true;
  /** Only its id gives it in the policy: no danger, no glob. */
  byName?: true;
  /** It asks, where it may reach further than was meant. */
  asksFirst?: true;
  thaws?: true;
  /** What a button of an alert asks for: a server, or what was changed there. */
  shows?: 'server' | 'changes';
  /** It opens an incident. */
  opens?: 'incident';
  /** It is there only where the policy has that. */
  needs?: 'alerts' | 'onCall';
  /** It is answered in every channel, privately where the policy lists none. */
  anywhere?: true;
  reads?: readonly ReadEndpoint[];
  /** The ids of the commands whose answers it puts together, each for whoever may run it. */
  gathers?: readonly string[];
  sends?: EndpointName;
  undoneBy?: string;
  /** It scans the whole ledger: one at a time, and only a few may wait. */
  walks?: true;
  /** A message menu command with this label, not typed. Its answer is private. */
  menu?: string;
  /** What it starts, if its end is followed: "restart". It stands inside sentences, in lower case. */
  noun?: string;
  /** As what a job that it starts is followed. */
  follows?: 'restore' | 'power';
  /** The id of the command that reads what it changes: whoever may run that may check how an unknown run ended. */
  checkedBy?: string;
  /** Another command that the card offers if this one takes long. */
  ifStuck?: IfStuck;
  /** Its servers would be down together: its question offers one after the other. */
  inTurn?: true;
  /** What answers a part of it, for people who may not run this. */
  instead?: Instead;
  /** The card after the bot stopped in the middle of it: what is known by then. */
  resume?(tools: Tools): View | Promise<View>;
  prepare(raw: RawOptions, context: ParseContext): Prepared;
}
