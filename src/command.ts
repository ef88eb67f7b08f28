import type { Markup } from './card.ts';
import {
  type Actor,
  type Answer,
  type Danger,
  type Decision,
  Invalid,
  type Outcome,
  type RawOptions,
  type Server,
} from './outcome.ts';
import type { Data, EndpointName, Input } from './panel/endpoints.ts';

/** What options are read against. `find` takes a name or an id. */
export interface ParseContext {
  now: number;
  find(text: string): Server | undefined;
}

/** What autocomplete may use. `may` is the policy's answer for this actor, this command and that server. */
export interface SuggestContext extends ParseContext {
  typed: string;
  options: RawOptions;
  suggest(typed: string): readonly Server[];
  /** The ids of all commands. */
  commands: readonly string[];
  read: Read;
}

export interface Choice {
  name: string;
  value: string | number;
}

type Raw = string | number | boolean;

/** What Discord has to know of an option. */
export interface OptionFace {
  type: 'string' | 'integer' | 'boolean';
  description: string;
  required?: boolean;
  choices?: readonly Choice[];
  min?: number;
  max?: number;
  suggest?(context: SuggestContext): readonly Choice[] | Promise<readonly Choice[]>;
}

/** One option: how it looks, how a value is read from what was typed, and how it is written so that it reads the same again. */
export interface Option<T> extends OptionFace {
  read(raw: Raw | undefined, context: ParseContext & { refuse(rule: string): never }): T;
  write(value: T): Raw | undefined;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
/** The typed input that a table of options reads to. */
export type InputOf<O> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** The endpoints that only read. */
export type ReadEndpoint = 'connect' | 'groups' | 'group' | 'resources' | 'firewall' | 'traffic';
/** Reads from the panel, or throws ReadFailed. */
export type Read = <E extends ReadEndpoint>(endpoint: E, input: Input<E>) => Promise<NonNullable<Data<E>>>;
/** Sends one request. */
export type Call = <E extends EndpointName>(endpoint: E, input: Input<E>) => Promise<Answer<Data<E>>>;

/** A read did not come back with data. The answer says why. */
export class ReadFailed extends Error {
  readonly answer: Exclude<Answer<never>, { kind: 'yes' }>;
  constructor(answer: Exclude<Answer<never>, { kind: 'yes' }>) {
    super(`read failed: ${answer.reason}`);
    this.name = 'ReadFailed';
    this.answer = answer;
  }
}

/** The policy's answer to "may this actor do this", as `help` and `can` show it. */
export interface Access {
  actor: Actor;
  commands: readonly Command[];
  decide(command: Command, server?: Server): Decision;
  requirements(command: Command): { confirm: boolean; typed: boolean; reason: boolean };
}

/** A place in a longer list: the options to read again and which part of that answer to show. */
export interface Position {
  options: RawOptions;
  part: number;
}

/** What a read shows. */
export interface View {
  /** Left out: succeeded. */
  outcome?: Outcome;
  body: readonly Markup[];
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
  amount?: number;
  look?(server: Server, read: Read): Promise<Look>;
  question(looks: readonly Look[]): readonly Markup[];
  attempt(server: Server, call: Call): Promise<Answer<Done>>;
  apply?: Step;
}

/** What a person can type. `options` are read by `prepare`, which throws Invalid with the option and the rule. */
export interface Command {
  id: string;
  danger: Danger;
  description: string;
  example: string;
  options: Readonly<Record<string, OptionFace>>;
  /** The option that `limits` in the policy caps. */
  limited?: string;
  prepare(raw: RawOptions, context: ParseContext): PreparedRead | PreparedChange;
}

interface Face<O extends Options> {
  id: string;
  description: string;
  example: string;
  options: O;
  /** A rule over several options: throw Invalid. */
  check?(input: InputOf<O>, context: ParseContext): void;
}

export interface ReadDefinition<O extends Options> extends Face<O> {
  servers?(input: InputOf<O>): readonly Server[];
  subject?(input: InputOf<O>): Markup;
  view(input: InputOf<O>, context: { read: Read; access: Access; part: number; options: RawOptions }): Promise<View>;
}

export interface ChangeDefinition<O extends Options, E extends EndpointName> extends Face<O> {
  danger: 'write' | 'destructive';
  endpoint: E;
  servers(input: InputOf<O>): readonly Server[];
  limited?: keyof O & string;
  /** What is set now, read before the question and again before the request. */
  look?(server: Server, input: InputOf<O>, read: Read): Promise<Look>;
  /** What would happen, to what, and what it leaves alone. */
  question(input: InputOf<O>, looks: readonly Look[]): readonly Markup[];
  request(server: Server, input: InputOf<O>): Input<E>;
  done(server: Server, input: InputOf<O>, data: Data<E> | undefined): Done;
  /** When what was stored is not applied yet: how to apply it. */
  apply?(input: InputOf<O>): Step | undefined;
}

/** Reads all options; throws Invalid for the first that breaks its rule, and for names that the command does not have. */
function parse<O extends Options>(options: O, raw: RawOptions, context: ParseContext): InputOf<O> {
  const input: Record<string, unknown> = {};
  for (const name of Object.keys(raw)) {
    if (!(name in options)) throw new Invalid(name, 'this command has no such option');
  }
  for (const [name, option] of Object.entries(options)) {
    const refuse = (rule: string): never => {
      throw new Invalid(name, rule);
    };
    if (raw[name] === undefined && option.required) refuse('it is required');
    input[name] = option.read(raw[name], { now: context.now, find: context.find, refuse });
  }
  // The loop filled each key of O with what its own read returned; a mapped type cannot be followed through a loop.
  return input as InputOf<O>;
}

/** The options written out again: ids instead of names, times instead of "-6h", defaults filled in. Reads to the same input. */
function canonical<O extends Options>(options: O, input: InputOf<O>): RawOptions {
  const raw: Record<string, Raw> = {};
  for (const [name, option] of Object.entries(options)) {
    const value = option.write(input[name]);
    if (value !== undefined) raw[name] = value;
  }
  return raw;
}

function read<O extends Options>(
  face: Face<O>,
  raw: RawOptions,
  context: ParseContext,
): { input: InputOf<O>; options: RawOptions } {
  const input = parse(face.options, raw, context);
  face.check?.(input, context);
  return { input, options: canonical(face.options, input) };
}

export function defineRead<O extends Options>(definition: ReadDefinition<O>): Command {
  const { id, description, example, options } = definition;
  return {
    id,
    danger: 'read',
    description,
    example,
    options,
    prepare(raw, context) {
      const parsed = read(definition, raw, context);
      const subject = definition.subject?.(parsed.input);
      return {
        kind: 'read',
        options: parsed.options,
        servers: definition.servers?.(parsed.input) ?? [],
        ...(subject === undefined ? {} : { subject }),
        view: (readPanel, access, part) =>
          definition.view(parsed.input, { read: readPanel, access, part, options: parsed.options }),
      };
    },
  };
}

export function defineChange<O extends Options, E extends EndpointName>(definition: ChangeDefinition<O, E>): Command {
  const { id, danger, description, example, options, limited, look } = definition;
  return {
    id,
    danger,
    description,
    example,
    options,
    ...(limited === undefined ? {} : { limited }),
    prepare(raw, context) {
      const { input, options: written } = read(definition, raw, context);
      const apply = definition.apply?.(input);
      const amount = limited === undefined ? undefined : Number(written[limited]);
      const { reason } = written;
      return {
        kind: 'change',
        options: written,
        servers: definition.servers(input),
        ...(typeof reason === 'string' ? { reason } : {}),
        ...(amount === undefined ? {} : { amount }),
        ...(look === undefined ? {} : { look: (server: Server, readPanel: Read) => look(server, input, readPanel) }),
        ...(apply === undefined ? {} : { apply }),
        question: (looks) => definition.question(input, looks),
        async attempt(server, call) {
          const answer = await call(definition.endpoint, definition.request(server, input));
          return answer.kind === 'yes' ? { kind: 'yes', data: definition.done(server, input, answer.data) } : answer;
        },
      };
    },
  };
}
