import type { Markup } from '../card.ts';
import type {
  Access,
  Done,
  Effects,
  IfStuck,
  InputOf,
  Limited,
  Look,
  Options,
  ParseContext,
  Read,
  ReadEndpoint,
  Step,
  View,
} from '../command.ts';
import type { Actor, RawOptions, Server } from '../outcome.ts';
import type { Data, EndpointName, Input } from '../panel/endpoints.ts';
import type { Effect } from '../runs/effects.ts';
import type { Tools } from './tools.ts';

export interface Spec<Id extends string, O extends Options> {
  id: Id;
  description: string;
  example: string;
  options: O;
  /** A rule over several options: throw Invalid. */
  check?(input: InputOf<O>, context: ParseContext): void;
}

export interface ReadDefinition<Id extends string, O extends Options, R extends ReadEndpoint> extends Spec<Id, O> {
  /** What `view` may read from the panel. */
  reads?: readonly R[];
  everyone?: true;
  servers?(input: InputOf<O>): readonly Server[];
  subject?(input: InputOf<O>): Markup;
  view(input: InputOf<O>, context: { read: Read<R>; access: Access; part: number; options: RawOptions }): Promise<View>;
}

export interface ChangeDefinition<
  Id extends string,
  O extends Options,
  E extends EndpointName,
  R extends ReadEndpoint = never,
> extends Spec<Id, O> {
  danger: 'write' | 'destructive';
  endpoint: E;
  /** What `look` may read from the panel. */
  reads?: readonly R[];
  servers(input: InputOf<O>): readonly Server[];
  limited?: Limited & { option: keyof O & string };
  /** What is set now, read before the question and again before the request. */
  look?(server: Server, input: InputOf<O>, read: Read<R>): Promise<Look>;
  /** What would happen, to what, and what it leaves alone. */
  question(input: InputOf<O>, looks: readonly Look[]): readonly Markup[];
  request(server: Server, input: InputOf<O>): Input<E>;
  done(server: Server, input: InputOf<O>, data: Data<E> | undefined): Done;
  /** When what was stored is not applied yet: how to apply it. */
  apply?(input: InputOf<O>): Step | undefined;
  /** What it opens and closes; `open`: what may be open on that server before. */
  effects?(input: InputOf<O>, open: readonly Effect[]): Effects;
  undo?: Undo<O, E>;
  /** Said of the servers where a yes has no undo and a person might look for one. */
  noUndo?(input: InputOf<O>, servers: readonly Server[]): Markup;
  /** How a person finds out whether it was done, when nobody knows. */
  manualCheck(server: Server, input: InputOf<O>): Markup;
  /** After how long the actor wants to be reminded of what is still open, in ms. */
  remind?(input: InputOf<O>): number | undefined;
  ifStuck?: IfStuck;
}

/** How to take a yes back. */
export interface Undo<O extends Options, E extends EndpointName> {
  /** The id of the command that does it. */
  command: string;
  /** Undefined where it is not known how. `remembered`: the options of the last yes to this command on that server before. */
  options(
    server: Server,
    input: InputOf<O>,
    data: Data<E> | undefined,
    remembered: RawOptions | undefined,
  ): RawOptions | undefined;
}

export interface LocalDefinition<Id extends string, O extends Options> extends Spec<Id, O> {
  /** The answer to a `read` or an `audit` is private, any other is for everybody. */
  danger: 'read' | 'write' | 'destructive' | 'audit';
  menu?: string;
  /** It goes through the whole ledger. */
  walks?: true;
  resume?(tools: Tools): Promise<View>;
  servers(input: InputOf<O>): readonly Server[];
  act(input: InputOf<O>, context: LocalContext): Promise<View>;
}

/** `may` is the policy's answer for this actor, this command and that server. */
export interface LocalContext extends Tools, Pick<ParseContext, 'find'>, Pick<Access, 'roleName' | 'holds'> {
  actor: Actor;
  may(server: Server): boolean;
  part: number;
  options: RawOptions;
}
