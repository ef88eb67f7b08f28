import type { Markup } from '../card.ts';
import type {
  Access,
  Before,
  Done,
  Effects,
  IfStuck,
  InputOf,
  Instead,
  Limited,
  Look,
  Options,
  ParseContext,
  Past,
  Read,
  ReadEndpoint,
  Step,
  Team,
  Verdict,
  View,
} from '../command.ts';
import type { Actor, RawOptions, Server } from '../outcome.ts';
import type { Data, EndpointName, Input } from '../panel/endpoints.ts';
import type { Effect } from '../runs/effects.ts';
import type { Kept, ReadRules } from '../runs/kept.ts';
import type { Tools } from './tools.ts';

export interface Spec<Id extends string, O extends Options> {
  id: Id;
  description: string;
  example: string;
  options: O;
  /** A rule over several options; throws Invalid. */
  check?(input: InputOf<O>, context: ParseContext): void;
}

export interface ReadDefinition<Id extends string, O extends Options, R extends ReadEndpoint> extends Spec<Id, O> {
  /** The endpoints that `view` may read. */
  reads?: readonly R[];
  gathers?: readonly string[];
  everyone?: true;
  anywhere?: true;
  servers?(input: InputOf<O>): readonly Server[];
  subject?(input: InputOf<O>): Markup;
  /** What its answer shows: "Firewall of web-1 · primary". */
  title(input: InputOf<O>): Markup;
  view(input: InputOf<O>, context: ReadContext<R>): Promise<View>;
}

interface ReadContext<R extends ReadEndpoint> {
  read: Read<R>;
  access: Access;
  tools: Tools;
  part: number;
  options: RawOptions;
}

export interface ChangeDefinition<
  Id extends string,
  O extends Options,
  E extends EndpointName,
  R extends ReadEndpoint = never,
> extends Spec<Id, O> {
  danger: 'write' | 'destructive';
  endpoint: E;
  /** The endpoints that `look` may read. */
  reads?: readonly R[];
  servers(input: InputOf<O>): readonly Server[];
  limited?: Limited & { option: keyof O & string };
  /** Reads the current settings, before the question and again before the request. */
  look?(server: Server, input: InputOf<O>, read: Read<R>): Promise<Look>;
  /** What it does, in a few words, for the button that confirms it: "Flush web-1". Discord takes 80 characters. */
  label(input: InputOf<O>): string;
  /** The same with all that was asked for: "Flush the rules of web-1 · primary". The label, if left out. */
  change?(input: InputOf<O>, team: Team): Markup;
  /** The question, in short lines. First what would happen; then at most three: to what, and what stays unchanged. */
  question(input: InputOf<O>, looks: readonly Look[], team: Team): readonly Markup[];
  request(server: Server, input: InputOf<O>): Input<E>;
  done(server: Server, input: InputOf<O>, data: Data<E> | undefined): Done;
  /** How to apply what was only stored. */
  apply?(input: InputOf<O>): Step | undefined;
  /** The effects it opens and closes. `open`: effects that may be open on that server before. */
  effects?(input: InputOf<O>, open: readonly Effect[]): Effects;
  undo?: Undo<O, E>;
  /** The note for servers where a yes has no undo and a person might expect one. `kept`: what it removed there. */
  noUndo?(input: InputOf<O>, servers: readonly Server[], kept: readonly Kept[]): Markup;
  /** How a person can find out whether an unknown run was done. */
  manualCheck(server: Server, input: InputOf<O>): Markup;
  /** The id of the command that reads what it changes: whoever may run that may check how an unknown run ended. */
  checkedBy?: string;
  /** Looks whether an unknown run was done. `before`: what the look before it found; `kept`: what it would have removed. */
  checkNow?(
    server: Server,
    input: InputOf<O>,
    read: Read<R>,
    before: Before | undefined,
    kept: Kept | undefined,
  ): Promise<Verdict>;
  /** Reads what a yes has set, so that the ledger knows later which options gave it. */
  readBack?(server: Server, input: InputOf<O>, read: Read<R>): Promise<ReadRules>;
  /** When to remind the actor of effects that are still open, in ms. */
  remind?(input: InputOf<O>): number | undefined;
  /** What it starts, if its end is followed: "restart". */
  noun?: string;
  /** As what a job that it starts is followed. */
  follows?: 'restore' | 'power';
  ifStuck?: IfStuck;
}

/** How to undo a yes. */
export interface Undo<O extends Options, E extends EndpointName> {
  /** The id of the command that undoes it. */
  command: string;
  /** Undefined if unknown. */
  options(server: Server, input: InputOf<O>, data: Data<E> | undefined, past: Past): RawOptions | undefined;
}

export interface LocalDefinition<Id extends string, O extends Options> extends Spec<Id, O> {
  /** The answer to a `read` or an `audit` is private, any other is public. */
  danger: 'read' | 'write' | 'destructive' | 'audit';
  menu?: string;
  byName?: true;
  /** It scans the whole ledger. */
  walks?: true;
  instead?: Instead;
  resume?(tools: Tools): Promise<View>;
  servers(input: InputOf<O>): readonly Server[];
  /** What its answer shows, if it is a `read` or an `audit`. */
  title?(input: InputOf<O>): Markup;
  act(input: InputOf<O>, context: LocalContext): Promise<View>;
}

/** `may` is the policy's answer for this actor, this command and that server. */
export interface LocalContext
  extends Tools,
    Pick<ParseContext, 'find'>,
    Pick<Access, 'roleName' | 'holds' | 'mayApprove'> {
  actor: Actor;
  may(server: Server): boolean;
  part: number;
  options: RawOptions;
}
