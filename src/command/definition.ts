import type { Markup } from '../card.ts';
import type { Actor, Place, RawOptions, Server } from '../outcome.ts';
import type { Data, EndpointName, Input } from '../panel/endpoints.ts';
import type { Records } from '../runs/book.ts';
import type { Effect } from '../runs/effects.ts';
import type { Kept, ReadRules } from '../runs/kept.ts';
import type { Access, Asks, Command, Done, Effects, Limited, View } from './command.ts';
import type { Before, Past, Preview, Read, ReadBackups, ReadEndpoint, Step, Verdict } from './look.ts';
import type { InputOf, Options, ParseContext, Team } from './option.ts';
import type { Tools } from './tools.ts';

export interface Spec<Id extends string, O extends Options> {
  /** Its path with a dot, "power.boot" for `/power boot`; also the permission. */
  id: Id;
  /** What it does, in Discord's list of commands and in `/help`. */
  description: string;
  /** A line that somebody may type, for `/help` and docs/commands.md. */
  example: string;
  /** By the names that people type; `commands/options.ts` has the shared ones. */
  options: O;
  /** A rule over several options; throws Invalid. */
  check?(input: InputOf<O>, context: ParseContext): void;
}

export interface ReadDefinition<Id extends string, O extends Options, R extends ReadEndpoint>
  extends Spec<Id, O>,
    Pick<Command, 'anywhere' | 'everyone' | 'gathers' | 'shows'> {
  /** The endpoints that `view` may read. */
  reads?: readonly R[];
  /** What it is about, for the first line of its card, if that is no server. */
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
> extends Spec<Id, O>,
    Pick<Command, 'checkedBy' | 'follows' | 'ifStuck' | 'inTurn' | 'noun'> {
  /** The bot always asks before it sends what is `destructive`. */
  danger: 'write' | 'destructive';
  endpoint: E;
  /** The endpoints that `look` may read. */
  reads?: readonly R[];
  /** The option that `limits` in the policy restricts, and how. */
  limited?: Limited & { option: keyof O & string };
  /** Reads the current settings, before the question; if it has facts, again before the request, without `backups`. */
  look?(server: Server, input: InputOf<O>, read: Read<R>, backups?: ReadBackups): Promise<Preview>;
  /** What it does, in a few words, for the button that confirms it: "Flush web-1". Discord takes 80 characters. */
  label(input: InputOf<O>): string;
  /** The same with all that was asked for: "Flush the rules of web-1 · primary". The label, if left out. */
  fullLabel?(input: InputOf<O>, team: Team): Markup;
  /** The question, in short lines: what would happen; then at most two of what cannot be undone, or is odd right now. */
  question(input: InputOf<O>, looks: readonly Preview[], team: Team): readonly Markup[];
  /** What explains it, behind the card's Details button: what stays unchanged. `found`: what the looks before found. */
  details(input: InputOf<O>, found: readonly Before[], team: Team): readonly Markup[];
  /** The parameters of the endpoint for one server. */
  request(server: Server, input: InputOf<O>): Input<E>;
  /** What a successful answer proves: done, or only accepted. `data` is undefined if a person says that it happened. */
  done(server: Server, input: InputOf<O>, data: Data<E> | undefined): Done;
  /** How to apply what was only stored. */
  apply?(input: InputOf<O>): Step | undefined;
  /** What the answer shows instead of what was asked for, in words; undefined if it shows nothing else. */
  differs?(input: InputOf<O>, data: Data<E> | undefined): string | undefined;
  /** The effects it opens and closes. `open`: effects that may be open on that server before. */
  effects?(input: InputOf<O>, open: readonly Effect[]): Effects;
  undo?: Undo<O, E>;
  /** The note for servers where a yes has no undo and a person might expect one. `kept`: what it removed there. */
  noUndo?(input: InputOf<O>, servers: readonly Server[], kept: readonly Kept[]): Markup;
  /** What to do about what a yes leaves. `found`: what the looks before it found. */
  leaves?(input: InputOf<O>, found: readonly Before[]): Markup | undefined;
  /** How a person can find out whether an unknown run was done. */
  manualCheck(server: Server, input: InputOf<O>): Markup;
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
}

export interface Undo<O extends Options, E extends EndpointName> {
  command: string;
  options(server: Server, input: InputOf<O>, data: Data<E> | undefined, past: Past): RawOptions | undefined;
}

/** The answer to a `read` or an `audit` is private, any other is public. */
export interface LocalDefinition<Id extends string, O extends Options>
  extends Spec<Id, O>,
    Pick<
      Command,
      'byName' | 'danger' | 'instead' | 'menu' | 'needs' | 'opens' | 'resume' | 'shows' | 'thaws' | 'walks'
    > {
  /** What it is about, for the first line of its card, if that is no server. */
  subject?(input: InputOf<O>): Markup;
  /** What its answer shows, if it is a `read` or an `audit`. */
  title?(input: InputOf<O>): Markup;
  /** What is asked first, if it may reach further than was meant, or leave something behind. */
  asks?(input: InputOf<O>, here: { team: Team; records: Records; place: Place; now: number }): Asks | undefined;
  /** Does it, and returns what its card says. */
  act(input: InputOf<O>, context: LocalContext): View | Promise<View>;
}

/** `may` is the policy's answer for this actor, this command and that server. */
export interface LocalContext
  extends Tools,
    Pick<ParseContext, 'find'>,
    Pick<Access, 'roleName' | 'holds' | 'mayApprove' | 'mayChange' | 'isPrivate'> {
  actor: Actor;
  may(server: Server): boolean;
  part: number;
  options: RawOptions;
}
